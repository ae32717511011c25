/** P1: items or a list become packages with exact totals; invalid input is not sent; results are assigned to their rows. */
import { packageIn, type PackageSent } from './support/payout.ts';
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import {
	jsonOf,
	mapped,
	refusalOf,
	run,
	type RunOptions,
	type Seen,
	useBank,
	outcomesOf,
	detailsIn,
} from './support/bank.ts';

// Skips the waits between reads of the claims.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const sender = {
	paymentRun: 'salary-2026-11',
	partnerId: 1001,
	inn: '7700000000',
	account: '40702810000000000001',
	signedBody: ' c2ln\n',
};
const recipient = (index: number, more: object = {}) => ({
	amount: 10,
	phone: `+7900000000${index % 10}`,
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: 1,
	...more,
});
const recipients = (count: number) => Array.from({ length: count }, (_, index) => recipient(index));

const bodies = () => bank().seen.map(packageIn);
const pay = (parameters: object = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...sender, ...mapped, ...parameters }, { items: recipients(2), ...options });
const payList = (payments: unknown, parameters: object = {}, options: RunOptions = {}) =>
	pay({ recipientsFrom: 'list', payments: () => payments, ...parameters }, { items: [{}], ...options });

let packages = 0;
const results = ({ payments }: PackageSent) =>
	payments.map(({ sequence, amount, phone, paymentDescription }) => ({
		amount,
		feeAmount: 0.5,
		transactionId: `tx-${sequence}`,
		phone,
		sequence,
		createDate: '2026-03-31T09:00:00.000Z',
		paymentDescription,
	}));
const accept = (seen: Seen): [number, unknown] => {
	const sent = packageIn(seen);
	return [200, { client: sent.client, payPackage: String(700 + ++packages), payments: results(sent) }];
};
beforeEach(() => {
	packages = 0;
	bank().answer = accept;
});

describe('a package of items', () => {
	it('holds every item, the exact total and nothing else', async () => {
		const items = [
			recipient(1, { amount: 0.1, extra: 'x', sequence: '1' }),
			recipient(2, {
				amount: '0.20',
				phone: '+7 (900) 000-00-02',
				sequence: 'mine',
				name: { last: 'Fakeman' },
				ric: '2',
			}),
		];
		await pay({ name: { last: '={{ $json.name.last }}' } }, { items });
		expect(bank().seen).toMatchObject([{ method: 'POST', path: '/api/b2cpay/jp/v1/payments', query: [] }]);
		expect(bank().seen[0]?.headers).toMatchObject({
			authorization: 'Bearer token of bankClientCredentialsOAuth2Api',
			accept: 'application/json',
			'content-type': 'application/json',
		});
		expect(bodies()).toEqual([
			{
				client: { partnerId: 1001 },
				inn: '7700000000',
				account: '40702810000000000001',
				total: 0.3,
				payments: [
					{
						amount: 0.1,
						phone: '+79000000001',
						nspkBankId: '100000000111',
						paymentDescription: 'Reward',
						ric: 1,
						sequence: '1',
					},
					{
						amount: 0.2,
						phone: '+79000000002',
						nspkBankId: '100000000111',
						paymentDescription: 'Reward',
						ric: 2,
						sequence: 'mine',
						name: { last: 'Fakeman' },
					},
				],
				// The signature is sent unchanged, because even a line break may be part of it.
				signedBody: ' c2ln\n',
			},
		]);
	});

	it('carries what is added to it', async () => {
		await pay({ additionalFields: { nameCheck: 'true', b2cClientId: 42, total: '20.00' } });
		expect(bodies()).toMatchObject([{ nameCheck: true, client: { b2cClientId: '42', partnerId: 1001 }, total: 20 }]);
	});

	it('adds up 500 payments exactly', async () => {
		const items = Array.from({ length: 500 }, (_, index) => recipient(index, { amount: ((index % 97) + 1) / 100 }));
		const output = await pay({}, { items });
		const cents = items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
		expect(bank().seen).toHaveLength(1);
		expect(bank().seen[0]?.text).toContain(`"total":${cents / 100},`);
		expect(bodies()[0]?.payments.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => String(index + 1)));
		expect(output).toHaveLength(500);
	});

	it('gets the same sequences on every run: where the user gives none, the positions', async () => {
		const items = [
			recipient(1),
			recipient(2, { sequence: '' }),
			recipient(3, { sequence: '  ' }),
			recipient(4, { sequence: null }),
		];
		await pay({}, { items });
		await pay({}, { items });
		expect(bodies()[0]?.payments.map(({ sequence }) => sequence)).toEqual(['1', '2', '3', '4']);
		expect(bank().seen[1]?.text).toBe(bank().seen[0]?.text);
	});
});

describe('is refused before anything is sent', () => {
	afterEach(() => expect(bank().seen).toEqual([]));

	it('with all faults of all items at once, each at its item', async () => {
		const items = [
			recipient(1, { amount: 1.005 }),
			recipient(2, { phone: '12' }),
			recipient(3, { ric: 'x', paymentDescription: '' }),
		];
		const refusal = await refusalOf(pay({ inn: '77', partnerId: '' }, { items }));
		expect(refusal.description).toBe(
			'Nothing was sent.<ul>' +
				'<li>Income Kind Code must be a whole number such as 12: "x" (item 2)</li>' +
				'<li>Partner ID is required (item 0)</li>' +
				'<li>Tax Number must have 10 or 12 digits, got 2: "77" (item 0)</li>' +
				'<li>Amount must have at most two decimals and 13 digits before them (round computed amounts): "1.005" (item 0)</li>' +
				'<li>Phone must be a phone number of 10 to 15 digits, with or without a leading +: "12" (item 1)</li>' +
				'<li>1 more: see <i>Error details</i></li></ul>',
		);
		expect(refusal.messages).toEqual(['Payment Description is required (item 2)']);
	});

	it.each([
		[{}, 'Sequence must differ in every row: "2" (all 2 items)'],
		[{ maxPayments: 1 }, 'Sequence is the same as in item 0. Remove duplicates before this node (item 1)'],
		[{ packagePerItem: true }, 'Sequence is the same as in item 0. Remove duplicates before this node (item 1)'],
	])('when two payments have one sequence, with the options %j', async (options, message) => {
		const items = [1, 2].map((index) => recipient(index, { sequence: '2' }));
		expect((await refusalOf(pay({ options }, { items }))).message).toBe(message);
	});

	it('when the expected total is another', async () => {
		expect((await refusalOf(pay({ additionalFields: { total: 20.01 } }))).message).toBe(
			'Expected Total is 20.01, but the payments add up to 20 (item 0)',
		);
	});

	it.each([
		['Tax Number', { inn: '={{ $json.from }}' }],
		['Account', { account: '={{ $json.from }}' }],
		['Partner ID', { partnerId: '={{ $json.from }}' }],
		['Client ID', { additionalFields: { b2cClientId: '={{ $json.from }}' } }],
		['Check Names', { additionalFields: { nameCheck: (json: { from: string }) => json.from === '7700000001' } }],
	])('when the items of one package differ in %s', async (field, parameters) => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '7700000001' })];
		const refusal = await refusalOf(pay(parameters, { items }));
		expect(refusal.message).toMatch(new RegExp(`^${field} differs from item 0, .* \\(item 1\\)$`));
	});

	it('and tells each item when the node goes on', async () => {
		const output = await pay(
			{ inn: '77' },
			{ items: [recipient(1), recipient(2, { phone: '' })], continueOnFail: true },
		);
		expect(output.map(({ json: { error }, pairedItem }) => [error, pairedItem])).toEqual([
			['Tax Number must have 10 or 12 digits, got 2: "77"', { item: 0 }],
			['Phone is required', { item: 1 }],
		]);
		for (const { json } of output)
			expect(json).toMatchObject({ details: { outcome: 'notSent', code: 'invalid_input' } });
	});
});

describe('several packages', () => {
	it('are made of a list that is longer than one may be, with sequences that go on', async () => {
		const output = await pay({ options: { maxPayments: 2 } }, { items: recipients(5) });
		expect(bodies().map(({ total, payments }) => [total, payments.map(({ sequence }) => sequence)])).toEqual([
			[20, ['1', '2']],
			[20, ['3', '4']],
			[10, ['5']],
		]);
		expect(output.map(({ json, pairedItem }) => [json.sequence, json.payPackage, pairedItem])).toEqual([
			['1', 701, { item: 0 }],
			['2', 701, { item: 1 }],
			['3', 702, { item: 2 }],
			['4', 702, { item: 3 }],
			['5', 703, { item: 4 }],
		]);
	});

	it('are made of items when each is a package of its own, with senders of its own', async () => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '770000000001' })];
		const output = await pay({ inn: '={{ $json.from }}', options: { packagePerItem: true } }, { items });
		expect(bodies().map(({ inn, payments }) => [inn, payments.length])).toEqual([
			['7700000000', 1],
			['770000000001', 1],
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('go one after the other, and none after one that the bank rejects', async () => {
		bank().answer = (seen) =>
			bank().seen.length === 2 ? [400, { error: 'invalid_request', error_description: 'no money' }] : accept(seen);
		const refusal = await refusalOf(pay({ options: { maxPayments: 1 } }, { items: recipients(3) }));
		expect(refusal.message).toBe('Pay people: the bank refused the request as invalid (400 invalid_request)');
		expect(refusal.description).toContain('no money moved');
		expect(refusal.description).toMatch(/^1 of 3 accepted: 10\.00; 1 rejected, 1 not sent\./);
		expect(bank().seen).toHaveLength(2);
	});

	it('tell every item of the rejected one, and go on, when the node goes on', async () => {
		bank().answer = (seen) => (bank().seen.length === 1 ? [400, { error: 'invalid_request' }] : accept(seen));
		const output = await pay({ options: { maxPayments: 2 } }, { items: recipients(3), continueOnFail: true });
		expect(outcomesOf(jsonOf(output)).map((outcome, index) => [outcome, output[index]?.pairedItem])).toEqual([
			['rejected', { item: 0 }],
			['rejected', { item: 1 }],
			['accepted', { item: 2 }],
		]);
	});
});

describe('a list', () => {
	it.each([
		['an array', recipients(2)],
		['JSON', JSON.stringify(recipients(2))],
	])('that is %s makes one package, and every result belongs to its item', async (_name, list) => {
		const output = await payList(list, {}, { items: [{}, {}] });
		expect(bodies().map(({ total, payments }) => [total, payments.length])).toEqual([
			[20, 2],
			[20, 2],
		]);
		expect(output.map(({ json, pairedItem }) => [json.sequence, pairedItem])).toEqual([
			['1', { item: 0 }],
			['2', { item: 0 }],
			['3', { item: 1 }],
			['4', { item: 1 }],
		]);
	});

	it.each([
		['text', 'not JSON'],
		['one recipient', recipient(1)],
		['a list of numbers', [1, 2]],
		['nothing', ''],
	])('that is %s is refused', async (_name, list) => {
		expect((await refusalOf(payList(list))).message).toContain('Payments must be a list of recipients');
		expect(bank().seen).toEqual([]);
	});

	it('is refused by the place of the fault, and by the name of a field that there is not', async () => {
		const refusal = await refusalOf(payList([recipient(1), recipient(2, { phone: 'x', sum: 5 })]));
		expect(refusal.description).toContain('Phone must be a phone number');
		expect(refusal.description).toContain('sum is not a field');
		expect(bank().seen).toEqual([]);
	});
});

describe('results', () => {
	const answering = (change: (rows: Record<string, unknown>[]) => unknown, rest: object = {}) =>
		(bank().answer = (seen) => {
			const [status, answer] = accept(seen) as [number, { payments: Record<string, unknown>[] }];
			return [status, { ...answer, payments: change(answer.payments), ...rest }];
		});
	/** Sequence, outcome and package of each item, taken from the item or from its error details. */
	const toldIn = (output: Awaited<ReturnType<typeof pay>>) =>
		output.map(({ json, pairedItem }) => {
			const { sequence, outcome, payPackage }: Record<string, unknown> = { ...json, ...detailsIn(json) };
			return [sequence, outcome, payPackage, pairedItem];
		});

	it('go back to their items by sequence, whatever the order of the answer', async () => {
		answering((rows) => rows.reverse());
		const output = await pay({}, { items: [recipient(1, { sequence: '1' }), recipient(2, { sequence: 'b' })] });
		expect(output).toMatchObject([
			{
				json: {
					amount: 10,
					feeAmount: 0.5,
					transactionId: 'tx-1',
					phone: '+79000000001',
					sequence: '1',
					createDate: '2026-03-31T09:00:00.000Z',
					paymentDescription: 'Reward',
					client: { partnerId: 1001 },
					payPackage: 701,
					outcome: 'accepted',
				},
				pairedItem: { item: 0 },
			},
			{
				json: expect.objectContaining({ transactionId: 'tx-b', sequence: 'b', outcome: 'accepted' }),
				pairedItem: { item: 1 },
			},
		]);
	});

	it('with a number for the sequence are found as well', async () => {
		answering((rows) => rows.map((row) => ({ ...row, sequence: Number(row.sequence) })));
		expect(jsonOf(await pay()).map(({ sequence, outcome }) => [sequence, outcome])).toEqual([
			['1', 'accepted'],
			['2', 'accepted'],
		]);
	});

	it('that are left out are unknown, never paid or unpaid', async () => {
		answering((rows) => rows.slice(1));
		const output = await pay({}, { continueOnFail: true });
		expect(toldIn(output)).toEqual([
			['1', 'unknown', 701, { item: 0 }],
			['2', 'accepted', 701, { item: 1 }],
		]);
		expect(output[0]?.json.error).toContain('does not name this payment');
	});

	it('that nobody asked for are not lost, and nobody takes them for paid', async () => {
		answering((rows) => [{ ...rows[0], sequence: '99' }, ...rows, { ...rows[1], transactionId: 'second' }]);
		const output = await pay({}, { continueOnFail: true });
		expect(output.map(({ json: { outcome, details }, pairedItem }) => [outcome ?? details, pairedItem])).toEqual([
			['accepted', { item: 0 }],
			['accepted', { item: 1 }],
			[
				expect.objectContaining({ outcome: 'unknown', answered: expect.objectContaining({ sequence: '99' }) }),
				{ item: 0 },
			],
			[
				expect.objectContaining({ outcome: 'unknown', answered: expect.objectContaining({ transactionId: 'second' }) }),
				{ item: 1 },
			],
		]);
	});

	it('that come twice are one', async () => {
		answering((rows) => [...rows, ...rows]);
		expect(jsonOf(await pay()).map(({ sequence }) => sequence)).toEqual(['1', '2']);
	});

	it.each<[string, object, string]>([
		['another amount', { amount: 999 }, 'names another amount'],
		['another phone', { phone: '+79990000000' }, 'names another phone'],
		['another bank', { nspkBankId: '100000000999' }, 'names another recipient bank'],
		...[
			undefined,
			null,
			'',
			' ',
			'-',
			'0',
			'000',
			0,
			'null',
			'None',
			'N/A',
			'n/a',
			'00000000-0000-0000-0000-000000000000',
		].map((transactionId): [string, object, string] => [
			`the transaction ID ${JSON.stringify(transactionId)}`,
			{ transactionId },
			'no transaction ID',
		]),
		['an error', { error: { code: 5 } }, 'reports an error'],
		...['REJECTED', 'Failed', 'ERROR', 'Cancelled'].map((status): [string, object, string] => [
			`the status ${status}`,
			{ status },
			'',
		]),
		...['CREATED', 'PENDING', 'IN_PROGRESS', '\u041e\u0442\u043a\u0430\u0437', 'new', '1', 2, false].map(
			(status): [string, object, string] => [
				`the status ${JSON.stringify(status)}`,
				{ status },
				'a status that is not known to mean accepted',
			],
		),
		...['state', 'result', 'paymentStatus', 'transaction_state', 'operationResult', 'statusCode'].map(
			(field): [string, object, string] => [`${field} HOLD`, { [field]: 'HOLD' }, 'a status that is not known'],
		),
	])('with %s are unknown, with what the bank said', async (_name, change, words) => {
		answering(([first, ...rows]) => [{ ...first, ...change }, ...rows]);
		const [own, other] = await pay({}, { continueOnFail: true });
		expect(own?.json.error).toContain(words);
		expect(own?.json.details).toMatchObject({ outcome: 'unknown', sequence: '1', answered: { sequence: '1' } });
		expect(other?.json.outcome).toBe('accepted');
	});

	it.each([
		['account', { account: '40702810000000000002' }],
		['tax number', { inn: '7700000001' }],
		['partner', { client: { partnerId: 2 } }],
	])('of a package with another %s confirm nothing', async (_what, rest) => {
		answering((rows) => rows, rest);
		const output = await pay({}, { continueOnFail: true });
		expect(output.map(({ json }) => json.error)).toEqual(
			[1, 2].map(() => expect.stringContaining('another account or partner')),
		);
	});

	it.each([{ status: 'PENDING' }, { state: 'REGISTERED' }, { resultCode: 17 }])(
		'of a package with %j confirm nothing',
		async (rest) => {
			answering((rows) => rows, rest);
			const output = await pay({}, { continueOnFail: true });
			expect(output.map(({ json }) => json.details)).toMatchObject([1, 2].map(() => ({ outcome: 'unknown' })));
		},
	);

	it('with a status that the user knows to be good are accepted', async () => {
		answering((rows) => rows.map((row) => ({ ...row, status: 'In Queue' })), { state: 'QUEUED' });
		const parameters = { options: { acceptedStatuses: 'queued, in-queue' } };
		expect(jsonOf(await pay(parameters)).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	});

	it('with one transaction ID for two payments confirm neither', async () => {
		answering((rows) => rows.map((each) => ({ ...each, transactionId: 'tx-1' })));
		const output = await pay({}, { continueOnFail: true });
		expect(output.map(({ json }) => json.error)).toEqual(
			[1, 2].map(() => expect.stringContaining('the same transaction ID')),
		);
		expect(output.map(({ json }) => json.details)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
	});

	it.each([{ status: 'ERROR' }, { error: 'internal_error', error_description: 'rolled back' }])(
		'beside which the answer says %j confirm nothing',
		async (said) => {
			answering((rows) => rows);
			const { answer } = bank();
			bank().answer = (request) => {
				const [status, body] = answer(request) as [number, object];
				return [status, { ...body, ...said }];
			};
			const output = await pay({}, { continueOnFail: true });
			expect(output.map(({ json }) => json.details)).toMatchObject(
				[1, 2].map(() => ({ outcome: 'unknown', code: 'unreadable_answer' })),
			);
		},
	);

	it.each([
		...['accepted', 'Accepted', 'EXECUTED', 'success', 'Done', 'OK', 'processed', 'PAID', null, '', true].map(
			(status): [string, object] => [`the status ${JSON.stringify(status)}`, { status }],
		),
		['a code of success', { resultCode: 0, statusCode: '200' }],
		['no error', { errorCode: 0, error: null }],
		['what the request said as well', { account: sender.account, inn: sender.inn, nspkBankId: '100000000111' }],
		['an amount as text', { amount: '10.00' }],
		['a phone that is written otherwise', { phone: '8 (900) 000-00-00' }],
		['a phone that is masked', { phone: '+7900***0000' }],
	] as [string, object][])('with %s are accepted', async (_name, change) => {
		answering(([first, ...rows]) => [{ ...first, ...change }, ...rows]);
		expect(jsonOf(await pay()).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	});

	it.each([
		['missing', undefined],
		['null', null],
		['an object', {}],
		['a list of nothing', [null, 3]],
	])('that are %s in an accepted package leave its payments unknown, not unsent', async (_name, payments) => {
		bank().answer = () => [200, { payPackage: 700, ...(payments === undefined ? {} : { payments }) }];
		const refusal = await refusalOf(pay());
		expect(refusal.description).toMatch(/^0 of 2 accepted; 2 unknown\./);
		const output = await pay({}, { continueOnFail: true });
		expect(output.map(({ json }) => Object.keys(json))).toEqual([1, 2].map(() => ['error', 'message', 'details']));
		expect(toldIn(output)).toEqual(['1', '2'].map((sequence, item) => [sequence, 'unknown', 700, { item }]));
	});
});

describe('nobody is paid twice', () => {
	/** Executions of one workflow; `database` keeps n8n's data between them. */
	let database: FakeDatabase;
	let executions = 0;
	beforeEach(() => (database = new FakeDatabase()));
	const execute = async (parameters: object = {}, options: RunOptions = {}) => {
		const own = { remembered: database, executionId: String(++executions), continueOnFail: true, ...options };
		const told = await pay(parameters, own);
		return outcomesOf(jsonOf(told));
	};
	const paid = () => bodies().flatMap(({ payments }) => payments).length;

	it.each([
		['several packages', { options: { maxPayments: 1 } }],
		['one package per item', { options: { packagePerItem: true } }],
		['another signature', { signedBody: 'another' }],
		['another spelling of the payment run', { paymentRun: ' Salary\u20112026\u201111\u200b' }],
		['another spelling of the account', { account: '40702 810-0000 0000 0001' }],
	])('by the same rows as %s', async (_how, parameters) => {
		await execute();
		expect(await execute(parameters)).toEqual(['alreadyAccepted', 'alreadyAccepted']);
		expect(paid()).toBe(2);
	});

	it.each([{ phone: '79000000001' }, { phone: '+7 (900) 000-00-01' }, { phone: '89000000001' }, { amount: '10.00' }])(
		'by a recipient who is written as %j',
		async (change) => {
			await execute({}, { items: [recipient(1)] });
			expect(await execute({}, { items: [recipient(1, change)] })).toEqual(['alreadyAccepted']);
			expect(paid()).toBe(1);
		},
	);

	it.each(['cafe\u0301', 'CAF\u00c9', ' caf\u00e9 ', 'caf\u00e9\u200b'])(
		'by a sequence that is written as %j',
		async (sequence) => {
			await execute({}, { items: [recipient(1, { sequence: 'caf\u00e9' })] });
			expect(await execute({}, { items: [recipient(1, { sequence })] })).toEqual(['alreadyAccepted']);
			expect(paid()).toBe(1);
		},
	);

	it.each([
		['payment run', { paymentRun: 'salary-2026-12' }, {}],
		['phone', {}, { phone: '+79990000000' }],
	])('but another %s is another payment', async (_what, parameters, change) => {
		await execute({}, { items: [recipient(1)] });
		expect(await execute(parameters, { items: [recipient(1, change)] })).toEqual(['accepted']);
	});

	it('and of several packages that were sent in part, the others go out', async () => {
		const apart = { options: { packagePerItem: true } };
		bank().answer = (seen) => (packageIn(seen).payments[0]?.phone.endsWith('1') === true ? [400] : accept(seen));
		expect(await execute(apart, { items: recipients(3) })).toEqual(['accepted', 'rejected', 'accepted']);
		bank().answer = accept;
		expect(await execute(apart, { items: recipients(3) })).toEqual(['alreadyAccepted', 'accepted', 'alreadyAccepted']);
	});

	it('where the user wants a run to be refused as soon as one of its payments was sent before', async () => {
		await execute({}, { items: [recipient(1)] });
		const refusal = await refusalOf(
			pay({ options: { ifAlreadySent: 'refuse' } }, { items: recipients(3), remembered: database, executionId: '99' }),
		);
		expect(refusal.message).toBe('Sequence was already sent: "2" (item 1)');
		expect(refusal.description).toContain('Nothing was sent.');
		expect(paid()).toBe(1);
		const others = [recipient(2), recipient(3)];
		expect(await execute({ options: { ifAlreadySent: 'refuse' } }, { items: others })).toEqual([
			'accepted',
			'accepted',
		]);
	});

	it.each(['items', 'columns'])('by a node behind it that reads its output: %s', async (recipientsFrom) => {
		const sent = jsonOf(await pay({}, { remembered: database }));
		const again = { recipientsFrom, sequence: '={{ $json.sequence }}' };
		expect(await execute(again, { items: sent })).toEqual(['alreadyAccepted', 'alreadyAccepted']);
		expect(paid()).toBe(2);
	});

	it('by rows that each name another workflow to share with: nothing is sent', async () => {
		const items = recipients(2).map((row, index) => ({ ...row, shared: index === 0 ? 'one' : 'two' }));
		const options = { shareProtectionWith: { __rl: true, mode: 'id', value: '={{ $json.shared }}' } };
		expect(await execute({ options }, { items })).toEqual(['notSent', 'notSent']);
		expect(paid()).toBe(0);
	});

	it('and the error that stops the node says what the run did, which sequences it is about, and what was accepted', async () => {
		const items = ['a', 'b', 'c', 'd'].map((sequence, index) => recipient(index, { sequence }));
		bank().answer = (seen) => (packageIn(seen).payments[0]?.sequence === 'a' ? accept(seen) : [500]);
		const refusal = await refusalOf(pay({ options: { maxPayments: 2 } }, { items }));
		expect(refusal.description).toMatch(/^2 of 4 accepted: .*; 2 unknown\./);
		expect(refusal.context.details).toMatchObject({
			outcome: 'unknown',
			sequences: ['c', 'd'],
			carriedOut: [
				{ sequence: 'a', transactionId: 'tx-a', payPackage: 701 },
				{ sequence: 'b', transactionId: 'tx-b', payPackage: 701 },
			],
		});
	});
});

describe('the payment run', () => {
	let asked = 0;

	it.each(['', ' ', null, undefined])('is required: %j is none', async (paymentRun) => {
		const refusal = await refusalOf(pay({ paymentRun: () => paymentRun }));
		expect(refusal.text).toContain('Payment Run is required');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['the execution', '={{ $execution.id }}'],
		['what is another one when it is asked again', () => `run ${++asked}`],
	])('is refused where it comes from %s', async (_what, paymentRun) => {
		const refusal = await refusalOf(pay({ paymentRun }, { items: [recipient(1)] }));
		expect(refusal.text).toContain('Payment Run must be the same on every run');
		expect(bank().seen).toEqual([]);
	});

	it('must be the same for all items of a package', async () => {
		const refusal = await refusalOf(pay({ paymentRun: (_json: object, item: number) => `run ${item}` }));
		expect(refusal.text).toContain('Payment Run differs from item 0');
	});
});

describe('the hint above the output', () => {
	const hintsOf = async (parameters: object, options: RunOptions) => {
		const hints: { type: string; message: string }[] = [];
		await pay(parameters, { ...options, hints, continueOnFail: true });
		return hints.map(({ type, message }) => `${type}: ${message}`);
	};
	const named = recipients(2).map((row, index) => ({ ...row, sequence: `s-${index}` }));

	it('says what the run did', async () => {
		expect(await hintsOf({}, { items: named })).toEqual([
			expect.stringMatching(/^info: 2 of 2 accepted: .*Nothing is open\.$/),
		]);
		bank().answer = () => [200, { payPackage: 1, client: { partnerId: 1001 }, payments: [] }];
		expect(await hintsOf({}, { items: named })).toEqual([
			expect.stringMatching(/^danger: 0 of 2 accepted; 2 unknown\. /),
		]);
	});

	it('says that rows without a sequence are known by their phone, and which of them are equal', async () => {
		const [result, first, second] = await hintsOf({}, { items: [recipient(1), recipient(2), recipient(1)] });
		expect(result).toMatch(/^info: 3 of 3 accepted/);
		expect(first).toMatch(/^info: No sequence: payments are recognized by phone number/);
		expect(second).toMatch(/^warning: Equal rows: items 0, 2 /);
		const differ = [recipient(1), recipient(1, { amount: 11 })];
		expect((await hintsOf({}, { items: differ })).join()).not.toContain('Equal rows');
	});

	it('says that a manual run in production paid for real', async () => {
		const bankClientCredentialsOAuth2Api = {
			environment: 'production',
			productionBaseUrl: 'https://bank.test',
			token: 'x',
		};
		const production = { items: named, credentials: { bankClientCredentialsOAuth2Api } };
		const text = 'warning: This was a manual run, and it paid for real';
		expect((await hintsOf({}, { ...production, mode: 'manual' })).join()).toContain(text);
		expect((await hintsOf({}, production)).join()).not.toContain(text);
		expect((await hintsOf({}, { items: named, mode: 'manual' })).join()).not.toContain(text);
	});

	it("says that the payment run contains today's date", async () => {
		const today = new Date().toISOString().slice(0, 10);
		expect((await hintsOf({ paymentRun: `salary ${today}` }, { items: named })).join()).toContain(
			"contains today's date",
		);
		expect((await hintsOf({ paymentRun: 'salary 2020-01-01' }, { items: named })).join()).not.toContain("today's date");
	});

	it('says that the payment log could not be written; payments are still sent', async () => {
		const remembered = new FakeDatabase();
		remembered.tableFailure = 'all';
		const hints = (await hintsOf({}, { items: named, remembered })).join();
		expect(hints).toContain('The payment log could not be read or written (Data table size limit exceeded)');
		expect(hints).toContain('2 of 2 accepted');
	});
});

describe('a name that an earlier node made of the clock or the execution', () => {
	const now = () => new Date().toISOString();
	const parents = [{ name: 'Set', parameters: { value: '={{ $execution.id }}' } }];

	it.each([
		['payment run', { paymentRun: '={{ $json.made }}' }],
		['sequence', { sequence: '={{ $json.made }}' }],
		[
			'sequence of a list',
			{
				recipientsFrom: 'list',
				payments: (json: object) => [{ ...recipient(1), sequence: (json as { made: string }).made }],
			},
		],
	])('is refused as %s, and nothing is sent', async (_what, parameters) => {
		for (const [made, words] of [
			[`run ${now()}`, 'contains the current time'],
			['run 4711', 'contains the ID of this execution'],
			['https://n8n.test/webhook-waiting/4711', 'contains a resume URL'],
		] as const) {
			const refusal = await refusalOf(
				pay(parameters, { items: [recipient(1, { made })], executionId: '4711', parents }),
			);
			expect(refusal.text).toContain(words);
			expect(bank().seen).toEqual([]);
		}
		await pay(parameters, { items: [recipient(1, { made: 'run 4711' })], executionId: '4711' });
		expect(bank().seen).toHaveLength(1);
	});
});
