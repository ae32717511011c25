/** Turns items into validated jobs and reports all issues with their items. Sends nothing. */
import { InputError, ListBudget, type Operation, type OperationInput } from '@bank/core';

import type { NodeOperationError } from 'n8n-workflow';

import type { OperationHooks } from '../../nodes/shared/pipeline/operationHooks.ts';
import { isInvalid, type InvalidJob, plan, type Planned, stopIfInvalid } from '../../nodes/shared/pipeline/plan.ts';
import { Parameters } from '../../nodes/shared/form/parameters.ts';
import { concurrencyOf } from '../../nodes/shared/form/settings.ts';
import { contextOf, type ContextOptions, list, make, result, runOf, thrownBy, Wire } from './support.ts';

const wire = new Wire();
afterEach(() => expect(wire.asked).toEqual([]));

const planOf = async (operation: Operation, options: ContextOptions = {}, form: OperationHooks = {}) =>
	await plan(runOf(operation, { wire, ...options }), form);
/** Jobs of `make` with the fields of each item. */
const ofItems = async (items: object[], form: OperationHooks = {}, operation: Operation = make) =>
	await planOf(
		operation,
		{
			// The form adds a field that needs a value.
			items: items.map((item) => ({ count: 1, ...item })),
			parameters: {
				kind: '={{ $json.kind }}',
				name: '={{ $json.name }}',
				additionalFields: { count: '={{ $json.count }}' },
				options: { askAgain: '={{ $json.again }}' },
				preview: '={{ $json.preview }}',
			},
		},
		form,
	);
const passed = (one: Planned | InvalidJob | undefined): Planned => {
	if (one === undefined || isInvalid(one)) throw one?.failure ?? new Error('there is no such job');
	return one;
};
const faultsIn = (one: Planned | InvalidJob | undefined) =>
	one !== undefined && isInvalid(one) && one.failure instanceof InputError
		? one.failure.issues.map(({ path, item }) => [path, item])
		: undefined;

describe('a job', () => {
	it('is made of each item, in their order, with its request', async () => {
		const planned = await ofItems([
			{ kind: 'a', name: 'x' },
			{ kind: 'b', name: 'y', count: '2' },
		]);
		const prepared = { method: 'POST', url: '/things/a', body: '{"name":"x","count":1}' };
		expect(planned.map(passed)).toMatchObject([
			{ job: { items: [0] }, position: 0, prepared },
			{ job: { items: [1] }, position: 1, prepared: { url: '/things/b', body: '{"name":"y","count":2}' } },
		]);
	});

	it('with a failed expression reports only that, because other issues may follow from it', async () => {
		const name = (_json: object, item: number) => (item === 0 ? 'x' : undefined);
		const timeout = (_json: object, item: number) => {
			if (item === 0) return 60;
			throw new Error('The expression failed');
		};
		const [, refused] = await planOf(make, { items: [{}, {}], parameters: { kind: 'a', name, options: { timeout } } });
		expect(refused).toMatchObject({ failure: { message: 'The expression failed' } });
	});

	it('keeps its position after invalid jobs', async () => {
		const planned = await ofItems([{ kind: 'a' }, { kind: 'b', name: 'y' }, {}, { kind: 'c', name: 'z' }]);
		expect(planned.map(isInvalid)).toEqual([true, false, true, false]);
		expect([planned[1], planned[3]].map((one) => passed(one).position)).toEqual([1, 3]);
	});

	it('uses the days of the time zone and the list format of the user', async () => {
		const parameters = { filters: { colours: ['red', 'blue'] }, limit: 1, options: { arrayFormat: 'brackets' } };
		const [one] = await planOf(list, { parameters, timezone: 'Asia/Tokyo' });
		expect(passed(one).prepared.url).toBe('/things?colours%5B%5D=red&colours%5B%5D=blue');
		expect(passed(one).preparing).toEqual({ timeZone: 'Asia/Tokyo', arrayFormat: 'brackets' });
	});

	it.each(['pipes', 'toString', 7])('is invalid with an unknown list format: %s', async (arrayFormat) => {
		const parameters = { filters: { colours: ['red'] }, limit: 1, options: { arrayFormat } };
		expect(faultsIn((await planOf(list, { parameters }))[0])).toEqual([['arrayFormat', 0]]);
	});

	it('is a preview if its form has the switch, unless the value is false: an expression may return nothing', async () => {
		const values = [true, 'true', 'yes', '', false, 'false', undefined];
		const items = values.map((preview) => ({ kind: 'a', name: 'x', preview }));
		const isPreview = async (form: OperationHooks) => (await ofItems(items, form)).map((one) => passed(one).isPreview);
		expect(await isPreview({ preview: true })).toEqual([true, true, true, true, false, false, true]);
		expect(await isPreview({})).toEqual(items.map(() => false));
	});
});

describe('an issue', () => {
	it('is reported for every field of every item at once', async () => {
		const planned = await ofItems([
			{ name: 'x', count: 'many' },
			{ kind: 'b', name: 'y' },
			{ kind: 'c', count: { a: 1 } },
		]);
		expect(planned.map(faultsIn)).toEqual([
			[
				['kind', 0],
				['count', 0],
			],
			undefined,
			[
				['count', 2],
				['name', 2],
			],
		]);
	});

	it('of the options is reported together with those of fields', async () => {
		const [one] = await planOf(list, {
			parameters: { limit: 0, filters: { colours: 3, most: 'all' }, options: { pageSize: 'x', offset: 'y' } },
		});
		expect(faultsIn(one)).toEqual([
			['pageSize', 0],
			['limit', 0],
			['from', 0],
		]);
	});

	it('of all jobs of a form belongs to all items', async () => {
		const refuse = () => {
			throw new InputError([{ path: 'rows', message: 'must be rows', item: 1 }]);
		};
		expect(await ofItems([{}, {}, {}], { jobs: refuse })).toMatchObject([
			{ job: { items: [0, 1, 2] }, failure: { issues: [{ path: 'rows', item: 1 }] } },
		]);
	});

	it('of one item does not keep others from being checked', async () => {
		const read = (_run: unknown, item: number): OperationInput => {
			if (item === 0) throw new InputError([{ path: 'file', message: 'is not there' }]);
			return { path: { kind: 'a' }, body: {} };
		};
		expect((await ofItems([{}, {}], { read })).map(faultsIn)).toEqual([[['file', 0]], [['name', 1]]]);
	});
});

describe('the error of all invalid jobs', () => {
	const things = (items: object[]) =>
		runOf(make, {
			wire,
			items: items.map((item) => ({ count: 1, ...item })),
			parameters: {
				kind: '={{ $json.kind }}',
				name: '={{ $json.name }}',
				additionalFields: { count: '={{ $json.count }}' },
			},
		});
	const errorOf = async (run: ReturnType<typeof runOf>) => {
		const planned = await plan(run, {});
		return (await thrownBy(() => stopIfInvalid(run, planned))) as NodeOperationError;
	};

	it('has their issues, with the items', async () => {
		const error = await errorOf(things([{ kind: 'a', name: 'x' }, { kind: 'b' }, { name: 'z', count: 'many' }]));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			description: expect.stringContaining('Nothing was sent.'),
		});
		const text = `${error.message}\n${error.description}`;
		for (const [field, item] of [
			['name', 1],
			['kind', 2],
			['count', 2],
		])
			expect(text).toMatch(new RegExp(`${field}[^\\n]*item ${item}`, 'i'));
	});

	const failing = (at: number, name: unknown) =>
		runOf(make, {
			wire,
			items: [{}, {}],
			parameters: {
				kind: 'a',
				name: (_json: unknown, item: number) => {
					if (item === at) throw new Error('Referenced node is not there');
					return name;
				},
			},
		});

	it('is the error of a failed expression if there are no issues', async () => {
		expect(await errorOf(failing(1, 'x'))).toMatchObject({
			name: 'NodeOperationError',
			message: 'Referenced node is not there',
			context: { itemIndex: 1 },
		});
	});

	it.each([0, 1])('contains the error of a failed expression in item %i, and the issues', async (at) => {
		const { message, description } = await errorOf(failing(at, ''));
		for (const text of ['Referenced node is not there', 'is required'])
			expect(`${message} ${description}`).toContain(text);
	});

	it('is not thrown if the node continues on failure', async () => {
		const run = runOf(make, { wire, items: [{}], parameters: { kind: 'a', name: '' }, continueOnFail: true });
		expect(stopIfInvalid(run, await plan(run, {}))).toBeUndefined();
	});
});

describe('paging', () => {
	const pagingOf = async (parameters: Record<string, unknown>) =>
		passed((await planOf(list, { parameters }))[0]).paging;

	it('stops at the limit, or reads to the end', async () => {
		const kept = { budget: expect.any(ListBudget), mapRow: expect.any(Function) };
		expect(await pagingOf({ limit: '20' })).toEqual({ limit: 20, pageSize: 50, prefetch: 5, ...kept });
		expect(await pagingOf({ returnAll: true, limit: 'nothing' })).toEqual({ pageSize: 50, prefetch: 5, ...kept });
		expect(await pagingOf({ returnAll: () => undefined, options: { pageSize: '10', concurrency: 2 } })).toEqual({
			limit: 50,
			pageSize: 10,
			prefetch: 2,
			...kept,
		});
	});

	it.each([
		[1, 5],
		[2, 2],
		[5, 1],
		[9, 1],
	])(
		'of %i items in parallel reads %i pages each in parallel, which together keep to the limit',
		async (count, prefetch) => {
			const items = Array.from({ length: count }, () => ({}));
			const [one] = await planOf(list, { parameters: { returnAll: true }, items });
			expect(passed(one).paging?.prefetch).toBe(prefetch);
		},
	);

	const row = { id: '1', name: 'a', of: { town: 'b' } };

	it.each<[string, object, object]>([
		['the simplified fields by default', {}, { id: 1 }],
		['the simplified fields', { output: 'simple' }, { id: 1 }],
		['all fields', { output: 'raw' }, row],
		['what an expression of the item selects', { output: (_json: unknown, item: number) => ['raw'][item] }, row],
		['the selected fields, the simplified one first', { output: 'fields', fields: 'id, name' }, { id: 1, name: 'a' }],
		['selected fields from a list', { output: 'fields', fields: ['name'] }, { name: 'a' }],
		['selected fields at any depth', { output: 'fields', fields: 'of.town' }, { 'of.town': 'b' }],
		[
			'null for a selected field that it does not have',
			{ output: 'fields', fields: 'a.b,toString' },
			{ 'a.b': null, toString: null },
		],
	])('keeps of each row %s', async (_kind, parameters, kept) => {
		const paging = await pagingOf({ limit: 1, ...parameters });
		expect(paging?.mapRow(row)).toEqual(kept);
	});

	it('keeps every row unchanged for a form that builds the items itself', async () => {
		const [one] = await planOf(list, { parameters: { limit: 1 } }, { output: () => [] });
		expect(passed(one).paging?.mapRow(row)).toEqual(row);
	});

	it('starts at the offset of the user', async () => {
		const [one] = await planOf(list, { parameters: { limit: 5, options: { offset: 40 } } });
		expect(passed(one).prepared.input.query).toEqual({ from: 40 });
	});

	it.each([
		['limit', { limit: 0 }],
		['limit', { limit: '' }],
		['limit', { limit: 1.5 }],
		['pageSize', { limit: 1, options: { pageSize: 0 } }],
		['pageSize', { returnAll: true, options: { pageSize: 'many' } }],
		['from', { limit: 1, options: { offset: 'there' } }],
		['output', { limit: 1, output: () => undefined }],
		['output', { limit: 1, output: 'all' }],
		['fields', { limit: 1, output: 'fields', fields: ' , ' }],
	])('with an invalid %s is refused: %j', async (path, parameters) => {
		expect(faultsIn((await planOf(list, { parameters }))[0])).toEqual([[path, 0]]);
	});

	it('is for lists only', async () => {
		const [one] = await planOf(make, { parameters: { kind: 'a', name: 'x', limit: 0, options: { offset: 3 } } });
		expect(passed(one).paging).toBeUndefined();
		expect(passed(one).prepared.input.query).toEqual({});
	});
});

describe('waiting', () => {
	const waitingOf = async (parameters: Record<string, unknown>) =>
		(await planOf(result, { parameters: { kind: 'a', ...parameters } }))[0];

	it.each([
		[{}, { intervalSeconds: 10, timeoutSeconds: 600 }],
		[{ options: { waitEvery: '1', waitAtMost: 2 } }, { intervalSeconds: 1, timeoutSeconds: 2 }],
	])('with %j is done so: %j', async (parameters, waiting) => {
		expect(passed(await waitingOf({ waitForResult: true, ...parameters })).waiting).toEqual(waiting);
	});

	it('happens only if it is turned on and the operation is asynchronous', async () => {
		for (const waitForResult of [false, undefined, () => '', () => null])
			expect(passed(await waitingOf({ waitForResult })).waiting).toBeUndefined();
		const [one] = await planOf(make, { parameters: { kind: 'a', name: 'x', waitForResult: true } });
		expect(passed(one).waiting).toBeUndefined();
	});

	it.each(['often', 0, {}])(
		'refuses an interval and a maximum of %j seconds, together with other issues',
		async (seconds) => {
			const options = { waitEvery: seconds, waitAtMost: seconds };
			expect(faultsIn(await waitingOf({ kind: '', waitForResult: true, options }))).toEqual([
				['waitEvery', 0],
				['waitAtMost', 0],
				['kind', 0],
			]);
		},
	);
});

describe('a run', () => {
	const settings = (options: unknown) => runOf(list, { parameters: { options } });

	it.each([
		[undefined, 5],
		[3, 3],
		['2', 2],
		[2.9, 2],
		[0, 1],
		[-4, 1],
		['many', 1],
	])('with the option %j sends %i reads in parallel', (concurrency, expected) => {
		expect(concurrencyOf(settings(concurrency === undefined ? {} : { concurrency }))).toBe(expected);
	});

	it.each(['timeout', 'maxResponseSize'])('refuses a %s that is no limit before anything is sent', async (option) => {
		for (const given of [-1, 0, '', 'x', NaN]) {
			const planned = await planOf(make, { parameters: { kind: 'a', name: 'x', options: { [option]: given } } });
			expect(planned.map(faultsIn)).toEqual([[[option, 0]]]);
		}
	});
});

describe('parameters', () => {
	const given = (value: unknown) => Parameters.ofItems(contextOf({ parameters: { field: () => value } }));

	it('are on only if the value is true or "true", also if the form has them on by default', () => {
		const isOn = (value: unknown) => [false, true].map((fallback) => given(value).flag('field', 0, fallback));
		for (const value of [true, 'true']) expect(isOn(value)).toEqual([true, true]);
		for (const value of [false, 'false', undefined, null, '', 'yes', 1, {}])
			expect(isOn(value)).toEqual([false, false]);
	});

	it('have the fallback if the field is hidden', () => {
		const parameters = Parameters.ofItems(contextOf());
		expect([parameters.flag('field', 0), parameters.flag('field', 0, true)]).toEqual([false, true]);
		expect([parameters.text('field', 0), parameters.text('field', 0, ' a ')]).toEqual(['', 'a']);
		expect(parameters.value('field', 0, 3)).toBe(3);
		expect(() => parameters.value('field', 0)).toThrow('Could not get parameter');
	});

	it('are trimmed text, and empty if an expression returns nothing', () => {
		const texts = [' a b ', 7, null, undefined].map((value) => given(value).text('field', 0, 'x'));
		expect(texts).toEqual(['a b', '7', '', '']);
	});

	it('are groups of fields, and empty if an expression returns anything else', () => {
		expect(given({ a: 1 }).group('field', 0)).toEqual({ a: 1 });
		for (const other of [null, undefined, 'text', ['a'], 3]) expect(given(other).group('field', 0)).toEqual({});
	});
});
