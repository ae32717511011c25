/** What a request is about, by which it is known again. */
import type { Operation, PreparedRequest } from '@bank/core';

import type { Form } from '../../nodes/shared/form.ts';
import { contentOf, digestOf, identitiesIn, identityOf, repeatedFaults } from '../../nodes/shared/run/identity.ts';
import type { Identity, Job } from '../../nodes/shared/run/run.ts';
import { make, plannedOf, runOf } from './support.ts';

const { prepared } = plannedOf(make);
const job: Job = { items: [3], input: {} };
const identity = (value: unknown, more: Partial<Identity> = {}): Identity => ({
	field: 'sequence',
	name: 'row',
	value,
	item: 3,
	...more,
});
const once: Operation = { ...make, once: true };
const identitiesOf = (operation: Operation, form: Form = {}, own = job, sent: PreparedRequest = prepared) =>
	identitiesIn(runOf(operation), form)(own, sent);

describe('two requests are the same', () => {
	it('by what they are about, wherever that is said, else by what they carry', () => {
		const about = (values: unknown[], sent = prepared) =>
			identityOf(
				make,
				values.map((value) => identity(value)),
				sent,
			);
		const other = { ...prepared, body: '{}' };
		expect(about([{ a: 1, b: 2 }], other)).toBe(about([{ b: 2, a: 1 }]));
		expect(about([1])).not.toBe(about([2]));
		expect(about([], other)).not.toBe(about([]));
		expect(about([1], { ...prepared, url: '/other' })).not.toBe(about([1]));
	});

	it('as a form by their parts, and without a body by nothing', () => {
		const { body: _, ...rest } = prepared;
		expect(contentOf(rest)).toBe('');
		expect(contentOf({ ...rest, parts: [{ name: 'a', value: 'b' }] })).toBe('[{"name":"a","value":"b"}]');
	});
});

describe('what must not be sent twice', () => {
	it('is nothing of a request that may be repeated', () => {
		expect(identitiesOf(make)).toEqual([]);
	});

	it('is the request itself where the bank allows it once, by what its path names', () => {
		const value = [make.id, '/things/a'];
		expect(identitiesOf(once)).toEqual([{ field: 'kind', name: 'a', value, item: 3 }]);
		const { pathFields: _, ...without } = once;
		expect(identitiesOf(without)).toMatchObject([{ field: '', name: '', value }]);
	});

	it('is what the job says, else what the form says of it', () => {
		const form: Form = { identities: (_run, { items }, { path }) => [identity([items, path])] };
		expect(identitiesOf(once, form)).toEqual([identity([[3], { kind: 'a' }])]);
		expect(identitiesOf(once, form, { ...job, identities: () => [identity('own')] })).toEqual([identity('own')]);
		expect(identitiesOf(once, { identities: () => [] })).toEqual([]);
	});

	it('is counted where equals are meant as several', () => {
		const of = identitiesIn(runOf(make), {
			identities: () => [identity('same', { countsEquals: true }), identity('plain')],
		});
		const values = [of(job, prepared), of(job, prepared)].map((all) => all.map(({ value }) => value));
		expect(values).toEqual([
			[['same', 1], 'plain'],
			[['same', 2], 'plain'],
		]);
	});
});

it.each([
	[once, 'the bank allows Make only once'],
	[make, 'the same thing is not sent twice'],
])('what repeats in a run is a fault that names the item before, and why', (operation, why) => {
	const faults = repeatedFaults(operation);
	expect(faults([identity('a', { item: 0 }), identity('b', { item: 1 })])).toEqual([]);
	const message = `is that of item 0 as well, and ${why}. Remove repeated items before this node`;
	for (const item of [4, 5]) expect(faults([identity('a', { item })])).toEqual([{ path: 'sequence', message, item }]);
});

it('a digest tells one bank from another, and nothing of what it is about', () => {
	const at = (baseUrl: string, environment = 'sandbox') => digestOf({ environment, baseUrl }, { b: 1, a: 2 });
	expect(at('https://x')).toMatch(/^[0-9a-f]{64}$/);
	expect(new Set([at('https://x'), at('https://y'), at('https://x', 'production')]).size).toBe(3);
	expect(digestOf({ environment: 'sandbox', baseUrl: 'https://x' }, { a: 2, b: 1 })).toBe(at('https://x'));
});

it.each(['HTTPS://X', 'https://x:443'])('a digest is the same where the address is written %s', (baseUrl) => {
	const at = (url: string) => digestOf({ environment: 'sandbox', baseUrl: url }, 1);
	expect(at(baseUrl)).toBe(at('https://x'));
});
