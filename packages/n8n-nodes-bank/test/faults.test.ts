/** docs/faults.md holds every operation with every fault once, and says of it what is said in a run. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { connectionCodes, courier, type Dialect, InputError, type Operation, operations } from '@bank/core';

import { errorSections, oracle, sectionOf } from '../../fixtures/src/oracle.ts';
import { errorItem } from '../nodes/shared/failures';
import { descriptionOf } from '../nodes/shared/words';
import { isRest } from '../scripts/operationKinds';
import {
	answerCases,
	type Case,
	classes,
	connectionCases,
	dialectOf,
	groupsOf,
	heldBackCases,
	kinds,
	listedCases,
	mayMeet,
	outcomeSentence,
	rowsOf,
	statusCases,
	waitingCases,
} from '../scripts/faultMatrix';
import { answeredWith, failureOf } from '../scripts/made';
import { numberOf, partOf } from '../scripts/names';

const page = readFileSync(path.resolve(__dirname, '../../../docs/faults.md'), 'utf8');
const chapterOf = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const sectionIn = (title: string) => page.split(`\n### ${title}\n`)[1]?.split('\n##')[0] ?? '';
const rowIn = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(`| ${start} |`));

/** What happened, without the status and code that stand in a column of their own. */
const withoutCode = (what: string) => what.replace(/ \(\d+[^()]*\)$/, '');

const dialects = [...new Set(operations.map(dialectOf))];
const tables: [title: string, cases: readonly Case[]][] = [
	...dialects.map((dialect): [string, readonly Case[]] => [`codes of part ${dialect.spec}`, listedCases(dialect)]),
	['statuses', statusCases],
	['answers', answerCases],
	['waiting', waitingCases],
	['no answer', connectionCases],
	['held back', heldBackCases],
];

describe('the matrix', () => {
	it('has every operation in exactly one group', () => {
		const members = kinds.flatMap((kind) => groupsOf(kind).flatMap((group) => group.members));
		expect(members.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
		for (const kind of kinds) {
			const names = groupsOf(kind).map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			for (const { members: alike } of groupsOf(kind)) expect(new Set(alike.map(dialectOf)).size).toBe(1);
		}
	});

	it.each(tables.filter(([, cases]) => cases.length > 0))(
		'says of %s once for each operation how it ends',
		async (_, cases) => {
			const said: string[] = [];
			const ends: string[] = [];
			for (const kind of kinds) {
				const rows = await rowsOf(cases, groupsOf(kind));
				for (const one of cases) {
					const ofCase = rows.filter((row) => row.cases.includes(one));
					for (const operation of kind.members.filter((member) => mayMeet([one], member))) {
						const found = ofCase.filter((row) => row.members.includes(operation));
						const start = `${operation.id}, ${one.status} ${one.name}:`;
						for (const { outcome, retryable, message } of found)
							said.push(`${start} ${outcome} ${retryable} ${message.toLowerCase()}`);
						const { outcome = '', retryable = false, what = '' } = (await one.end(operation)) ?? {};
						ends.push(`${start} ${outcome} ${retryable} ${withoutCode(what).toLowerCase()}`);
					}
				}
			}
			expect(said).not.toEqual([]);
			expect(said).toEqual(ends);
		},
	);

	it.each(tables.filter(([, cases]) => cases.length > 0))(
		'names the operations of each row of %s',
		async (_, cases) => {
			const namesOf = (operation: Operation) =>
				isRest(operation) ? [numberOf(operation)] : [partOf(operation), `\`${operation.id}\``];
			let rowsOfSome = 0;
			for (const kind of kinds)
				for (const { whose, cases: alike, members } of await rowsOf(cases, groupsOf(kind)))
					for (const one of alike) {
						const able = kind.members.filter((member) => mayMeet([one], member));
						const meant = able.filter((member) => namesOf(member).some((name) => whose.split(', ').includes(name)));
						if (whose !== '') rowsOfSome++;
						const ids = (some: readonly Operation[]) => some.map(({ id }) => id).sort();
						expect([whose, ids(whose === '' ? able : meant)]).toEqual([
							whose,
							ids(members.filter((member) => able.includes(member))),
						]);
					}
			if (cases === statusCases || cases === answerCases) expect(rowsOfSome).toBeGreaterThan(10);
		},
	);

	it('knows every kind of failure', async () => {
		const found = new Set<string>();
		for (const kind of kinds)
			for (const [, cases] of tables) for (const row of await rowsOf(cases, groupsOf(kind))) found.add(row.class);
		expect([...found].sort()).toEqual(['an answer', ...Object.values(classes)].sort());
	});

	it('leaves nothing out of a description but the outcome and the words of others', async () => {
		for (const kind of kinds)
			for (const row of await rowsOf([...answerCases, ...connectionCases], groupsOf(kind))) {
				const [operation, one] = [row.members[0], row.cases[0]];
				const failure = operation && (await one?.end(operation));
				// A refusal without words is told in other sentences.
				if (failure === undefined || failure.kind === 'refused') continue;
				const { words: _, ...unsaid } = failure;
				const parts = [outcomeSentence(failure), row.next].filter((part) => part !== '');
				expect(descriptionOf(unsaid)).toBe(parts.join(' '));
			}
	});

	it('has a code by itself as soon as a service lists it', async () => {
		const known = { status: 418, code: 'teapot', what: 'the bank is a teapot', next: ['tryLater'] } as const;
		const dialect: Dialect = { ...courier, listed: [known], explain: () => known };
		const changes = operations.filter((operation) => dialectOf(operation) === courier && operation.effect === 'change');
		const group = { name: 'new', members: changes.map((operation) => ({ ...operation, dialect })) };
		const rows = await rowsOf(listedCases(dialect), [group]);
		expect(rows).toMatchObject([
			{ message: 'The bank is a teapot', next: 'Try again later.', outcome: 'rejected', whose: '' },
		]);
	});

	it('does not come about where a service lists what core does not read', async () => {
		const listed = [{ status: 400, code: 'x1', what: 'is said nowhere', next: [] }];
		const dialect: Dialect = { ...courier, listed };
		const operation = { ...operations.find((one) => dialectOf(one) === courier)!, dialect };
		await expect(listedCases(dialect)[0]?.end(operation)).rejects.toThrow('does not read 400 x1');
	});
});

describe('docs/faults.md', () => {
	it('is short enough to be read', () => {
		expect(Buffer.byteLength(page)).toBeLessThan(60_000);
	});

	it('names every operation at the head of its chapter', () => {
		for (const { title, members } of kinds)
			for (const { id } of members)
				expect([id, chapterOf(title).includes(`[${id}](reference.md#`)]).toEqual([id, true]);
	});

	it.each(errorSections.map((section) => [section.section, section] as const))(
		'%s: every code of the section, in every chapter that has an operation of the service',
		(_, { section, errors }) => {
			const ids = oracle.filter((operation) => sectionOf(operation) === section).map(({ id }) => id);
			const concerned = kinds.filter(({ members }) => members.some(({ id }) => ids.includes(id)));
			expect(concerned.length).toBeGreaterThan(0);
			for (const { title } of concerned) {
				const tablesOfCodes = chapterOf(title)
					.split('\n### ')
					.filter((text) => text.includes(`(errors.md#`) && text.startsWith(`${title}: codes`));
				const rows = tablesOfCodes.join('\n').split('\n');
				for (const { status = '', code = '', message } of errors) {
					const isOf = (row: string) =>
						row.includes(`${status}`) && row.includes(code) && new RegExp(message, 'i').test(row);
					expect([title, status, code, rows.some(isOf)]).toEqual([title, status, code, true]);
				}
			}
		},
	);

	it('has every connection code in each table of them', () => {
		const found = chapterOf('No answer, or not a whole one').split('\n### ').slice(1);
		expect(found.length).toBeGreaterThan(1);
		for (const text of found) expect(connectionCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
	});

	it('tells of a payment what must be known at night', () => {
		const statuses = sectionIn('Payments and debits: any other status');
		for (const status of ['3xx', '408', 'other 4xx', '500', '502', '503', '504', 'other 5xx'])
			expect(rowIn(statuses, status)).toContain('| `unknown` |');
		for (const status of ['400', '429']) expect(rowIn(statuses, status)).toContain('| `rejected` |');
		expect(rowIn(statuses, '3xx')).toContain('Check the base URL');
		const broken = sectionIn('No answer: payments and debits; orders, changes and deletions');
		expect(rowIn(broken, '`ECONNREFUSED`')).toContain('| `notSent` |');
		expect(rowIn(broken, '`ECONNRESET`')).toContain('| `unknown` |');
		expect(broken).toContain('retryable no.');
		expect(rowIn(sectionIn('Reads: any other status'), '503')).toMatch(/\| yes \|.*Try again later\./);
	});

	it('is right in that a code which nobody lists is explained by its status', async () => {
		for (const operation of operations.filter((one) =>
			dialectOf(one).listed.every(({ status }) => status !== undefined),
		))
			for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503]) {
				const text = JSON.stringify({ error: 'odd', code: 'odd', Error: { ErrorString: 'odd' } });
				const [coded, bare] = [
					await failureOf(operation, answeredWith(status, text)),
					await failureOf(operation, answeredWith(status)),
				];
				expect([operation.id, withoutCode(coded.what), coded.outcome]).toEqual([
					operation.id,
					withoutCode(bare.what),
					bare.outcome,
				]);
			}
	});

	it('is right in what it says of input that cannot be sent', () => {
		const item = errorItem('any', new InputError([{ path: 'total', message: 'must be the sum' }]), 0);
		expect(item.json.details).toMatchObject({ code: 'invalid_input', outcome: 'notSent', retryable: false });
		const text = chapterOf('Before anything is sent');
		for (const said of ['`invalid_input`', '`notSent`', 'not retryable']) expect(text).toContain(said);
	});

	it('begins with what each outcome means for whom', async () => {
		const rows = chapterOf('The four outcomes').split('\n');
		for (const operation of operations.filter(({ effect }) => effect !== 'read'))
			for (const answered of [answeredWith(400), answeredWith(500), { code: 'ECONNREFUSED' }]) {
				const failure = await failureOf(operation, answered);
				const start = outcomeSentence(failure);
				expect(start).not.toBe('');
				expect(descriptionOf(failure).startsWith(start)).toBe(true);
				const title = kinds.find(({ members }) => members.some(({ id }) => id === operation.id))?.title ?? '';
				const said = rows.filter((row) => row.startsWith(`| \`${failure.outcome}\` |`) && row.includes(start));
				expect([operation.id, said.some((row) => row.includes(title) || row.includes(operation.id))]).toEqual([
					operation.id,
					true,
				]);
			}
	});
});
