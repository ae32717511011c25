/** Payment: Resolve: what it changes for an unknown payment, and when it changes nothing. */
import { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { BankPartnerServices } from '../../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { detailsIn, jsonOf, outcomesOf, refusalOf, run, runOf, useBank } from '../support/bank.ts';
import { acceptEverything, packageIn, payoutForm, recipient } from '../support/payout.ts';

const bank = useBank();
let database: FakeDatabase;
beforeEach(() => {
	database = new FakeDatabase();
	bank().answer = accepting;
});

type Json = Record<string, unknown>;
const accepting = acceptEverything(bank);
const lost = (): [number, unknown] => [500, { error: 'internal_error' }];

const people = ['a', 'b'].map((sequence, index) => recipient(index, { sequence }));
const options = () => ({ remembered: database, continueOnFail: true });
const pay = async (form: object = {}) =>
	jsonOf(await run('payment.sendPackage', { ...payoutForm, ...form }, { ...options(), items: people }));
const attemptIn = (items: Json[]) => String(detailsIn(items[0]).attempt);
const sent = () => bank().seen.map((seen) => packageIn(seen).payments.map(({ sequence }) => sequence));

interface Answer {
	attempt: string;
	sequence?: string;
	bankAnswer?: string;
	options?: object;
}
/** @param more options of the test double */
const resolve = ({ sequence = 'a', bankAnswer = 'hasNot', ...parameters }: Answer, more: object = {}) =>
	run('payment.resolve', { sequence, bankAnswer, ...parameters }, { remembered: database, credentials: {}, ...more });
const told = async (answer: Answer) => jsonOf(await resolve(answer))[0];

/**
 * Makes both payments unknown.
 * @returns their attempt
 */
async function unknown(form: object = {}): Promise<string> {
	bank().answer = lost;
	const items = await pay(form);
	bank().answer = accepting;
	return attemptIn(items);
}

it('names the item of each refusal, and does not say that a payment was not sent', async () => {
	await pay();
	const attempt = String(database.log()[0]?.attempt);
	const items = ['a', 'b'].map((sequence) => ({ sequence, attempt }));
	const written = { sequence: '={{ $json.sequence }}', attempt: '={{ $json.attempt }}' };
	const refusal = await refusalOf(resolve(written, { items }));
	expect(refusal.text).toMatch(/a is recorded as accepted.*\(item 0\).*b is recorded as accepted.*\(item 1\)/s);
	expect(refusal.text).toContain('Nothing was changed.');
	const continued = jsonOf(await resolve(written, { items, continueOnFail: true }));
	expect(continued.map(({ message }) => String(message).slice(0, 33))).toEqual(
		Array(2).fill('Nothing was changed for this item'),
	);
	expect(outcomesOf(continued)).toEqual(['nothingChanged', 'nothingChanged']);
	expect(JSON.stringify([refusal, continued])).not.toContain('Nothing was sent');
});

describe('Does Not Have It', () => {
	describe('without sequences, in a run that shows the rows in another order', () => {
		const payee = (number: number): Json => recipient(number, { amount: number });
		const [anna, boris, vera] = [payee(1), payee(2), payee(3)];
		const send = (items: Json[], more: object = {}, id = 'payment.sendPackage') =>
			run(id, payoutForm, { ...options(), items, ...more });

		it.each<[from: string, () => Promise<unknown>]>([
			['the error output', async () => jsonOf(await send([vera, anna, boris]))[0]?.details],
			[
				'the error that stops the node',
				async () => (await refusalOf(send([vera], { continueOnFail: false }))).context.details,
			],
			['Prepare Package', async () => jsonOf(await send([vera, anna], {}, 'payment.preparePackage'))[0]],
			[
				'a prepared package',
				async () => {
					const items = jsonOf(await send([vera, anna], {}, 'payment.preparePackage'));
					const form = { ...payoutForm, recipientsFrom: 'prepared' };
					return jsonOf(await run('payment.sendPackage', form, { ...options(), items }))[0]?.details;
				},
			],
		])('releases the payment of the row, by what %s says', async (_from, details) => {
			bank().answer = lost;
			await send([anna, boris, vera]);
			bank().answer = accepting;
			const hints: { message: string }[] = [];
			await send([vera], { hints });
			expect(hints[0]?.message).toContain('May have been paid, so not sent again: +*******0003.');
			const { sequence, attempt } = Object(await details());
			expect(await told({ sequence, attempt })).toMatchObject({ outcome: 'notSent', amount: '3' });
			expect(outcomesOf(jsonOf(await send([boris, vera, anna])))).toEqual(['unknown', 'accepted', 'unknown']);
		});
	});

	it('lets the next run send exactly that payment', async () => {
		const attempt = await unknown();
		const released = { outcome: 'notSent', sequence: 'a', paymentRun: 'salary-2026-11', attempt };
		expect(await told({ attempt })).toMatchObject(released);
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
		expect(sent()).toEqual([['a', 'b'], ['a']]);
	});

	it('counts once: after the payment was sent again, it releases nothing', async () => {
		const attempt = await unknown();
		await resolve({ attempt });
		expect(await told({ attempt })).toMatchObject({ message: 'Already resolved: nothing was changed.' });
		const second = await unknown();
		await told({ attempt });
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
		expect(sent()).toEqual([['a', 'b'], ['a']]);
		const items = [{ attempt }, { attempt: second }];
		const both = jsonOf(await resolve({ attempt: '={{ $json.attempt }}' }, { items }));
		expect(both.map(({ message }) => String(message).split(':')[0])).toEqual(['Already resolved', 'Recorded']);
	});

	it.each([
		['hasNot', {}],
		['has', {}],
		['has', { options: { shareProtectionWith: 'shared' } }],
	])('by two people at the same moment, one of whom says %s, counts once, also with %j', async (other, form) => {
		const attempt = await unknown(form);
		const both = await Promise.all([told({ attempt, bankAnswer: other }), told({ attempt })]);
		const recorded = both.filter((one) => String(one?.message).startsWith('Recorded:'));
		expect(recorded).toHaveLength(1);
		await pay(form);
		const isPaid = recorded[0]?.outcome === 'accepted';
		expect(outcomesOf(await pay(form))).toEqual(['alreadyAccepted', 'unknown']);
		expect(sent()).toEqual(isPaid ? [['a', 'b']] : [['a', 'b'], ['a']]);
	});

	it.each([
		['in its own workflow', {}],
		['also in a shared one', { shareProtectionWith: 'shared' }],
	])('releases payments that n8n claimed without saying so, %s; nothing was sent', async (_where, shared) => {
		const form = { ...payoutForm, options: shared };
		const more = { ...options(), items: people, lostClaims: 1 };
		const items = jsonOf(await run('payment.sendPackage', form, more));
		expect(outcomesOf(items)).toEqual(['unknown', 'unknown']);
		expect(sent()).toEqual([]);
		expect(await told({ attempt: attemptIn(items) })).toMatchObject({ outcome: 'notSent' });
		expect(outcomesOf(await pay({ options: shared }))).toEqual(['accepted', 'unknown']);
		expect(sent()).toEqual([['a']]);
	});

	it('frees a rejected payment of a run that was killed after the release, before it wrote the log', async () => {
		bank().answer = () => {
			database.tableFailure = 'insert';
			return [400, { error: 'invalid_request' }];
		};
		await pay();
		database.tableFailure = undefined;
		for (const one of database.log()) one.runningUntil = '2026-01-01T00:00:00.000Z';
		bank().answer = accepting;
		const again = await pay();
		expect(outcomesOf(again)).toEqual(['unknown', 'unknown']);
		const message = expect.stringContaining('ended by its own run');
		expect(await told({ attempt: attemptIn(again) })).toMatchObject({ outcome: 'notSent', message });
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
		expect(sent()).toEqual([['a', 'b'], ['a']]);
	});

	it('releases a debit by its transaction ID', async () => {
		const parameters = {
			...{ path: '/debits', transactionId: 'T-1', purpose: 'Loan' },
			...{ names: { purpose: 'purpose' }, payload: '{"amount": 10}' },
		};
		const debit = async () => jsonOf(await runOf(BankPartnerServices)('directDebit.debit', parameters, options()));
		bank().answer = lost;
		const attempt = attemptIn(await debit());
		bank().answer = () => [200, { paymentOrder: 'PO-1' }];
		expect(outcomesOf(await debit())).toEqual(['unknown']);
		await resolve({ attempt, sequence: 'T-1' });
		expect(await debit()).toMatchObject([{ transactionId: 'T-1', outcome: 'accepted', paymentOrder: 'PO-1' }]);
		expect(bank().seen).toHaveLength(2);
	});

	it('is refused while the execution may still be sending it', async () => {
		bank().answer = () => new Promise(() => undefined);
		void pay();
		while (bank().seen.length === 0) await new Promise(setImmediate);
		const [row] = database.log();
		const attempt = String(row?.attempt);
		// Two minutes to prepare, the timeout of the form, and half a minute of clock differences.
		expect(Date.parse(String(row?.runningUntil)) - Date.parse(String(row?.at))).toBe(1000 * (120 + 60 + 30));
		const { text } = await refusalOf(resolve({ attempt }));
		expect(text).toMatch(/may still be sending a\. Wait until \d\d:\d\d:\d\d (?:UTC|GMT\S*), then run again/);
		// The process was killed, and time has passed.
		for (const one of database.log()) one.runningUntil = '2026-01-01T00:00:00.000Z';
		bank().answer = accepting;
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
		await resolve({ attempt });
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
	});

	it('is refused while another attempt may still be sending it, which began earlier and has more time', async () => {
		const attempt = await unknown();
		const rows = database.log();
		const times = { at: '2026-01-01T00:00:00.000Z', runningUntil: '2999-01-01T00:00:00.000Z' };
		rows.push({ ...rows[0], ...times, attempt: 'first', execution: 'e99', outcome: 'sending' });
		expect((await refusalOf(resolve({ attempt }))).text).toContain('execution e99 may still be sending a');
	});

	it('is refused for an accepted payment', async () => {
		await pay();
		const attempt = String(database.log()[0]?.attempt);
		expect((await refusalOf(resolve({ attempt }))).text).toContain('a is recorded as accepted, so the bank has it');
		const message = 'Already resolved: nothing was changed.';
		expect(await told({ attempt, bankAnswer: 'has' })).toMatchObject({ outcome: 'accepted', message });
		await pay();
		expect(sent()).toHaveLength(1);
	});

	it.each([
		['unknown', 'a was sent again in execution e99'],
		['accepted', 'a was accepted in execution e99'],
	])('is refused for an attempt if the payment was sent again after it: %s', async (outcome, text) => {
		const first = await unknown();
		// The log was edited.
		const rows = database.log();
		rows.push({ ...rows[0], attempt: 'second', execution: 'e99', at: '2999-01-01T00:00:00.000Z', outcome });
		expect((await refusalOf(resolve({ attempt: first }))).text).toContain(text);
	});

	it('changes nothing for a rejected payment', async () => {
		bank().answer = () => [400, { error: 'invalid_request' }];
		await pay();
		const attempt = String(database.log()[0]?.attempt);
		expect(await told({ attempt })).toMatchObject({ message: 'Already resolved: nothing was changed.' });
		expect((await refusalOf(resolve({ attempt, bankAnswer: 'has' }))).text).toContain('a is recorded as rejected');
	});
});

describe('Has It', () => {
	it('makes it an accepted payment, with the transaction ID of the bank', async () => {
		const attempt = await unknown();
		// In an inline workflow n8n would evaluate it.
		const transactionId = '={{ 6 * 7 }}';
		const answer = { attempt, bankAnswer: 'has', options: { transactionId: () => transactionId } };
		expect(await told(answer)).toMatchObject({ transactionId });
		const again = await pay();
		expect(outcomesOf(again)).toEqual(['alreadyAccepted', 'unknown']);
		expect(again[0]).toMatchObject({ transactionId, sequence: 'a' });
		expect(sent()).toHaveLength(1);
	});

	it.each([
		['has', 'accepted', 'alreadyAccepted'],
		['hasNot', 'notSent', 'accepted'],
	])('does not claim to be recorded if the log could not be written: %s', async (bankAnswer, outcome, after) => {
		const attempt = await unknown();
		// The process was killed.
		Object.assign(database.log()[0] ?? {}, { outcome: 'sending', runningUntil: '2026-01-01T00:00:00.000Z' });
		database.tableFailure = 'update';
		const words = `Not recorded: the payment log could not be written. Set outcome to ${outcome}`;
		const message = expect.stringContaining(words);
		expect(await told({ attempt, bankAnswer })).toMatchObject({ outcome: 'unknown', message });
		database.tableFailure = undefined;
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
		const row = database.log().find(({ sequence }) => sequence === 'a');
		Object.assign(row ?? {}, { outcome });
		expect(outcomesOf(await pay())).toEqual([after, 'unknown']);
	});

	it('is the default of the form', async () => {
		const attempt = await unknown();
		await run('payment.resolve', { sequence: 'a', attempt }, { remembered: database });
		expect(outcomesOf(await pay())).toEqual(['alreadyAccepted', 'unknown']);
	});
});

describe('It is refused and changes nothing', () => {
	it.each<[string, object, string | RegExp]>([
		['without a sequence', { sequence: ' ' }, 'Sequence is required'],
		['without an attempt', { attempt: '' }, 'Attempt is required'],
		['for an unknown payment', { sequence: 'x' }, 'has no payment "x" with the attempt'],
		['with an answer that the form does not offer', { bankAnswer: 'Has It' }, 'must be has or hasNot: "Has It"'],
		['for an unknown attempt', { attempt: () => '={{ throw 1 }}' }, 'with the attempt "={{ throw 1 }}"'],
		['if the log is off', { options: { logToDataTable: '' } }, 'Without the payment log no payment can be resolved'],
	])('%s', async (_what, change, words) => {
		const attempt = await unknown();
		expect((await refusalOf(resolve({ attempt, ...change }))).text).toContain(words);
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
	});

	it('if the log cannot be read', async () => {
		const attempt = await unknown();
		database.tableFailure = 'get';
		expect((await refusalOf(resolve({ attempt }))).message).toContain('The payment log cannot be read');
		database.tableFailure = undefined;
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
	});
});

it('A payment that is refused does not keep others from being resolved, if the node continues on errors', async () => {
	const attempt = await unknown();
	const given = [{ sequence: 'x' }, { sequence: 'b' }, {}];
	const answer = { sequence: '={{ $json.sequence }}', attempt };
	const items = jsonOf(await resolve(answer, { items: given, continueOnFail: true }));
	expect(items[0]?.error).toContain('has no payment "x"');
	expect(items[1]).toMatchObject({ outcome: 'notSent', sequence: 'b' });
	expect(items[2]?.error).toBe('Sequence is required: one payment');
	expect(outcomesOf(await pay())).toEqual(['unknown', 'accepted']);
});
