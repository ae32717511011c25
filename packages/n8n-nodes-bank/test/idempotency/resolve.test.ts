/**
 * Payment: Resolve: what an answer changes, and when it changes nothing. The search of core's protocol covers
 * simultaneous runs.
 */
import { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { detailsIn, jsonOf, outcomesOf, refusalOf, run, useBank } from '../support/bank.ts';
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
const pay = async (items: object[] = people, more: object = {}) =>
	jsonOf(await run('payment.sendPackage', payoutForm, { ...options(), items: items as Json[], ...more }));
const paymentIn = (items: Json[], index = 0) => String(detailsIn(items[index]).payment);
const sent = () => bank().seen.map((seen) => packageIn(seen).payments.map(({ sequence }) => sequence));

/** @param more options of the test double */
const resolve = (payment: unknown, bankAnswer: string, more: object = {}, form: object = {}) =>
	run('payment.resolve', { payment, bankAnswer, ...form }, { remembered: database, credentials: {}, ...more });
const answer = async (payment: unknown, bankAnswer: string) => jsonOf(await resolve(payment, bankAnswer))[0];

/**
 * Makes both payments unknown.
 * @returns the ID of the first
 */
async function unknown(): Promise<string> {
	bank().answer = lost;
	const items = await pay();
	bank().answer = accepting;
	return paymentIn(items);
}

it.each(['', 'Has It', 'HAS', 'false', 'no'])('needs one of its two answers, and none is chosen: %j', async (given) => {
	const payment = await unknown();
	const { text } = await refusalOf(resolve(payment, given));
	expect(text).toMatch(/The Bank is required: choose "Has It" or "Does Not Have It"/);
	expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
});

it('finds the payment by the ID in the error output, in Prepare Package, in a prepared package and in the log', async () => {
	const payment = await unknown();
	const prepared = jsonOf(await run('payment.preparePackage', payoutForm, { ...options(), items: people }));
	const form = { ...payoutForm, recipientsFrom: 'prepared' };
	const [fromPrepared] = jsonOf(await run('payment.sendPackage', form, { ...options(), items: prepared }));
	const row = database.log().find(({ outcome }) => outcome === 'unknown');
	expect([prepared[0]?.payment, detailsIn(fromPrepared).payment, paymentIn(await pay())]).toEqual(
		Array(3).fill(payment),
	);
	expect(payment).toBe(`${row?.payment}.${row?.attempt}`);
	expect(await answer(row?.payment, 'has')).toMatchObject({ outcome: 'accepted', sequence: 'a' });
});

it('ends no later attempt with an answer about an earlier one', async () => {
	const first = await unknown();
	await answer(first, 'hasNot');
	const second = await unknown();
	expect(second).not.toBe(first);
	const { text } = await refusalOf(resolve(first, 'hasNot'));
	expect(text).toMatch(/reported this payment after the bank was asked/);
	expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
	expect(await answer(second, 'hasNot')).toMatchObject({ outcome: 'notSent' });
	expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
});

describe('Does Not Have It', () => {
	it('lets the next run send exactly that payment, also if it is pressed twice', async () => {
		const payment = await unknown();
		expect(await answer(payment, 'hasNot')).toMatchObject({
			...{ outcome: 'notSent', sequence: 'a', paymentRun: 'salary-2026-11', payment },
			message: expect.stringContaining('Run the payout again to send it'),
		});
		expect(await answer(payment, 'hasNot')).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/already says that it was not paid/),
		});
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
		expect(outcomesOf(await pay())).toEqual(['alreadyAccepted', 'unknown']);
		expect(sent()).toEqual([['a', 'b'], ['a']]);
	});

	it('is refused if the payment was accepted, and by an answer of somebody else at the same moment', async () => {
		const payment = await unknown();
		const both = await Promise.allSettled([answer(payment, 'has'), answer(payment, 'hasNot')]);
		expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
		expect(outcomesOf(await pay())).toEqual(['alreadyAccepted', 'unknown']);
		const { text } = await refusalOf(resolve(payment, 'hasNot'));
		expect(text).toMatch(/recorded as accepted.*Nothing was changed\./s);
		expect(sent()).toEqual([['a', 'b']]);
	});

	it('is refused while the execution may still be sending it', async () => {
		bank().answer = () => new Promise(() => undefined);
		void pay();
		while (bank().seen.length === 0) await new Promise(setImmediate);
		const row = database.log().find(({ outcome }) => outcome === 'sending');
		// Two minutes to prepare, the timeout of the form, and half a minute for clock differences.
		expect(Number(row?.until) - Date.parse(String(row?.at))).toBe(1000 * (120 + 60 + 30));
		const { text } = await refusalOf(resolve(row?.payment, 'hasNot'));
		expect(text).toMatch(
			/may still be sending this payment\. Wait until \d\d:\d\d:\d\d (?:UTC|GMT\S*), then run again/,
		);
		const tooEarly = paymentIn(await pay());
		// The process was killed, and time has passed.
		for (const one of database.log()) if (one.until !== '') one.until = '1';
		bank().answer = accepting;
		// The bank may have given this answer before the request arrived.
		const { text: outdated } = await refusalOf(resolve(tooEarly, 'hasNot'));
		expect(outdated).toMatch(/reported this payment after the bank was asked/);
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
		await resolve(row?.payment, 'hasNot');
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
	});

	it('works although the log shows no request: rows were deleted', async () => {
		await unknown();
		database.log().length = 0;
		const payment = paymentIn(await pay());
		expect(await answer(payment, 'hasNot')).toMatchObject({ outcome: 'notSent' });
		expect(outcomesOf(await pay())).toEqual(['accepted', 'unknown']);
	});
});

describe('Has It', () => {
	it('makes the next run return the payment as already accepted, with the ID of the bank', async () => {
		const payment = await unknown();
		const form = { options: { transactionId: 'tx-9' } };
		const [told] = jsonOf(await resolve(payment, 'has', {}, form));
		expect(told).toMatchObject({ outcome: 'accepted', transactionId: 'tx-9' });
		expect((await pay())[0]).toMatchObject({ outcome: 'alreadyAccepted', transactionId: 'tx-9' });
		expect(sent()).toHaveLength(1);
	});

	it('corrects a payment that was recorded as rejected', async () => {
		bank().answer = () => [400, { error: 'invalid_request' }];
		const payment = paymentIn(await pay());
		await answer(payment, 'has');
		bank().answer = accepting;
		expect(outcomesOf(await pay())).toEqual(['alreadyAccepted', 'accepted']);
	});
});

describe('An item of the execution in which the payment became unknown', () => {
	it.each(['has', 'hasNot'])('is refused with %s: nobody has asked the bank', async (bankAnswer) => {
		bank().answer = lost;
		const items = await pay(people, { executionId: '77' });
		const more = { items: items.slice(0, 1), executionId: '77' };
		const { text } = await refusalOf(resolve('={{ $json.details.payment }}', bankAnswer, more));
		expect(text).toMatch(/cannot be known yet: the payment became unknown in this execution/);
		expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
	});

	it('is recorded as Has It if Find in Operations has found it', async () => {
		const payment = await unknown();
		const more = { items: [{ result: 'found', payment, execution: '77' }], executionId: '77' };
		expect(jsonOf(await resolve(payment, 'has', more))).toMatchObject([{ outcome: 'accepted' }]);
	});
});

it.each([
	['an ID that is not in the log', 'unknown-id'],
	['no ID', ''],
	// n8n would evaluate this text.
	['code', '={{ 1 + 1 }}x'],
])('refuses %s, and names the item', async (_what, payment) => {
	await unknown();
	const items = [{ payment }];
	const { text } = await refusalOf(resolve('={{ $json.payment }}', 'hasNot', { items }));
	expect(text).toMatch(/Payment ID is required|no payment with this ID/);
	expect(text).toContain('Nothing was changed.');
	const [item] = jsonOf(await resolve('={{ $json.payment }}', 'hasNot', { items, continueOnFail: true }));
	expect(item?.error).toMatch(/Payment ID is required|no payment with this ID/);
	expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
});

it('says what is known about the record if the log cannot be read or written', async () => {
	const payment = await unknown();
	database.tableFailure = 'insert';
	expect(await answer(payment, 'hasNot')).toMatchObject({
		outcome: 'unknown',
		message: expect.stringMatching(/may not be recorded/),
	});
	database.tableFailure = undefined;
	expect(outcomesOf(await pay())).toEqual(['unknown', 'unknown']);
	const rows = database.log().length;
	// It is read once more after the answer was written.
	Object.defineProperty(database, 'tableFailure', {
		get: () => (database.log().length > rows ? 'get' : undefined),
	});
	const { text } = await refusalOf(resolve(payment, 'hasNot'));
	expect(database.log()).toHaveLength(rows + 1);
	expect(text).toMatch(/The payment log cannot be read.*The answers may not be recorded\./s);
});
