/** P1: items or a list become packages with exact totals; invalid input is not sent; results are assigned to their rows. */
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import {
	detailsIn,
	type FakeBank,
	jsonOf,
	outcomesOf,
	refusalOf,
	run,
	type RunOptions,
	useBank,
} from './support/bank.ts';
import { acceptEverything, packageIn, payoutForm, recipient, sender } from './support/payout.ts';

const bank = useBank();
const accept = acceptEverything(bank);
beforeEach(() => (bank().answer = accept));

const recipients = (count: number) => Array.from({ length: count }, (_, index) => recipient(index));
const pay = (parameters: object = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...payoutForm, ...parameters }, { items: recipients(2), ...options });
const payList = (payments: unknown, options: RunOptions = {}) =>
	pay({ recipientsFrom: 'list', payments: () => payments }, { items: [{}], ...options });
const bodies = () => bank().seen.map(packageIn);
const sequences = () => bodies().map(({ payments }) => payments.map(({ sequence }) => sequence));

describe('a package of items', () => {
	it('contains every item, the exact total and what the form adds', async () => {
		const items = [
			recipient(1, { amount: 0.1, extra: 'x', sequence: '1' }),
			recipient(2, { amount: '0.20', phone: '+7 (900) 000-00-02', sequence: 'mine', last: 'Fakeman', ric: '2' }),
		];
		const options = { nameCheck: 'true', b2cClientId: 42 };
		await pay({ signedBody: ' c2ln\n', name: { last: '={{ $json.last }}' }, options }, { items });
		expect(bank().seen).toMatchObject([{ method: 'POST', path: '/api/b2cpay/jp/v1/payments', query: [] }]);
		expect(bank().seen[0]?.headers).toMatchObject({
			authorization: 'Bearer token of bankClientCredentialsOAuth2Api',
			accept: 'application/json',
			'content-type': 'application/json',
		});
		expect(bodies()).toEqual([
			{
				client: { partnerId: 1001, b2cClientId: '42' },
				inn: '7700000000',
				account: '40702810000000000001',
				nameCheck: true,
				total: 0.3,
				payments: [
					{ ...recipient(1), amount: 0.1, sequence: '1' },
					{ ...recipient(2), amount: 0.2, ric: 2, sequence: 'mine', name: { last: 'Fakeman' } },
				],
				// The signature is sent unchanged, because even a line break may be part of it.
				signedBody: ' c2ln\n',
			},
		]);
	});

	it('may have its expected total as text', async () => {
		await pay({ total: '20.00' });
		expect(bodies()).toMatchObject([{ total: 20 }]);
	});

	it('numbers rows without a sequence by their positions', async () => {
		await pay({}, { items: [undefined, '', '  ', null].map((sequence, index) => recipient(index, { sequence })) });
		expect(sequences()).toEqual([['1', '2', '3', '4']]);
	});
});

describe('nothing is sent', () => {
	afterEach(() => expect(bank().seen).toEqual([]));

	it.each([
		[{}, 'Sequence must differ in every row: "2" (all 2 items)'],
		[{ maxPayments: 1 }, 'Sequence is the same as in item 0. Remove duplicates before this node: "2" (item 1)'],
	])('if two payments have the same sequence, with the options %j', async (options, message) => {
		const items = [1, 2].map((index) => recipient(index, { sequence: '2' }));
		expect((await refusalOf(pay({ options }, { items }))).message).toBe(message);
	});

	it.each([
		['a-1', 'A-1'],
		['a-1', 'a – 1'],
	])('if the sequences %j and %j differ only in what duplicate protection ignores', async (first, other) => {
		const items = [first, other].map((sequence, index) => recipient(index + 1, { sequence }));
		expect((await refusalOf(pay({}, { items }))).message).toBe(
			'Sequence is the same as "a-1" in item 0 for a person: upper and lower case, spaces, dashes, leading zeros and letters that ' +
				`look alike are ignored. Give each payment its own: "${other}" (item 1)`,
		);
	});

	it.each<[string, unknown, string]>([
		['a number that has lost digits', 2 ** 60, 'is a number with more than 15 digits, which loses its last'],
		['an object', { id: 1 }, 'must be text, got an object'],
	])('if the sequence is %s', async (_what, sequence, words) => {
		const refusal = await refusalOf(pay({}, { items: [recipient(1, { sequence })] }));
		expect(refusal.message).toContain(`Sequence ${words}`);
	});

	it('if the expected total differs', async () => {
		const { message } = await refusalOf(pay({ total: 20.01 }));
		expect(message).toBe('Expected Total is 20.01, but the payments add up to 20 (item 0)');
	});

	it.each([
		['Tax Number', { inn: '={{ $json.from }}' }],
		['Account', { account: (json: { from: string }) => `4070281000${json.from}` }],
		['Partner ID', { partnerId: '={{ $json.from }}' }],
		['Client ID', { b2cClientId: '={{ $json.from }}' }],
		['Check Names', { nameCheck: (json: { from: string }) => json.from === '7700000001' }],
		['Payment Run', { paymentRun: '={{ $json.from }}' }],
	])('if items of one package differ in %s', async (field, parameters) => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '7700000001' })];
		const { message } = await refusalOf(pay(parameters, { items }));
		expect(message).toMatch(new RegExp(`^${field} differs from item 0, .* \\(item 1\\)$`));
	});

	it('and an invalid list gives one error for its item', async () => {
		const output = await payList([recipient(1), recipient(2, { phone: 'x' })], { continueOnFail: true });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	});

	it('and the error output has the issues of each item', async () => {
		const items = [recipient(1), recipient(2, { phone: '' })];
		const output = await pay({ inn: '77' }, { items, continueOnFail: true });
		expect(output).toMatchObject([
			{ json: { error: 'Tax Number must have 10 or 12 digits, got 2: "77"' }, pairedItem: { item: 0 } },
			{ json: { error: 'Phone is required', details: { outcome: 'notSent' } }, pairedItem: { item: 1 } },
		]);
	});

	it.each(['', ' ', null, undefined])('if the payment run is %j', async (paymentRun) => {
		const refusal = await refusalOf(pay({ paymentRun: () => paymentRun }));
		expect(refusal.text).toContain('Payment Run is required');
	});

	let evaluations = 0;
	it.each([
		['contains the execution ID', '={{ $execution.id }}'],
		['differs each time it is evaluated', () => `run ${++evaluations}`],
	])('if the payment run %s', async (_what, paymentRun) => {
		const refusal = await refusalOf(pay({ paymentRun }, { items: [recipient(1)] }));
		expect(refusal.text).toContain('Payment Run must be the same on every run');
	});

	it.each<[string, unknown, string]>([
		['text', 'not JSON', 'Payments must be a list of recipients'],
		['empty', '', 'Payments must be a list of recipients'],
		['a list with an invalid phone', [recipient(1), recipient(2, { phone: 'x' })], 'Phone must be a phone number'],
		['a list with an unknown field', [recipient(1, { sum: 5 })], 'sum is not a field'],
	])('if the list is %s', async (_name, list, words) => {
		expect((await refusalOf(payList(list))).text).toContain(words);
	});
});

describe('several packages', () => {
	it('are sent if there are more rows than one package may have; numbering continues', async () => {
		const output = await pay({ options: { maxPayments: 2 } }, { items: recipients(5) });
		expect(bodies().map(({ total }) => total)).toEqual([20, 20, 10]);
		expect(sequences()).toEqual([['1', '2'], ['3', '4'], ['5']]);
		expect(output.map(({ json, pairedItem }) => [json.sequence, json.payPackage, pairedItem])).toEqual(
			[501, 501, 502, 502, 503].map((payPackage, item) => [String(item + 1), payPackage, { item }]),
		);
	});

	it('are sent if each item is a package, each with its own sender', async () => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '770000000001' })];
		const output = await pay({ inn: '={{ $json.from }}', options: { packagePerItem: true } }, { items });
		const senders = bodies().map(({ inn, payments }) => `${inn}: ${payments.length}`);
		expect(senders).toEqual(['7700000000: 1', '770000000001: 1']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it.each([
		['an array', (list: unknown) => list],
		['JSON', JSON.stringify],
	])('are sent from lists: %s is one package, and each result belongs to its item', async (_name, write) => {
		const lists = [recipients(2), [recipient(3), recipient(4)]];
		const payments = (_json: unknown, item: number) => write(lists[item]);
		const output = await pay({ recipientsFrom: 'list', payments }, { items: [{}, {}] });
		const sizes = [20, 2];
		expect(bodies().map(({ total, payments }) => [total, payments.length])).toEqual([sizes, sizes]);
		expect(output.map(({ json, pairedItem }) => [json.sequence, pairedItem])).toEqual(
			[0, 0, 1, 1].map((item, index) => [String(index + 1), { item }]),
		);
	});

	it('are sent one after the other, and none after the bank has rejected one', async () => {
		bank().answer = (seen) =>
			bank().seen.length === 2 ? [400, { error: 'invalid_request', error_description: 'no money' }] : accept(seen);
		const refusal = await refusalOf(pay({ options: { maxPayments: 1 } }, { items: recipients(3) }));
		expect(refusal.message).toBe('Pay people: the bank refused the request as invalid (400 invalid_request)');
		expect(refusal.description).toMatch(/^1 of 3 accepted: 10\.00; 1 rejected, 1 not sent\..* no money moved/);
		expect(bank().seen).toHaveLength(2);
	});
});

describe('the results of the bank', () => {
	type Rows = Record<string, unknown>[];
	/** @param rest fields of the package */
	const answering = (change: (rows: Rows) => unknown, rest: object = {}) =>
		(bank().answer = async (seen) => {
			const [status, answer] = (await accept(seen)) as [number, { payments: Rows }];
			return [status, { ...answer, payments: change(answer.payments), ...rest }];
		});
	const results = async (parameters: object = {}) => await pay(parameters, { continueOnFail: true });
	const errors = async () => (await results()).map(({ json }) => json.error);
	const outcomes = async (parameters?: object) => outcomesOf(jsonOf(await results(parameters)));

	it('belong to the items by sequence, in any order', async () => {
		answering((rows) => rows.reverse());
		const output = await pay({}, { items: [recipient(1, { sequence: '1' }), recipient(2, { sequence: 'b' })] });
		const result = { transactionId: 'tx 1', feeAmount: 0, client: { partnerId: 1001 }, payPackage: 501 };
		expect(output).toMatchObject([
			{ json: { ...recipient(1), sequence: '1', ...result, outcome: 'accepted' }, pairedItem: { item: 0 } },
			{ json: { transactionId: 'tx b', sequence: 'b', outcome: 'accepted' }, pairedItem: { item: 1 } },
		]);
	});

	it('that match no payment are returned as unknown', async () => {
		answering((rows) => [
			{ ...rows[0], sequence: '99', transactionId: 'tx 99' },
			...rows,
			{ ...rows[1], transactionId: 'second' },
		]);
		const hints: { message: string }[] = [];
		const output = await pay({}, { continueOnFail: true, hints });
		expect(hints[0]?.message).toContain('May have been paid, so not sent again: 99, 2.');
		expect(outcomesOf(jsonOf(output))).toEqual(['accepted', 'accepted', 'unknown', 'unknown']);
		expect(output.slice(2)).toMatchObject([
			{ json: { details: { response: { sequence: '99' } } }, pairedItem: { item: 0 } },
			{ json: { details: { response: { transactionId: 'second' } } }, pairedItem: { item: 1 } },
		]);
	});

	/** Values that mean that there is no ID, and IDs of another type. */
	const noIds = [0, '0.0', -1, '-', '—', 'None', 'n/a', false, true, ['7'], { id: '7' }];
	const notAccepted = 'a field for this payment whose value does not clearly mean accepted';
	// The tests of core have all fields and values of a response.
	it.each<[object, string]>([
		[{ amount: 999 }, 'names another amount'],
		[{ phone: '+79990000000' }, 'names another phone'],
		[{ nspkBankId: '100000000999' }, 'names another recipient bank'],
		[{ status: 'PENDING' }, notAccepted],
		[{ result: { message: 'Package rejected' } }, notAccepted],
		...[...noIds, undefined, null, ' ', '000', '00000000-0000-0000-0000-000000000000'].map(
			(transactionId): [object, string] => [{ transactionId }, 'no transaction ID'],
		),
		...[{ value: 1000, minorUnits: 100 }, [10], true, false, '10,00', -10].map((amount): [object, string] => [
			{ amount },
			'names another amount',
		]),
		...['+7900***9999', '123', '+19000000000', ['+79000000000'], false].map((phone): [object, string] => [
			{ phone },
			'names another phone',
		]),
	])('do not confirm a payment with %j', async (change, words) => {
		answering(([first, ...rows]) => [{ ...first, ...change }, ...rows]);
		const [own, other] = await results();
		expect(own?.json.error).toContain(words);
		expect(own?.json.details).toMatchObject({ outcome: 'unknown', sequence: '1', response: { sequence: '1' } });
		expect(other?.json.outcome).toBe('accepted');
	});

	it.each([
		{ status: 'Accepted', resultCode: 0 },
		{ account: sender.account, inn: sender.inn, nspkBankId: '100000000111' },
		{ amount: '10.00' },
		{ phone: '8 (900) 000-00-00' },
		{ phone: '+7900***0000', nspkBankId: '1000*****111' },
		{ amount: null, phone: '' },
	])('confirm a payment with %j', async (change) => {
		answering(([first, ...rows]) => [{ ...first, ...change }, ...rows]);
		expect(await outcomes()).toEqual(['accepted', 'accepted']);
	});

	it('are in the log with their IDs, also if they confirm nothing', async () => {
		answering((rows) => rows.map((row) => ({ ...row, status: 'PENDING' })));
		const remembered = new FakeDatabase();
		expect(outcomesOf(jsonOf(await pay({}, { remembered, continueOnFail: true })))).toEqual(['unknown', 'unknown']);
		expect(remembered.log().filter(({ outcome }) => outcome !== 'begun')).toMatchObject(
			['1', '2'].map((name) => ({ outcome: 'unknown', payPackage: '501', transactionId: `tx ${name}` })),
		);
	});

	it('confirm a payment with a status that the user listed', async () => {
		answering((rows) => rows.map((row) => ({ ...row, status: 'In Queue' })), { state: 'QUEUED' });
		const options = { acceptedStatuses: 'queued, in-queue' };
		expect(await outcomes({ options })).toEqual(['accepted', 'accepted']);
	});

	it.each([
		[{ account: '40702810000000000002' }, 'another account or partner'],
		[{ inn: '7700000001' }, 'another account or partner'],
		[{ client: { partnerId: 2 } }, 'another account or partner'],
		[{ status: 'PENDING' }, 'does not clearly mean accepted'],
		...[
			{ partnerId: [2] },
			{ partnerId: false },
			{ partnerId: 1001, b2cClientId: 'other' },
			'other',
			[{ partnerId: 2 }],
		].map((client): [object, string] => [{ client }, 'another account or partner']),
		...noIds.map((payPackage): [object, string] => [{ payPackage }, 'no package ID']),
		[{ status: 'ERROR' }, 'cannot be read'],
		[{ error: 'internal_error', error_description: 'rolled back' }, 'cannot be read'],
	])('do not confirm any payment of a package with %j', async (rest, words) => {
		answering((rows) => rows, rest);
		const output = jsonOf(await results({ options: { b2cClientId: 'client' } }));
		expect(output.map(({ error }) => error)).toEqual([1, 2].map(() => expect.stringContaining(words)));
		expect(outcomesOf(output)).toEqual(['unknown', 'unknown']);
	});

	it.each([201, 202, 203, 206, 207, 226])(
		'do not confirm any payment with the status %d: P1 shows 200',
		async (status) => {
			bank().answer = async (seen) => [status, (await accept(seen))[1]];
			expect(await errors()).toEqual(
				[1, 2].map(() => expect.stringContaining(`with ${status}, and only 200 confirms`)),
			);
			expect(await outcomes()).toEqual(['unknown', 'unknown']);
		},
	);

	it('do not confirm a payment whose row is repeated with another content', async () => {
		for (const change of [{ status: 'REJECTED' }, { success: false }, { amount: 99 }, { transactionId: null }]) {
			answering(([first, other]) => [first, other, { ...first, ...change }]);
			expect((await outcomes()).slice(0, 2)).toEqual(['unknown', 'accepted']);
		}
	});

	it('do not confirm payments with the same transaction ID, also in another package or of a payment that was not asked for', async () => {
		answering((rows) => rows.map((row, index) => ({ ...row, transactionId: ['tx-1', ' TX-1'][index] })));
		expect(await errors()).toEqual([1, 2].map(() => expect.stringContaining('the same transaction ID')));
		answering((rows) => rows.map((row) => ({ ...row, transactionId: 'tx-1' })));
		expect(await outcomes({ options: { maxPayments: 1 } })).toEqual(['accepted', 'unknown']);
		answering((rows) => [...rows, { ...rows[0], sequence: '99' }]);
		expect(await outcomes()).toEqual(['unknown', 'accepted', 'unknown']);
	});

	it.each([undefined, null, {}, [null, 3]])('that are %j leave the payments unknown', async (payments) => {
		answering(() => payments);
		expect((await refusalOf(pay())).description).toMatch(/^0 of 2 accepted; 2 unknown\./);
		const output = await results();
		expect(output.map(({ json }) => detailsIn(json))).toMatchObject(
			['1', '2'].map((sequence) => ({ sequence, outcome: 'unknown', payPackage: 502 })),
		);
		expect(output[0]?.json.error).toContain('does not name this payment');
	});
});

describe('payments that were already sent', () => {
	let database: FakeDatabase;
	beforeEach(() => (database = new FakeDatabase()));
	const execution = (items: object[]) => ({ remembered: database, items: items.map((item) => ({ ...item })) });
	const execute = async (parameters: object, items: object[]) =>
		outcomesOf(jsonOf(await pay(parameters, { ...execution(items), continueOnFail: true })));
	const paid = () => bodies().flatMap(({ payments }) => payments).length;

	it.each([
		['payment run', { paymentRun: 'salary-2026-12' }, {}],
		['phone', {}, { phone: '+79990000000' }],
	])('are other payments with another %s', async (_what, parameters, change) => {
		await execute({}, [recipient(1)]);
		expect(await execute(parameters, [recipient(1, change)])).toEqual(['accepted']);
	});

	it.each(['refuse', () => 'Refuse the Whole Run'])(
		'refuse the whole run if the user wants that: %s',
		async (choice) => {
			await execute({}, [recipient(1)]);
			const options = { ifAlreadySent: choice };
			const refusal = await refusalOf(pay({ options }, execution(recipients(3))));
			expect(refusal.message).toBe('The run was refused because of payments that were already sent: +*******0001');
			expect(refusal.description).toContain('Remove the rows that were already sent, then run again.');
			expect(paid()).toBe(1);
			expect(await execute({ options }, [recipient(2), recipient(3)])).toEqual(['accepted', 'accepted']);
		},
	);

	it.each<[string, FakeBank['answer'], object]>([
		['unknown', () => [500, {}], {}],
		['conflict', accept, { amount: 11 }],
	])('refuse the whole run also if they are %s', async (outcome, answer, change) => {
		bank().answer = answer;
		await execute({}, [recipient(1)]);
		bank().answer = accept;
		const options = { ifAlreadySent: 'refuse' };
		expect(await execute({ options }, [recipient(1, change), recipient(2)])).toEqual([outcome, 'notSent']);
		expect(paid()).toBe(1);
	});

	it('keep their own result in the error output of a refused run', async () => {
		await execute({}, [recipient(1)]);
		const options = { ifAlreadySent: 'refuse', maxPayments: 1 };
		const output = jsonOf(await pay({ options }, { ...execution(recipients(3)), continueOnFail: true }));
		expect(outcomesOf(output)).toEqual(['notSent', 'alreadyAccepted', 'notSent']);
		expect(output[0]?.error).toBe('The run was refused because of payments that were already sent: +*******0001');
		expect(paid()).toBe(1);
	});

	it('refuse the whole run also if they are only listed in a prepared package', async () => {
		await execute({}, [recipient(1)]);
		const rows = jsonOf(
			await run('payment.preparePackage', payoutForm, { items: recipients(3), remembered: database }),
		);
		const form = { recipientsFrom: 'prepared', options: { ifAlreadySent: 'refuse' } };
		expect((await execute(form, rows)).toSorted()).toEqual(['alreadyAccepted', 'notSent', 'notSent']);
		expect(paid()).toBe(1);
	});

	it.each(['items', 'columns'])('are known to a later node that reads the output: %s', async (recipientsFrom) => {
		const sent = jsonOf(await pay({}, { remembered: database }));
		const again = { recipientsFrom, sequence: '={{ $json.sequence }}' };
		expect(await execute(again, sent)).toEqual(['alreadyAccepted', 'alreadyAccepted']);
		expect(paid()).toBe(2);
	});
});

describe('the hint above the output', () => {
	const hintsOf = async (parameters: object, options: RunOptions) => {
		const hints: { type: string; message: string }[] = [];
		await pay(parameters, { ...options, hints, continueOnFail: true });
		return hints.map(({ type, message }) => `${type}: ${message}`);
	};
	const named = recipients(2).map((row, index) => ({ ...row, sequence: `s-${index}` }));

	it('explains how rows without a sequence are recognized', async () => {
		const [result, first] = await hintsOf({}, { items: [recipient(1), recipient(2)] });
		expect(result).toMatch(/^info: 2 of 2 accepted/);
		expect(first).toMatch(/^info: No sequence: payments are recognized by phone number/);
	});

	it('says that a manual run in production paid for real', async () => {
		const token = { environment: 'production', productionBaseUrl: 'https://bank.test', token: 'x' };
		const production = { items: named, credentials: { bankClientCredentialsOAuth2Api: token } };
		const text = 'warning: This was a manual run, and it paid for real';
		expect((await hintsOf({}, { ...production, mode: 'manual' })).join()).toContain(text);
		expect((await hintsOf({}, production)).join()).not.toContain(text);
		expect((await hintsOf({}, { items: named, mode: 'manual' })).join()).not.toContain(text);
		bank().answer = () => [400, { error: 'invalid_request' }];
		expect((await hintsOf({}, { ...production, mode: 'manual' })).join()).not.toContain(text);
	});

	it("says that the payment run contains today's date", async () => {
		const hintsFor = async (day: string) => (await hintsOf({ paymentRun: `salary ${day}` }, { items: named })).join();
		expect(await hintsFor(new Date().toISOString().slice(0, 10))).toContain("contains today's date");
		expect(await hintsFor('2020-01-01')).not.toContain("today's date");
	});
});

// unstablePart.test.ts tests which values count as unstable.
describe('a value that an earlier node made of the execution', () => {
	const parents = [{ name: 'Set', parameters: { value: '={{ $execution.id }}' } }];

	it.each([
		['payment run', { paymentRun: '={{ $json.made }}' }],
		['sequence', { sequence: '={{ $json.made }}' }],
		[
			'sequence in a list',
			{ recipientsFrom: 'list', payments: ({ made }: { made: string }) => [recipient(1, { sequence: made })] },
		],
	])('is refused as %s, and nothing is sent', async (_what, parameters) => {
		const options = { items: [recipient(1, { made: 'run 4711' })], executionId: '4711' };
		const refusal = await refusalOf(pay(parameters, { ...options, parents }));
		expect(refusal.text).toContain('contains the ID of this execution');
		expect(bank().seen).toEqual([]);
		await pay(parameters, options);
		expect(bank().seen).toHaveLength(1);
	});
});
