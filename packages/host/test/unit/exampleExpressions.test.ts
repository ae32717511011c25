/** Expressions of the examples, evaluated without n8n. */
import { runInNewContext } from 'node:vm';

import { type WorkflowFile } from '../../src/n8nCli.ts';
import { readExample } from '../../src/examples.ts';

type Json = Record<string, unknown>;
type Outputs = Record<string, Json[] | Json[][]>;

/** The parameters of a node of an example. */
function parametersOf({ nodes }: WorkflowFile, name: string): Json {
	const node = nodes.find((one) => one.name === name);
	if (node === undefined) throw new Error(`No node ${name}`);
	return node.parameters;
}

/** `$` of an expression or of a Code node: the output of other nodes. */
const outputsOf = (outputs: Outputs) => (name: string) => {
	const items = (index = 0) => {
		const all = outputs[name] ?? [];
		const branch = (Array.isArray(all[0]) ? all[index] : index === 0 ? all : []) as Json[] | undefined;
		return (branch ?? []).map((json) => ({ json }));
	};
	const [item] = items();
	return { all: items, item, first: () => items()[0], last: () => items().at(-1), isExecuted: name in outputs };
};

/** The value of a text with expressions. As in n8n, a failed expression has no value. */
function evaluate(text: string, context: Json): unknown {
	const attempt = (code: string): unknown => {
		try {
			return runInNewContext(`(${code})`, context);
		} catch {
			return undefined;
		}
	};
	if (!text.startsWith('=')) return text;
	const [, single] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? [];
	if (single !== undefined) return attempt(single);
	return text.slice(1).replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(attempt(code) ?? ''));
}

/** The item that a Set node makes of an item. */
function setBy(file: string, name: string, $json: Json, outputs: Outputs = {}): Json {
	const { assignments, includeOtherFields } = parametersOf(readExample(file), name);
	const list = (assignments as { assignments: { name: string; value: string }[] }).assignments;
	const context = { $json, $: outputsOf(outputs) };
	const made = Object.fromEntries(list.map((one) => [one.name, evaluate(String(one.value), context)]));
	return includeOtherFields === true ? { ...$json, ...made } : made;
}

/** The items that a Code node makes. */
function codeOf(file: string, name: string, input: Json[], outputs: Outputs): Json[] {
	const code = String(parametersOf(readExample(file), name).jsCode);
	const context = { $: outputsOf(outputs), $input: outputsOf({ input })('input') };
	return (runInNewContext(`(() => {${code}\n})()`, context) as { json: Json }[]).map(({ json }) => json);
}

test.each([
	[{ surname: 'Ivanova', taxNumber: '770000000001' }, true],
	[{ Surname: 'Ivanova', taxNumber: '770000000001' }, false],
	[{ surname: 'Ivanova' }, false],
	[{}, false],
])('customer-check.json checks only applicants with a surname and a tax number: %j', ($json, isComplete) => {
	const { conditions } = parametersOf(readExample('customer-check.json'), 'Has Surname and Tax Number?');
	const [{ leftValue = '' } = {}] = (conditions as { conditions: { leftValue?: string }[] }).conditions;
	expect(evaluate(leftValue, { $json })).toBe(isComplete);
});

test.each([
	['all', [], ['p-1', 'P 2', 'p-3']],
	[' ALL ', [], ['p-1', 'P 2', 'p-3']],
	['none', [], []],
	['P-1, p2', [], ['p-1', 'P 2']],
	['p-1;p-3\n', [], ['p-1', 'p-3']],
	['all except p-3', ['allexceptp-3'], undefined],
	['all, p-3', ['all'], undefined],
	['p-1, p-4', ['p-4'], undefined],
])('payout-new-recipients.json takes "%s" as an answer with the unknown records %j', (answer, unknown, approved) => {
	const file = 'payout-new-recipients.json';
	const sequences = ['p-1', 'P 2', 'p-3'];
	const held = sequences.map((sequence) => ({ sequence, amount: 1 }));
	const $json = { 'Pay to': answer, 'Your name': 'Olga' };
	const context = { $json, $: outputsOf({ 'Paid Before?': [[], [], held] }) };
	const decision = evaluate(String(parametersOf(readExample(file), 'Decision').jsonOutput), context) as {
		people: { isApproved: boolean; sequence: string }[];
	};
	expect(decision).toMatchObject({ unknown });
	const { question } = setBy(file, 'Question', {}, { 'Paid Before?': [[], [], held], Decision: [{ ...decision }] });
	if (approved === undefined) expect(question).toMatch(`NOTHING WAS PAID. No such record: ${unknown.join(', ')}.`);
	else expect(decision.people.flatMap((one) => (one.isApproved ? [one.sequence] : []))).toEqual(approved);
});

test('payout-new-recipients.json pays no record of which another differs only in case', () => {
	const held = ['a', 'A'].map((sequence) => ({ sequence }));
	const context = { $json: { 'Pay to': 'a' }, $: outputsOf({ 'Paid Before?': [[], [], held] }) };
	const { jsonOutput } = parametersOf(readExample('payout-new-recipients.json'), 'Decision');
	expect(evaluate(String(jsonOutput), context)).toMatchObject({ unknown: ['a'] });
});

test.each([
	['Paid Again', { outcome: 'accepted' }, 'sent again: Anna said that the bank does not have it'],
	[
		'Paid Again',
		{ outcome: 'alreadyAccepted', acceptedIn: '12' },
		'not sent again: it was already paid in execution 12',
	],
	['Paid, Says a Person', { outcome: 'accepted' }, 'the bank has it, says Anna'],
	['Paid, Says a Person', { outcome: 'unknown', message: 'Not recorded.' }, 'unknown: Not recorded.'],
])(
	'payout-unknown-results.json does not claim the answer of the slower of two people: %s, %j',
	(node, json, result) => {
		const outputs = { 'Ask a Person': [{ 'Your name': 'Anna' }] };
		expect(setBy('payout-unknown-results.json', node, json, outputs)).toMatchObject({ result });
	},
);

test.each([
	['accepted', '', true],
	['sending', '', true],
	['sending', '1', true],
	['sending', '9', false],
	['preparing', '', false],
	['begun', '', false],
])('payout-report.json counts a row %s that may run until "%s": %p', (outcome, until, isCounted) => {
	const { conditions } = parametersOf(readExample('payout-report.json'), 'Of This Month');
	const [{ leftValue = '' } = {}] = (conditions as { conditions: { leftValue?: string }[] }).conditions;
	const DateTime = { fromISO: (at: string) => ({ setZone: () => ({ toFormat: () => at.slice(0, 7) }) }) };
	const $now = { toMillis: () => 5, zoneName: 'UTC' };
	const $ = outputsOf({ Month: [{ month: '2026-11' }] });
	const row = (at: string) => ({ $json: { at, outcome, until }, $now, $, DateTime });
	expect(evaluate(leftValue, row('2026-11-28T10:00:00.000Z'))).toBe(isCounted);
	expect(evaluate(leftValue, row('2026-10-28T10:00:00.000Z'))).toBe(false);
});

describe('payment-log-archive.json', () => {
	const file = 'payment-log-archive.json';
	const rows = [
		['run', 'begun'],
		['a', 'accepted'],
		['b', 'rejected'],
		['c', 'unknown'],
		['c', 'hasNot'],
		['c', 'accepted'],
		['d', 'sending'],
		['e', 'notSent'],
		['f', 'preparing'],
		['g', 'has'],
		['h', 'edited by somebody'],
	].map(([payment, outcome], index) => ({ id: index + 1, payment, outcome }));
	const archived = codeOf(file, 'Finished Payments', rows, {});

	test('archives finished payments only, and never the row of a payment run', () => {
		expect(archived.map(({ payment }) => payment)).toEqual(['a', 'b', 'e', 'g']);
		expect(codeOf(file, 'Finished Payments', [{}], {})).toEqual([]);
	});

	test('deletes what is in the file, and nothing else', () => {
		const blocks = codeOf(file, 'Blocks', [], { 'Finished Payments': archived });
		const { conditions } = parametersOf(readExample(file), 'Delete Rows').filters as { conditions: Json[] };
		const isDeleted = (id: number, $json: Json) =>
			conditions.every(({ keyName, condition, keyValue }) => {
				expect(keyName).toBe('id');
				const limit = Number(evaluate(String(keyValue), { $json }));
				return condition === 'gte' ? id >= limit : condition === 'lte' && id <= limit;
			});
		const deleted = rows.filter(({ id }) => blocks.some((block) => isDeleted(id, block)));
		expect(deleted.map(({ id }) => id)).toEqual(archived.map(({ id }) => id));
		expect(blocks).toHaveLength(3);
	});

	test('deletes nothing until its owner says that the file is stored', () => {
		const { connections } = readExample(file);
		expect(setBy(file, 'Settings', {})).toMatchObject({ deleteArchived: 'false' });
		const sources = Object.entries(connections as Record<string, { main: { node: string }[][] }>).filter(
			([, { main }]) => main.flat().some(({ node }) => node === 'Blocks'),
		);
		expect(sources.map(([name, { main }]) => [name, main.findIndex(([one]) => one?.node === 'Blocks')])).toEqual([
			['May Delete?', 0],
		]);
	});
});

test('operations-to-file.json gives operations of one ID, time and amount a row for each counterparty, whatever their status', () => {
	const operation = { id: '0', direction: 'EXPENSE', dateTime: '2026-11-22T10:00:00Z', amount: 5 };
	const keyOf = (counterparty: string, status: string) =>
		setBy('operations-to-file.json', 'Row', { ...operation, counterparty, status }).key;
	expect(keyOf('Ivan I.', 'HOLD')).toBe(keyOf('Ivan I.', 'SUCCESS'));
	expect(keyOf('Ivan I.', 'HOLD')).not.toBe(keyOf('Anna A.', 'HOLD'));
});

describe('close-of-day.json', () => {
	const lineOf = (item: Json) => setBy('close-of-day.json', 'Line', item).line;

	test('recognizes a payment at the next close, also after it was resolved or sent again', () => {
		const results = ['notFound', 'several', 'found'].map((result) => ({ result, candidates: [], sequence: 'p-1' }));
		const lines = results.map((item, attempt) => lineOf({ ...item, payment: `key.attempt-${attempt}` }));
		expect(new Set(lines)).toEqual(new Set(['payment key']));
	});

	test('lists 20 of each group, and says how many there are more', () => {
		const groups = ['missing', 'notExecuted', 'unexplained', 'check'];
		const rows = groups.flatMap((group) =>
			Array.from({ length: 48 }, (_, index) => ({ group, sequence: `${group}-${index}`, change: 'matched -> other' })),
		);
		const { text } = setBy('close-of-day.json', 'Report', {}, { Changed: rows, Period: [{ from: '', to: '' }] });
		for (const group of groups) expect(String(text).match(new RegExp(`^- ${group}-\\d+$`, 'gm'))).toHaveLength(20);
		expect(String(text).match(/- and 28 more/g)).toHaveLength(4);
		expect(text).toMatch(/since the last close: (?:\n- \S+, .*){20}\n- and 172 more$/);
	});

	test('recognizes an operation whose status has changed, among others of the same identifier, amount and time', () => {
		const operation = { id: '0', title: 'Transfer', counterparty: 'Ivan I.' };
		const line = (status: string, more: Json = {}) =>
			lineOf({
				result: 'unexplained',
				amount: 5,
				sentAt: '2026-11-22T10:00:00Z',
				status,
				operation: { ...operation, status, ...more },
			});
		expect(line('SUCCESS')).toBe(line('HOLD'));
		const others = [{ id: '1' }, { title: 'Fee' }, { counterparty: 'Anna A.' }].map((more) => line('HOLD', more));
		expect(new Set([line('HOLD'), ...others]).size).toBe(4);
	});
});

describe('health.json', () => {
	test('sends its message before it remembers it, so that a message that cannot be sent is sent an hour later', () => {
		const { connections } = readExample('health.json');
		const { main } = (connections as Record<string, { main: { node: string }[][] }>)['Is News'] ?? { main: [] };
		expect(main[0]?.map(({ node }) => node)).toEqual(['Is Well', 'Row']);
	});
});

test.each([
	['SUCCESS', 'Fee: 600.00 RUB left an account'],
	['HOLD', 'Fee: 600.00 RUB left an account'],
	[null, 'Fee: 600.00 RUB left an account'],
	['FAILED', 'Fee: 600.00 RUB did not leave an account'],
])('large-expense.json says of an operation with status %s: "%s"', (status, text) => {
	const operation = { id: '1', title: 'Fee', amount: { value: -60_000, minorUnits: 100, currency: 'RUB' }, status };
	expect(setBy('large-expense.json', 'Text', setBy('large-expense.json', 'Expense', { operation }))).toMatchObject({
		text,
	});
});

describe('loan-application.json', () => {
	const figures = { sales: 1, orders: 1, rating: 4, returns: 0, stockSum: 1, stockPieces: 1, fees: 1 };
	const blocks = (from: string, to: string) =>
		codeOf('loan-application.json', 'Blocks', [{ seller: '7700000000', month: '2026-01', ...figures }], {
			Period: [{ from, to }],
			Drafts: [],
		});

	test('sends the months of the period', () => {
		expect(blocks('2026-01', '2026-01')).toMatchObject([{ next: 'ready', missing: [] }]);
		expect(blocks('2026-01', '2026-02')).toMatchObject([{ next: 'missing' }]);
	});

	test.each([
		['2026-03', '2026-01'],
		['', '2026-01'],
		['2026-01', ''],
		['2026-01', '2026-3'],
	])('sends no application without figures for a period from "%s" to "%s"', (from, to) => {
		expect(() => blocks(from, to)).toThrow(/Period has no month/);
	});
});

test('customer-check.json takes a decision only if nobody has taken it while the form was open', () => {
	const { connections, nodes } = readExample('customer-check.json');
	const next = (name: string) =>
		(connections as Record<string, { main: { node: string }[][] }>)[name]?.main[0]?.map(({ node }) => node);
	const [check = ''] = next('Decided') ?? [];
	expect(nodes.find(({ name }) => name === check)?.parameters).toMatchObject({ operation: 'rowNotExists' });
	expect(parametersOf(readExample('customer-check.json'), check)).toEqual(
		parametersOf(readExample('customer-check.json'), 'Not Decided Yet'),
	);
	expect(next(check)).toEqual(['Record']);
});

test.each([
	[['accepted', 'accepted'], [], 'Paid', 'Payments: 2, 2.00 in all. Each is'],
	[
		['alreadyAccepted', 'accepted'],
		[],
		'Paid',
		'Payments: 1, 1.00 in all. Paid earlier, not again: 1, 1.00 in all. Each is',
	],
	[
		['alreadyAccepted', 'alreadyAccepted', 'alreadyAccepted'],
		[],
		'Nothing was paid now',
		'Nothing was paid now. Payments that were paid earlier: 3, 3.00 in all. For new payments enter another Payment Run. Each is',
	],
	[
		['alreadyAccepted'],
		['D-2 is open'],
		'Not everything was paid',
		'Nothing was paid now. Payments that were paid earlier: 1, 1.00 in all. For new payments enter another Payment Run. Each is',
	],
])('payout-from-file.json says what was paid now, of payments that are %p and %p', (outcomes, errors, title, text) => {
	const paid = outcomes.map((outcome) => ({ outcome, amount: 1 }));
	const outputs = { Pay: [paid, errors.map((error) => ({ error }))] };
	expect(setBy('payout-from-file.json', 'Paid', {}, outputs)).toEqual({
		title,
		text: expect.stringMatching(`^${text}.*${errors.map((error) => ` Open: ${error}\\.`).join('')}$`),
	});
});

test('operations-history.json adds up failed operations, which moved no money, by themselves', () => {
	const { fieldsToSplitBy } = parametersOf(readExample('operations-history.json'), 'Total by Direction');
	expect(String(fieldsToSplitBy).split(', ')).toEqual(['direction', 'status', 'currency']);
});

test('card-limits-guard.json calls only limits gone of which it has read the card', () => {
	const row = (cardId: string, limitId: string) => ({ key: `${cardId} ${limitId}`, cardId, limitId, text: '{}' });
	const before = [row('asked', '1'), row('asked', '2'), row('refused', '3'), row('no longer in Cards', '4')];
	const told = codeOf('card-limits-guard.json', 'Compare', before, {
		Card: [{ cardId: 'asked' }, { cardId: 'refused' }],
		Row: [{ ...row('asked', '1'), expired: false }],
		'Not Read': [{ cardId: 'refused', reason: 'no access' }],
	});
	expect(told.map(({ message }) => message)).toEqual(['gone: limit 2 of asked', 'not read: refused, no access']);
});

test.each([
	[-550, '0.00 RUB of -5.50 is left over: amount unreadable'],
	[1234.5, '0.00 RUB of 12.35 is left over: amount unreadable'],
	[null, '0.00 RUB of 0.00 is left over: amount unreadable'],
])('incoming-payment-invoice.json asks about an amount of %p hundredths with "%s"', (amount, text) => {
	const payment = { eventId: 'e1', at: '', amount, currency: 'RUB', payer: 'A', purpose: '' };
	const outputs = { Invoices: [], 'Keep Payment': [payment] };
	const [match] = codeOf('incoming-payment-invoice.json', 'Match', [payment], outputs);
	const [row] = match?.payments as Json[];
	const rows = [{ ...payment, ...row }];
	const [left] = codeOf('incoming-payment-invoice.json', 'Left Over', rows, { ...outputs, Match: [{ ...match }] });
	expect(left?.question).toEqual(expect.stringContaining(text));
});

test.each([
	[{ askNobodyUpTo: 500, askTwoAbove: 1500 }, 'It is more than 1500: two different people have to approve.'],
	[{ askNobodyUpTo: 500, askTwoAbove: 2000 }, 'One person has to approve.'],
	[{ askNobodyUpTo: 500 }, 'A rule is missing: two different people have to approve.'],
])('payout-with-approval.json says for the rules %j: "%s"', (rules, text) => {
	const payout = { total: 1800, recipients: 3, payout: 'may', where: 'sandbox', list: '', fingerprint: 'abc' };
	const { question } = setBy('payout-with-approval.json', 'People Needed', { ...payout, ...rules });
	expect(String(question).split('\n')).toContain(text);
});

test("payout-with-approval.json: the approver's page names whom the bank has not paid, and who may have been paid", () => {
	const error = (recipient: string, outcome: string) => ({ details: { recipient, outcome } });
	const others = [error('Anna (a-1)', 'unknown'), error('Boris (a-2)', 'rejected'), error('Vera (a-3)', 'conflict')];
	const { responseBody } = parametersOf(readExample('payout-with-approval.json'), 'Page: Result');
	const page = (...Pay: Json[][]) => evaluate(String(responseBody), { $: outputsOf({ Pay }) });
	expect(page([{ amount: 1.5 }], [])).toEqual({
		formSubmittedText: 'Approved. The bank accepted 1 of 1 payments: 1.50.',
	});
	expect(page([], others)).toEqual({
		formSubmittedText:
			'Approved. The bank accepted 0 of 3 payments. Not paid: Boris (a-2). May have been paid, so do not pay them in ' +
			'another way: Anna (a-1), Vera (a-3). Tell the owner of the workflow.',
	});
});
