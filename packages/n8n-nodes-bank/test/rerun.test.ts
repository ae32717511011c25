/**
 * A payout that is corrected and run again: each person is paid once, missing payments are sent, and the others return their earlier
 * result. The bank of these tests accepts every package, so the test counts what it receives.
 */
import { existing } from '../../fixtures/src/existing.ts';
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { logColumns } from '../nodes/shared/idempotency/paymentLog.ts';
import { detailsIn, jsonOf, outcomesOf, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';
import { acceptEverything, payoutForm, person, type Row, packageIn } from './support/payout.ts';

const bank = useBank();
const accepting = acceptEverything(bank);

const people = Array.from({ length: 20 }, (_, index) => person(index + 1));
const unnamed = (rows: readonly Row[]) => rows.map(({ sequence: _, ...row }) => row as Row);

let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	bank().answer = accepting;
});

/** A run whose process was killed while it waited for the bank, so long ago that it counts as abandoned. */
async function killed(rows: readonly object[]): Promise<void> {
	const before = bank().seen.length;
	bank().answer = () => new Promise(() => undefined);
	void execute(rows);
	while (bank().seen.length === before) await new Promise(setImmediate);
	for (const row of database.log()) if (row.runningUntil !== '') row.runningUntil = '2026-01-01T00:00:00.000Z';
	bank().answer = accepting;
}

/** Resolves all unknown payments: the bank does not have them. */
async function resolveAll(): Promise<void> {
	const open = database.log().filter(({ outcome }) => ['preparing', 'sending', 'unknown'].includes(String(outcome)));
	for (const { sequence, attempt } of open)
		await run(
			'payment.resolve',
			{ sequence, attempt, bankAnswer: 'hasNot' },
			{ remembered: database, credentials: {} },
		);
}

/** n8n loses its response after this many claims. */
function loseResponseAfter(count: number): void {
	const claim = database.keys.add.bind(database.keys);
	let claims = 0;
	database.keys.add = (key) => {
		claim(key);
		if (++claims === count) throw new Error('Connection terminated unexpectedly');
		return database.keys;
	};
}

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

const shareWith = (value: string) => ({ options: { shareProtectionWith: { __rl: true, mode: 'id', value } } });

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

	it('are paid once if one is missing in the first run', async () => {
		await execute(rows.slice(0, 19));
		const again = await execute(rows);
		expect(again.outcomes).toEqual([...rows.slice(1).map(() => 'alreadyAccepted'), 'accepted']);
		expect(again.hints).toContainEqual(
			expect.stringMatching(/^20 of 20 accepted, 1 now: 1,020\.50; 19 earlier, not sent again: /),
		);
		expect(paid()).toEqual(once(people));
		const last = packageIn(existing(bank().seen.at(-1)));
		expect(last.total).toBe(last.payments[0]?.amount);
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

	it('may be reordered', async () => {
		await execute(rows);
		const again = await execute(rows.toReversed());
		expect(new Set(again.outcomes)).toEqual(new Set(['alreadyAccepted']));
	});

	it.each([
		['account', { account: '40702810000000000002' }],
		['an en dash in the payment run', { paymentRun: 'salary–2026–11' }],
		['letter case and spaces in the payment run', { paymentRun: ' Salary-2026-11 ' }],
		['a workflow to share with', shareWith('shared')],
		['another log', { options: { logToDataTable: 'Another Log' } }],
		['no log', { options: { logToDataTable: '' } }],
	])('are not paid again with %s changed', async (_setting, parameters) => {
		await execute(rows);
		await execute(rows, parameters);
		await execute(rows);
		expect(paid()).toEqual(once(people));
	});

	it('are not paid again if a shared workflow was chosen first and removed later', async () => {
		await execute(rows, shareWith('shared'));
		await execute(rows);
		await execute(rows, shareWith('shared'), { workflowId: 'other' });
		expect(paid()).toEqual(once(people));
	});

	it('stay unknown after a timeout, also when corrected; the others are sent', async () => {
		bank().answer = () => [500, { error: 'internal_error' }];
		expect((await execute(rows.slice(0, 3))).outcomes).toEqual(['unknown', 'unknown', 'unknown']);
		bank().answer = accepting;
		const corrected = rows.map((row, index) => (index === 1 ? { ...row, amount: row.amount + 0.01 } : row));
		const again = await execute(corrected);
		expect(again.outcomes.slice(0, 4)).toEqual(['unknown', 'conflict', 'unknown', 'accepted']);
		expect(sent()[1]).toHaveLength(17);
	});

	it('are unknown if the log is off, except in the same execution, and not paid twice', async () => {
		const off = { options: { logToDataTable: '' } };
		const context = {};
		for (const outcome of ['accepted', 'alreadyAccepted'])
			expect(new Set((await execute(rows, off, { context })).outcomes)).toEqual(new Set([outcome]));
		const again = await execute(rows, off);
		expect(new Set(again.outcomes)).toEqual(new Set(['unknown']));
		expect(again.items[0]?.error).toMatch(/was already sent, result not recorded$/);
		expect(paid()).toEqual(once(people));
	});

	it.each(['all', 'insert', 'get', 'update', 'deleteRows'] as const)(
		'are paid once if the log fails: %s',
		async (failure) => {
			await execute(rows.slice(0, 10));
			database.tableFailure = failure;
			await execute(rows);
			await execute(rows);
			database.tableFailure = undefined;
			await execute(rows);
			expect(paid()).toEqual(once(people));
		},
	);

	it('are paid once by simultaneous executions of workflows that share protection', async () => {
		const shared = shareWith('shared');
		const one = (_: unknown, index: number) => execute(rows, shared, { workflowId: `workflow ${index % 3}` });
		await Promise.all(Array.from({ length: 12 }, one));
		for (const { phone } of people) expect(paid()[phone] ?? 0).toBeLessThanOrEqual(1);
		for (const workflowId of ['workflow 0', 'workflow 1']) await execute(rows, shared, { workflowId });
		expect(paid()).toEqual(once(people));
	});

	it('have one log row each, with their result', async () => {
		await execute(rows);
		await execute(rows);
		expect(database.log().map(({ outcome }) => outcome)).toEqual(rows.map(() => 'accepted'));
		expect(JSON.stringify(database.log())).not.toContain(people[0]?.phone);
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

it('Without a log, a payment without a response is not offered to be resolved', async () => {
	bank().answer = () => [500, { error: 'internal_error' }];
	const { items, hints } = await execute(people.slice(0, 1), { options: { logToDataTable: '' } });
	expect(detailsIn(items[0])).toMatchObject({ outcome: 'unknown' });
	expect(detailsIn(items[0])).not.toHaveProperty('attempt');
	expect(hints[0]).toMatch(/The payment log does not have them/);
});

it('The error that stops a payout names what was paid, if n8n cannot claim the payments of a later package', async () => {
	const claim = database.keys.add.bind(database.keys);
	database.keys.add = (key) => {
		if (sent().length > 0) throw new Error('database is locked');
		return claim(key);
	};
	const { message, description, context } = await stoppedOf(people.slice(0, 2));
	expect(message).toBe('Not sent: duplicate protection did not work');
	expect(description).toMatch(/^1 of 2 accepted: 1,001\.50; 1 not sent\. .*Run again/);
	expect(context.details).toMatchObject({ carriedOut: [{ sequence: 'Д-1', transactionId: 'tx Д-1' }] });
	expect(database.log().map(({ outcome }) => outcome)).toContain('preparing');
});

it('The error that stops a payout counts payments of later packages with their earlier results', async () => {
	await execute(people.slice(2, 3));
	bank().answer = () => [500, { error: 'internal_error' }];
	await execute(people.slice(3, 4));
	bank().answer = () => [400, { error: 'invalid_request' }];
	const { description } = await stoppedOf(people.slice(0, 4));
	expect(description).toMatch(
		/^1 of 4 accepted \(1 earlier, not sent again\); 1 rejected, 1 not sent, 1 unknown\. The bank rejected/,
	);
});

// Claims are made in the order of the workflows' IDs, so the own workflow comes last or first.
it.each(['a', 'z'])('Payments that n8n could not claim in workflow %s are sent by the next run', async (shared) => {
	const rows = people.slice(0, 2);
	const first = await execute(rows, shareWith(shared), { refused: shared });
	expect(first.outcomes).toEqual(['notSent', 'notSent']);
	expect((await execute(rows)).outcomes).toEqual(['accepted', 'accepted']);
});

it('A payment that n8n claimed unnoticed in the second of two workflows can be resolved, and is then sent', async () => {
	const rows = people.slice(0, 1);
	// In each workflow: the payment run with sequences, without, and the sequence.
	loseResponseAfter(6);
	expect((await execute(rows, shareWith('shared'))).outcomes).toEqual(['unknown']);
	await resolveAll();
	expect((await execute(rows, shareWith('shared'))).outcomes).toEqual(['accepted']);
});

it('A rejected payment whose claim cannot be released is unknown, also in the log', async () => {
	const keys = new (class extends Set<string> {
		override delete(key: string): boolean {
			if (sent().length > 0) throw new Error('Connection terminated');
			return super.delete(key);
		}
	})();
	database = new FakeDatabase(keys);
	bank().answer = () => [400, { error: 'invalid_request', error_description: 'no money' }];
	const { items, outcomes } = await execute(people.slice(0, 1));
	expect(outcomes).toEqual(['unknown']);
	expect(items[0]?.message).toMatch(/400 invalid_request\): "no money"\. n8n's database did not respond/);
	expect(database.log()).toMatchObject([{ outcome: 'unknown', attempt: detailsIn(items[0]).attempt }]);
});

describe('A payment log of which somebody has deleted a column', () => {
	// As after a restart of n8n, or not.
	it.each(
		logColumns.flatMap((column) => [
			[column, false],
			[column, true],
		]) as [string, boolean][],
	)('counts as a log that cannot be read: %s, with a new ID %s', async (column, isNew) => {
		const rows = people.slice(0, 2);
		await execute(rows);
		database.deleteColumn(column);
		const [table] = database.tables;
		if (table !== undefined && isNew) table.id = 'moved';
		const { outcomes, items, hints } = await execute(rows);
		expect(outcomes).toEqual(['unknown', 'unknown']);
		expect(items[0]?.error).toContain('was already sent, and the payment log could not be read or written');
		expect(hints.join()).toContain(`(its Data Table has no column "${column}". Add it again (type string)`);
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
	it('that is mapped later makes no new payment, also if the payment run is spelled differently; missing ones are sent', async () => {
		const rows = [...people, person(21)];
		await execute(unnamed(people));
		const again = await execute(rows, { paymentRun: ' Salary–2026-11' });
		expect(again.outcomes).toEqual([...people.map(() => 'alreadyAccepted'), 'accepted']);
		expect(paid()).toEqual(once(rows));
	});

	it('that is mapped later keeps no claim of a run that was stopped between its claims', async () => {
		const rows = people.slice(0, 2);
		await execute(unnamed(rows.slice(0, 1)));
		const stop = new AbortController();
		const claim = database.keys.add.bind(database.keys);
		let claims = 0;
		database.keys.add = (key) => {
			// The third claim is that of the recipient, after payment run and sequence.
			if (++claims === 3) stop.abort();
			return claim(key);
		};
		expect((await execute(rows, {}, { signal: stop.signal })).outcomes).toEqual(['alreadyAccepted', 'notSent']);
		expect((await execute(rows)).outcomes).toEqual(['alreadyAccepted', 'accepted']);
	});

	it('that is mapped later makes no new payment to a person with two if the log is off', async () => {
		const off = { options: { logToDataTable: '' } };
		const [first, second] = [person(1, { amount: 300 }), person(1, { amount: 100, sequence: 'Д-2' })];
		await execute(unnamed([second]), off);
		const again = await execute([first, second, person(3)], off);
		expect(again.outcomes).toEqual(['unknown', 'unknown', 'accepted']);
		expect(sent().map((payments) => payments.map(({ amount }) => amount))).toEqual([[100], [1003.5]]);
	});

	it('that is mapped again does not keep a payment from being resolved and sent after a crash', async () => {
		const rows = people.slice(0, 2);
		bank().answer = () => [400, { error: 'invalid_request' }];
		await execute(rows);
		expect((await execute(unnamed(rows))).items.map((item) => detailsIn(item).code)).toEqual(
			Array(2).fill('mode_changed'),
		);
		await killed(rows);
		expect((await execute(rows)).outcomes).toEqual(['unknown', 'unknown']);
		await resolveAll();
		expect((await execute(rows)).outcomes).toEqual(['accepted', 'accepted']);
	});

	it('that is mapped later does not keep a payment from being resolved and sent if n8n claimed it unnoticed', async () => {
		const rows = people.slice(0, 1);
		bank().answer = () => [400, { error: 'invalid_request' }];
		await execute(unnamed(rows));
		bank().answer = accepting;
		// Claims: payment run, sequence, the end of that attempt, sequence again, then the recipient, whose response is lost.
		loseResponseAfter(5);
		expect((await execute(rows)).outcomes).toEqual(['unknown']);
		await resolveAll();
		expect((await execute(rows)).outcomes).toEqual(['accepted']);
	});

	it('that is mapped later sends the others if n8n claimed a payment unnoticed, which can be resolved', async () => {
		const rows = people.slice(0, 2);
		bank().answer = () => [400, { error: 'invalid_request' }];
		await execute(unnamed(rows));
		bank().answer = accepting;
		// The payment run and the first sequence.
		loseResponseAfter(2);
		expect((await execute(rows)).outcomes).toEqual(['unknown', 'accepted']);
		await resolveAll();
		expect((await execute(rows)).outcomes).toEqual(['accepted', 'alreadyAccepted']);
	});

	it('that is mapped later keeps no log row of a run that could not check this', async () => {
		const rows = people.slice(0, 2);
		await execute(unnamed(rows.slice(0, 1)));
		const find = database.keys.has.bind(database.keys);
		let lookups = 0;
		database.keys.has = (key) => {
			// The first 5 belong to claims; 6 and 7 are both attempts to check whether sequences were mapped before.
			if ([6, 7].includes(++lookups)) throw new Error('database is locked');
			return find(key);
		};
		expect((await execute(rows)).outcomes).toEqual(['alreadyAccepted', 'notSent']);
		expect((await execute(rows)).outcomes).toEqual(['alreadyAccepted', 'accepted']);
	});

	it('that moves because a row was inserted above pays nobody twice', async () => {
		const numbered = (rows: readonly Row[]) => rows.map((row, index) => ({ ...row, sequence: String(index + 1) }));
		await execute(numbered(people.slice(0, 3)));
		const again = await execute(numbered([person(21), ...people.slice(0, 3)]));
		expect(again.outcomes).toEqual(Array(4).fill('conflict'));
		expect(again.items.map(({ error }) => String(error).replace(/on \d.*\d{4}/, 'on …'))).toEqual([
			'Sequence 1 was sent with 1,001.50 on …; this row says 1,021.50 and another phone',
			...[1, 2, 3].map((number) => `${number + 1} was sent on … with the sequence ${number}`),
		]);
		expect((await execute(numbered([...people.slice(0, 3), person(21)]))).outcomes.toSorted()).toEqual([
			'accepted',
			...Array<string>(3).fill('alreadyAccepted'),
		]);
		expect(paid()).toEqual(once([...people.slice(0, 3), person(21)]));
	});

	it('that is no longer mapped makes no new payment', async () => {
		await execute(people);
		const again = await execute(unnamed(people));
		expect(new Set(again.outcomes)).toEqual(new Set(['alreadyAccepted']));
		expect(paid()).toEqual(once(people));
	});

	it.each([true, false])(
		'that is added or removed makes no new payment if the log is off (first with: %s)',
		async (isFirst) => {
			const off = { options: { logToDataTable: '' } };
			await execute(isFirst ? people : unnamed(people), off);
			const { items, outcomes } = await execute(isFirst ? unnamed(people) : people, off);
			expect(new Set(outcomes)).toEqual(new Set(['unknown']));
			expect(detailsIn(items[0]).code).toBe(isFirst ? 'mode_changed' : 'already_sent');
			expect(paid()).toEqual(once(people));
		},
	);

	it('identifies a payment whose phone was corrected', async () => {
		await execute(people);
		const again = await execute([person(1, { phone: '+79999999999' }), ...people.slice(1)]);
		expect(again.outcomes[0]).toBe('conflict');
		expect(paid()).toEqual(once(people));
	});

	it('lets one person be paid for several invoices, in one run or in several', async () => {
		const other = person(1, { sequence: 'Д-900', amount: 7 });
		await execute([people[0] ?? other, other]);
		await execute([person(1, { sequence: 'Д-901', amount: 7 })]);
		expect(sent().flat()).toHaveLength(3);
	});
});

describe('Without sequences', () => {
	const amounts = () =>
		sent()
			.flat()
			.map(({ amount }) => amount);

	it('a person who is in two rows is paid twice, also after a rejection, and not again by the next run', async () => {
		const rows = unnamed([person(1), person(1)]);
		bank().answer = () => [400, { error: 'invalid_request' }];
		expect((await execute(rows)).outcomes).toEqual(['rejected', 'rejected']);
		bank().answer = accepting;
		const second = await execute(rows);
		expect(second.hints.join()).toContain('Equal rows');
		expect(second.outcomes).toEqual(['accepted', 'accepted']);
		await execute(rows);
		expect(sent().flat()).toHaveLength(4);
	});

	it('a second payment to a person is sent by a later run, in any order', async () => {
		await execute(unnamed([person(1, { amount: 100 })]));
		const again = await execute(unnamed([person(1, { amount: 300 }), person(1, { amount: 100 })]));
		expect(again.outcomes).toEqual(['accepted', 'alreadyAccepted']);
		expect(amounts()).toEqual([100, 300]);
	});

	it('a payment that was held back because of another to the person can be sent after a crash', async () => {
		const rows = unnamed([person(1, { amount: 100 }), person(1, { amount: 300 }), person(2)]);
		await killed(rows.slice(0, 1));
		// The process was killed before it marked the payment as sending.
		for (const row of database.log()) row.outcome = 'preparing';
		await killed(rows);
		expect((await execute(rows)).outcomes).toEqual(['unknown', 'unknown', 'unknown']);
		await resolveAll();
		expect((await execute(rows)).outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	});

	it('a second payment to a person is unknown if the log is off, because it could be the first one', async () => {
		const off = { options: { logToDataTable: '' } };
		await execute(unnamed([person(1, { amount: 100 })]), off);
		const again = await execute(unnamed([person(1, { amount: 300 }), person(1, { amount: 100 })]), off);
		expect(again.outcomes).toEqual(['unknown', 'unknown']);
		expect(amounts()).toEqual([100]);
	});

	it('of two payments to a person in two packages only the rejected one is missing, also in another order and without a log', async () => {
		const off = { options: { logToDataTable: '', maxPayments: 1 } };
		const rows = unnamed([person(1, { amount: 100 }), person(1, { amount: 300 })]);
		bank().answer = (request) =>
			packageIn(request).total === 100 ? [400, { error: 'invalid_request' }] : accepting(request);
		expect((await execute(rows, off)).outcomes.toSorted()).toEqual(['accepted', 'rejected']);
		bank().answer = accepting;
		await execute(rows.toReversed(), off);
		expect(amounts().filter((amount) => amount === 300)).toHaveLength(1);
	});

	it('a sequence added to the second payment of a person does not hide that it was sent, also if a run with sequences crashed', async () => {
		const off = { options: { logToDataTable: '' } };
		const rows = [person(1, { amount: 100 }), person(1, { amount: 300, sequence: 'another' })];
		await execute(unnamed(rows.slice(1)), off);
		void execute(rows.slice(0, 1), off, { dieAfter: 1 });
		for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate);
		expect((await execute(rows, off)).outcomes).toEqual(['unknown', 'unknown']);
		expect(amounts()).toEqual([300]);
	});

	it.each([{}, { options: { packagePerItem: true } }])(
		'two payments to one person are made once each by simultaneous executions, with %j',
		async (parameters) => {
			const rows = unnamed([person(1, { amount: 100 }), person(1, { amount: 300 })]);
			await Promise.all(Array.from({ length: 4 }, () => execute(rows, parameters)));
			expect(sent().flat().length).toBeLessThanOrEqual(2);
			await execute(rows, parameters);
			expect(amounts().sort((one, other) => one - other)).toEqual([100, 300]);
		},
	);
});
