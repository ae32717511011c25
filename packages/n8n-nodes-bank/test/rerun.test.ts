/**
 * A payout that is corrected and run again: each person is paid once, missing payments are sent, and the others return their earlier
 * result. The bank of these tests accepts every package, so the test counts what it receives.
 */
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { logColumns } from '../nodes/shared/idempotency/paymentLog.ts';
import { detailsIn, jsonOf, outcomesOf, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';
import { acceptEverything, payoutForm, person, type Row, packageIn } from './support/payout.ts';

const bank = useBank();
const accepting = acceptEverything(bank);

const people = Array.from({ length: 20 }, (_, index) => person(index + 1));
const unnamed = (rows: readonly Row[]) => rows.map(({ sequence: _, ...row }) => row as Row);
const outcomesInLog = () => database.log().flatMap(({ outcome }) => (outcome === 'begun' ? [] : [outcome]));

let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	bank().answer = accepting;
});

/** The error that stops a run with a package for each payment. */
const stoppedOf = (rows: readonly object[]) =>
	refusalOf(execute(rows, { options: { maxPayments: 1 } }, { continueOnFail: false }));

/** One execution; errors go to the error output. */
async function execute(rows: readonly object[], parameters: object = {}, options: RunOptions = {}) {
	const hints: Array<{ message: string }> = [];
	const own = { remembered: database, continueOnFail: true, hints };
	const given = { ...own, items: rows.map((row) => ({ ...row })), ...options };
	const items = jsonOf(await run('payment.sendPackage', { ...payoutForm, ...parameters }, given));
	return { items, outcomes: outcomesOf(items), hints: hints.map(({ message }) => message) };
}

const sent = () => bank().seen.map((seen) => packageIn(seen).payments);

/** Number of payments per phone. */
function paid(): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { phone } of sent().flat()) counts[phone] = (counts[phone] ?? 0) + 1;
	return counts;
}

const once = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ phone }) => [phone, 1]));

it('the second run shows amount and recipient as the first one', async () => {
	const rows = [{ ...person(1), amount: '1 500,50', '\uFEFFФИО': 'Anna <img>' }];
	const shown = { recipient: 'Anna <img>', amount: 1500.5 };
	expect((await execute(rows)).items).toMatchObject([{ ...shown, outcome: 'accepted' }]);
	const again = await execute(rows);
	expect(again.items).toMatchObject([{ ...shown, outcome: 'alreadyAccepted' }]);
	const sum = '1 of 1 accepted (1 earlier, not sent again): 1,500.50 to Anna &lt;img&gt;.';
	expect(again.hints[0]).toBe(`${sum} No payment needs attention.`);
});

it.each([
	[
		'Unrecognized node type: n8n-nodes-base.removeDuplicates',
		'notSent',
		'not_claimed',
		/No money moved.*NODES_EXCLUDE/,
	],
	['Connection terminated unexpectedly', 'unknown', 'no_record', /did not respond while it was claimed\. Run again/],
])('nothing is sent if n8n cannot claim: %s', async (claimFailure, outcome, code, advice) => {
	const { items } = await execute(people.slice(0, 2), {}, { claimFailure });
	for (const item of items)
		expect(detailsIn(item)).toMatchObject({ outcome, code, description: expect.stringMatching(advice) });
	const again = outcome === 'notSent' ? 'accepted' : 'unknown';
	expect((await execute(people.slice(0, 2))).outcomes).toEqual([again, again]);
});

it('an invalid payment of a list is reported beside one that was already sent', async () => {
	const list = (rows: Row[]) => ({ recipientsFrom: 'list', payments: JSON.stringify(rows) });
	await execute([{}], list([person(1)]));
	const { items } = await execute([{}], list([person(1), person(2, { phone: '' })]));
	expect(items).toMatchObject([
		{ outcome: 'alreadyAccepted' },
		{ error: expect.stringContaining('Phone is required') },
	]);
});

describe.each([
	['with sequences', people],
	['without sequences', unnamed(people)],
])('20 people, %s', (_, rows) => {
	it('return their earlier results when run again, and nobody is paid', async () => {
		await execute(rows);
		const again = await execute(rows);
		expect(again.outcomes).toEqual(rows.map(() => 'alreadyAccepted'));
		expect(again.items[0]).toMatchObject({ transactionId: expect.stringMatching(/^tx (?:Д-)?1$/), payPackage: 501 });
		expect(again.hints).toContainEqual(expect.stringMatching(/^20 of 20 accepted \(20 earlier, not sent again\): /));
		expect(sent()).toHaveLength(1);
	});

	it.each<[string, Partial<Row>]>([
		['amount', { amount: 1100.5 }],
		['recipient bank', { nspkBankId: '100000000222' }],
		['description', { paymentDescription: 'Bonus' }],
		['income kind code', { ric: 2 }],
	])('have a conflict for a row whose %s was corrected; the missing one is sent', async (_field, change) => {
		await execute(rows.slice(0, 19));
		const again = await execute(rows.map((row, index) => (index === 0 ? { ...row, ...change } : row)));
		expect(again.outcomes).toEqual(['conflict', ...rows.slice(2).map(() => 'alreadyAccepted'), 'accepted']);
		expect(paid()).toEqual(once(people));
	});

	it.each([
		['account', { account: '40702810000000000002' }],
		['an en dash in the payment run', { paymentRun: 'salary–2026–11' }],
		['letter case and spaces in the payment run', { paymentRun: ' Salary-2026-11 ' }],
		['another log', { options: { logToDataTable: 'Another Log' } }],
		['no log', { options: { logToDataTable: '' } }],
	])('are not paid again with %s changed', async (_setting, parameters) => {
		await execute(rows);
		await execute(rows, parameters);
		await execute(rows);
		expect(paid()).toEqual(once(people));
	});

	it('whose log rows were deleted are not paid again; a person can answer for each', async () => {
		await execute(rows);
		database.log().length = 0;
		const again = await execute(rows);
		expect(new Set(again.outcomes)).toEqual(new Set(['unknown']));
		expect(again.items[0]?.error).toMatch(/may have been paid, and the payment log does not show when$/);
		// The next run, which reads what this one has recorded, does not show it either.
		for (const { items } of [again, await execute(rows)]) expect(JSON.stringify(items)).not.toContain('"execution"');
		const [first] = again.items.map((item) => detailsIn(item).payment);
		await run('payment.resolve', { payment: first, bankAnswer: 'has' }, { remembered: database, credentials: {} });
		expect((await execute(rows)).outcomes).toEqual(['alreadyAccepted', ...rows.slice(1).map(() => 'unknown')]);
		expect(paid()).toEqual(once(people));
	});

	it.each([
		['an invalid phone', { phone: '12' }],
		['an invalid amount', { amount: 'ten' }],
		['no recipient bank', { nspkBankId: '' }],
	])('report what was accepted earlier if another row has %s', async (_what, change) => {
		await execute(rows.slice(0, 2));
		const wrong = [...rows.slice(0, 2), { ...rows[2], ...change }];
		expect((await execute(wrong)).outcomes).toEqual(['alreadyAccepted', 'alreadyAccepted', 'notSent']);
		const { message, description } = await refusalOf(execute(wrong, {}, { continueOnFail: false }));
		expect(message).toMatch(/must|required/);
		expect(description).toMatch(/^2 of \d accepted \(2 earlier, not sent again\)/);
		expect(paid()).toEqual(once(people.slice(0, 2)));
	});
});

it('The error that stops a payout in several packages names every payment that is unknown', async () => {
	bank().answer = () => [500, { error: 'internal_error' }];
	const names = ['Anna', 'Boris', '<a>'];
	const stopped = () => stoppedOf(people.slice(0, 3).map((row, index) => ({ ...row, recipient: names[index] })));
	await stopped();
	expect((await stopped()).context.details).toMatchObject({ outcome: 'unknown', sequences: ['Д-1', 'Д-2'] });
	const { context, description } = await stopped();
	expect(context.details).toMatchObject({ outcome: 'unknown', sequences: ['Д-1', 'Д-2', 'Д-3'] });
	expect(description).toMatch(
		/^0 of 3 accepted; 3 unknown\. May have been paid: Anna \(Д-1\), .*, &lt;a&gt; \(Д-3\)\. /,
	);
});

it('The error that stops a payout names what was paid, if n8n cannot claim the payments of a later package', async () => {
	const claim = database.keys.add.bind(database.keys);
	database.keys.add = (key) => {
		if (sent().length > 0) throw new Error('database is locked');
		return claim(key);
	};
	const { message, description, context } = await stoppedOf(people.slice(0, 2));
	expect(message).toMatch(/^Д-2 was not sent now, and it is uncertain whether it was sent before$/);
	expect(description).toMatch(/^1 of 2 accepted: 1,001\.50; 1 unknown\. .*Run again/);
	expect(context.details).toMatchObject({ carriedOut: [{ sequence: 'Д-1', transactionId: 'tx Д-1' }] });
	expect(outcomesInLog()).toEqual(['accepted', 'unknown']);
});

it('The error that stops a payout counts payments of later packages with their earlier results', async () => {
	await execute(people.slice(2, 3));
	bank().answer = () => [500, { error: 'internal_error' }];
	await execute(people.slice(3, 4));
	bank().answer = () => [400, { error: 'invalid_request' }];
	const { description } = await stoppedOf(people.slice(0, 4));
	expect(description).toMatch(
		/^1 of 4 accepted \(1 earlier, not sent again\): 1,003\.50; 1 rejected, 1 not sent, 1 unknown\. The bank rejected/,
	);
});

it('A result that cannot be written is shown all the same, and can be resolved later', async () => {
	const rows = people.slice(0, 1);
	bank().answer = (request) => ((database.tableFailure = 'all'), accepting(request));
	const first = await execute(rows);
	expect(first.outcomes).toEqual(['accepted']);
	expect(first.hints.join()).toMatch(/The result of Д-1 could not be written to the payment log/);
	database.tableFailure = undefined;
	for (const row of database.log()) if (row.until !== '') row.until = '1';
	expect((await execute(rows)).outcomes).toEqual(['unknown']);
	expect(sent()).toHaveLength(1);
});

it('Two payment runs in one execution are protected apart', async () => {
	const rows = people.slice(0, 4).map((row, index) => ({ ...row, run: `run ${index % 2}` }));
	const form = { paymentRun: '={{ $json.run }}', options: { packagePerItem: true } };
	expect((await execute(rows, form)).outcomes).toEqual(Array(4).fill('accepted'));
	expect((await execute(rows, form)).outcomes).toEqual(Array(4).fill('alreadyAccepted'));
	expect(paid()).toEqual(once(people.slice(0, 4)));
});

it('Prepared packages that share a payment, sent at the same moment, are each sent whole or not at all', async () => {
	const prepare = async (rows: readonly Row[]) =>
		jsonOf(
			await run('payment.preparePackage', payoutForm, { remembered: database, items: rows.map((row) => ({ ...row })) }),
		);
	const packages = [await prepare(people.slice(0, 2)), await prepare(people.slice(1, 3))];
	const results = await Promise.all(packages.map((rows) => execute(rows, { recipientsFrom: 'prepared' })));
	expect(results.map(({ outcomes }) => outcomes)).toContainEqual(expect.not.arrayContaining(['accepted']));
	expect(sent().map((payments) => payments.length)).toEqual([2]);
});

it('A table whose name contains that of the payment log is another table', async () => {
	const rows = people.slice(0, 1);
	await execute(rows, { paymentRun: 'other', options: { logToDataTable: 'Bank Payment Log 2' } });
	await execute(rows);
	expect([database.log('Bank Payment Log 2').length, database.log().length]).toEqual([2, 2]);
});

it('A Stop ends the run: later packages are not sent, and the next run sends them', async () => {
	const stop = new AbortController();
	const n8n = { getExecutionCancelSignal: () => stop.signal };
	bank().answer = (request) => (stop.abort(), accepting(request));
	const rows = people.slice(0, 3);
	expect((await execute(rows, { options: { maxPayments: 1 } }, { n8n })).outcomes).toEqual(['unknown']);
	expect(sent()).toHaveLength(1);
	expect((await execute(rows)).outcomes).toEqual(['unknown', 'accepted', 'accepted']);
});

it.each(['', 'Accepted', 'PREPARING', 'void'])(
	'A state that somebody has written into the log is unknown: %j',
	async (state) => {
		await execute(people.slice(0, 1));
		for (const row of database.log()) if (row.outcome === 'accepted') row.outcome = state;
		// A copy of the workflow has no claims.
		expect((await execute(people.slice(0, 1), {}, { workflowId: 'copy' })).outcomes).toEqual(['unknown']);
		expect(sent()).toHaveLength(1);
	},
);

it('A full payment log sends nothing and names the setting', async () => {
	await execute(people.slice(0, 1));
	database.tableFailure = 'insert';
	const { items, outcomes } = await execute(people.slice(0, 2));
	expect(outcomes).toEqual(['alreadyAccepted', 'notSent']);
	expect(items[1]?.message).toContain('N8N_DATA_TABLES_MAX_SIZE_BYTES');
	expect(sent()).toHaveLength(1);
});

describe('A payment log of which somebody has deleted a column', () => {
	it.each(logColumns)('sends nothing and says which: %s', async (column) => {
		const rows = people.slice(0, 2);
		await execute(rows);
		database.deleteColumn(column);
		const { outcomes, items } = await execute(rows);
		expect(outcomes).toEqual(['notSent', 'notSent']);
		expect(items[0]?.error).toContain('the payment log could not be read or written');
		expect(items[0]?.message).toContain(`its Data Table has no column "${column}". Add it again (type string)`);
		expect(sent()).toHaveLength(1);
	});

	it('says what is not known if the column was added again, without its values', async () => {
		const rows = people.slice(0, 1);
		await execute(rows);
		for (const row of database.log()) row.content = null;
		const { outcomes, items } = await execute(rows);
		expect(outcomes).toEqual(['conflict']);
		expect(items[0]?.error).toMatch(/was sent on \d+ \w+ \d+$/);
		expect(items[0]?.message).toContain('The log does not show whether the row has changed since.');
	});
});

describe('A sequence', () => {
	it.each([true, false])('refuses a run that maps it only later, or no longer (first with: %s)', async (isFirst) => {
		const [before, after] = isFirst ? [people, unnamed(people)] : [unnamed(people), people];
		await execute(before);
		const { items, outcomes } = await execute(after, { paymentRun: ' Salary–2026-11' });
		expect(new Set(outcomes)).toEqual(new Set(['notSent']));
		expect(items[0]?.error).toBe(
			`Payment run "Salary–2026-11" was sent ${isFirst ? 'with' : 'without'} sequences before`,
		);
		expect((await execute(before)).outcomes).toEqual(people.map(() => 'alreadyAccepted'));
		expect(paid()).toEqual(once(people));
	});

	it('that is no longer mapped pays nobody twice if the log was emptied', async () => {
		await execute(people);
		database.log().length = 0;
		for (const _ of [1, 2]) expect(new Set((await execute(unnamed(people))).outcomes)).toEqual(new Set(['unknown']));
		expect(paid()).toEqual(once(people));
	});

	it('that only some runs map pays nobody twice, also if the log was emptied and somebody answers for both', async () => {
		const [named, byPhone] = [people.slice(0, 1), unnamed(people.slice(0, 1))];
		bank().answer = () => [400, { error: 'invalid_request' }];
		await execute(named);
		bank().answer = accepting;
		database.log().length = 0;
		for (const rows of [named, byPhone]) {
			const { items, outcomes } = await execute(rows);
			expect(outcomes).toEqual(['unknown']);
			const form = { payment: detailsIn(items[0]).payment, bankAnswer: 'hasNot' };
			await run('payment.resolve', form, { remembered: database, credentials: {} });
		}
		const before = sent().length;
		expect((await execute(byPhone)).outcomes).toEqual(['accepted']);
		expect((await execute(named)).items[0]?.error).toMatch(/was sent without sequences before/);
		expect(sent()).toHaveLength(before + 1);
	});

	it.each([
		['007', '7'],
		['7', '7.0'],
		['А-1', 'A-1'],
		['Inv 0012', 'inv12'],
	])('%s is the same as %s', async (one, other) => {
		await execute([person(1, { sequence: one })]);
		expect((await execute([person(1, { sequence: other })])).outcomes).toEqual(['alreadyAccepted']);
		const both = [person(1, { sequence: one }), person(2, { sequence: other })];
		const { text } = await refusalOf(execute(both, { paymentRun: 'another' }, { continueOnFail: false }));
		expect(text).toMatch(/is the same as/);
		expect(sent()).toHaveLength(1);
	});

	it.each(['1e3', '4.07E+19'])('%s is refused', async (sequence) => {
		const { text } = await refusalOf(execute([person(1, { sequence })], {}, { continueOnFail: false }));
		expect(text).toContain(`"${sequence}"`);
		expect(sent()).toHaveLength(0);
	});

	it.each(['\u200b', '\u00ad \u2060'])('without a visible character is none: %j', async (sequence) => {
		const rows = [person(1, { sequence }), person(2)];
		expect((await execute(rows)).outcomes).toEqual(['notSent', 'notSent']);
		expect((await execute(rows, { paymentRun: sequence })).outcomes).toEqual(['notSent', 'notSent']);
		expect(sent()).toHaveLength(0);
		expect((await execute(rows.slice(0, 1))).items).toMatchObject([{ outcome: 'accepted', sequenceGiven: false }]);
	});

	it('that moves because a row was inserted above pays nobody twice', async () => {
		const numbered = (rows: readonly Row[]) => rows.map((row, index) => ({ ...row, sequence: String(index + 1) }));
		await execute(numbered(people.slice(0, 3)));
		const again = await execute(numbered([person(21), ...people.slice(0, 3)]));
		expect(again.outcomes).toEqual(Array(4).fill('conflict'));
		expect(again.items.map(({ error }) => String(error).replace(/on \d.*\d{4}/, 'on …'))).toEqual([
			'Sequence 1 was sent with 1,001.50 on …; this row says 1,021.50 and another phone',
			'Sequence 2 was sent with 1,002.50 on …; this row says 1,001.50 and another phone',
			'Sequence 3 was sent with 1,003.50 on …; this row says 1,002.50 and another phone',
			'4 was sent on … with the sequence 3',
		]);
		expect((await execute(numbered([...people.slice(0, 3), person(21)]))).outcomes.toSorted()).toEqual([
			'accepted',
			...Array<string>(3).fill('alreadyAccepted'),
		]);
		expect(paid()).toEqual(once([...people.slice(0, 3), person(21)]));
	});
});

describe('Without sequences', () => {
	it('two rows to one phone are refused before anything is sent', async () => {
		const rows = unnamed([person(1), person(2), person(1, { amount: 5 })]);
		const { text } = await refusalOf(execute(rows, {}, { continueOnFail: false }));
		expect(text).toMatch(/Phone is the same as in item 0.*Map "Sequence"/s);
		expect(sent()).toHaveLength(0);
	});
});

describe("the user's own columns", () => {
	const rows = people.slice(0, 3).map((row, index) => ({ ...row, Department: `Unit ${index}`, transactionId: 'mine' }));
	const kept = (items: readonly object[]) => items.map((item) => (item as { Department?: string }).Department);
	const departments = rows.map(({ Department }) => Department);

	it('stay on the output, when it is paid, paid already, or refused beside others; fields of the node replace them', async () => {
		const first = await execute(rows);
		expect(kept(first.items)).toEqual(departments);
		expect(first.items.map(({ transactionId }) => transactionId)).toEqual(rows.map(({ sequence }) => `tx ${sequence}`));
		const again = await execute(rows);
		expect([again.outcomes, kept(again.items)]).toEqual([Array(3).fill('alreadyAccepted'), departments]);
		const { items } = await execute([...rows, { ...person(4), amount: 'a lot' }]);
		expect(kept(items.slice(0, 3))).toEqual(departments);
	});

	it('stay on the output of a prepared package, without what was only about preparing', async () => {
		const prepared = jsonOf(await run('payment.preparePackage', payoutForm, { remembered: database, items: rows }));
		const { items } = await execute(prepared, { recipientsFrom: 'prepared' });
		expect(kept(items)).toEqual(departments);
		expect(items.flatMap((item) => Object.keys(item))).not.toContain('toSign');
	});

	it('are not on the output if one item has several recipients', async () => {
		const item = { payments: people.slice(0, 2), Department: 'All' };
		const { items } = await execute([item], { recipientsFrom: 'list', payments: '={{ $json.payments }}' });
		expect([outcomesOf(items), kept(items)]).toEqual([Array(2).fill('accepted'), [undefined, undefined]]);
	});
});
