/** P1: items or a list become packages, exactly; nothing doubtful is sent; results find their way back. */
import { createHash } from 'node:crypto';

import { jsonOf, mapped, refusalOf, run, type RunOptions, type Seen, useBank } from './support/bank.ts';

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

interface Body {
	total: number;
	payments: { sequence: string; amount: number; phone: string; name?: object; [field: string]: unknown }[];
	[field: string]: unknown;
}
const bodies = () => bank().seen.map(({ body }) => body as Body);
const pay = (parameters: object = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...sender, ...mapped, ...parameters }, { items: recipients(2), ...options });
const payList = (payments: unknown, parameters: object = {}, options: RunOptions = {}) =>
	pay({ recipientsFrom: 'list', payments: () => payments, ...parameters }, { items: [{}], ...options });

let packages = 0;
const results = ({ payments }: Body) =>
	payments.map(({ sequence, amount, phone, paymentDescription }) => ({
		amount,
		feeAmount: 0.5,
		transactionId: `tx-${sequence}`,
		phone,
		sequence,
		createDate: '2026-03-31T09:00:00.000Z',
		paymentDescription,
	}));
const accept = ({ body }: Seen): [number, unknown] => [
	200,
	{ client: (body as Body).client, payPackage: String(700 + ++packages), payments: results(body as Body) },
];
beforeEach(() => {
	packages = 0;
	bank().answer = accept;
});

describe('a package of items', () => {
	it('holds every item, the exact total and nothing else', async () => {
		const items = [
			recipient(1, { amount: 0.1, extra: 'x' }),
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
				// The signature goes as it is given: even a line break may belong to it.
				signedBody: ' c2ln\n',
			},
		]);
	});

	it('carries what is added to it', async () => {
		await pay({ additionalFields: { nameCheck: 'true', b2cClientId: 42, total: '20.00' } });
		expect(bodies()).toMatchObject([{ nameCheck: true, client: { b2cClientId: '42', partnerId: 1001 }, total: 20 }]);
	});

	it('adds up amounts as sheets write them', async () => {
		await pay({}, { items: ['1 000,50', '0,5', 2].map((amount, index) => recipient(index, { amount })) });
		expect(bodies()[0]).toMatchObject({ total: 1003, payments: [{ amount: 1000.5 }, { amount: 0.5 }, { amount: 2 }] });
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

	it("gets the same sequences on every run: the user's own, else the position", async () => {
		const items = [
			recipient(1),
			recipient(2, { sequence: 'mine' }),
			recipient(3, { sequence: '  ' }),
			recipient(4, { sequence: null }),
		];
		await pay({}, { items });
		await pay({}, { items });
		expect(bodies()[0]?.payments.map(({ sequence }) => sequence)).toEqual(['1', 'mine', '3', '4']);
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
		const faults = refusal.description.split('\n').slice(2);
		expect(refusal.description).toMatch(/^Nothing was sent\./);
		for (const part of [
			'Item 0: amount',
			'Item 1: phone',
			'Item 2: Income Kind Code (ric)',
			'Item 2: paymentDescription is required',
			'Item 0: Tax Number (inn) must have 10 or 12 digits, got 2',
			'Item 0: Partner ID (client.partnerId) is required',
		]) {
			expect(faults.filter((fault) => fault.includes(part))).toHaveLength(1);
		}
		expect(faults).toHaveLength(6);
	});

	it.each([
		['too many decimals', { amount: '10.001' }, 'amount'],
		['nothing', { amount: 0 }, 'amount'],
		['a negative amount', { amount: -5 }, 'amount'],
		['a comma that may stand between thousands', { amount: '1,500' }, 'amount must be written with a point'],
		['no amount', { amount: undefined }, 'amount is required'],
		['an amount that is no number', { amount: 'ten' }, 'amount'],
		['scientific notation', { amount: '1e3' }, 'amount'],
		[
			'a bank that lost digits',
			{ nspkBankId: Number('1000000001110000123') },
			'Recipient Bank ID (nspkBankId) arrived as a number',
		],
	])('because of %s', async (_name, more, fault) => {
		const refusal = await refusalOf(pay({}, { items: [recipient(1), recipient(2, more)] }));
		expect(refusal.message).toContain(`Item 1: ${fault}`);
		expect(refusal.message).not.toContain('total');
	});

	it('when two payments have one sequence', async () => {
		const refusal = await refusalOf(pay({}, { items: [recipient(1, { sequence: '2' }), recipient(2)] }));
		expect(refusal.message).toBe('Item 1: sequence repeats the one of item 0: each payment of a package needs its own');
	});

	it('when the expected total is another', async () => {
		expect((await refusalOf(pay({ additionalFields: { total: 20.01 } }))).message).toBe(
			'Item 0: total is 20.01, and the payments add up to 20: see which payment is wrong, missing or there twice',
		);
	});

	it('without a signature', async () => {
		expect((await refusalOf(pay({ signedBody: '' }))).message).toContain('Signature (signedBody) is required');
	});

	it.each([
		['inn', { inn: '={{ $json.from }}' }],
		['account', { account: '={{ $json.from }}' }],
		['partnerId', { partnerId: '={{ $json.from }}' }],
		['b2cClientId', { additionalFields: { b2cClientId: '={{ $json.from }}' } }],
		['nameCheck', { additionalFields: { nameCheck: (json: { from: string }) => json.from === '7700000001' } }],
	])('when the items of one package differ in %s', async (field, parameters) => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '7700000001' })];
		const refusal = await refusalOf(pay(parameters, { items }));
		expect(refusal.message).toMatch(new RegExp(`^Item 1: (?:[\\w ]+ \\()?${field}\\)? differs from that of item 0`));
	});

	it('when a column of the recipients is taken for the tax number of the sender', async () => {
		const items = [recipient(1, { from: '7700000000' }), recipient(2, { from: '7700000001' })];
		expect((await refusalOf(pay({ inn: '={{ $json.from }}' }, { items }))).message).toContain(
			'has only one, that of the sender, not of the recipients',
		);
	});

	it.each(['none', -1, 1.5])('with %s payments per package', async (maxPayments) => {
		expect((await refusalOf(pay({ options: { maxPayments: () => maxPayments } }))).message).toContain(
			'maxPayments must be a whole number',
		);
	});

	it('and tells each item when the node goes on', async () => {
		const output = await pay(
			{ inn: '77' },
			{ items: [recipient(1), recipient(2, { phone: '' })], continueOnFail: true },
		);
		expect(output.map(({ json: { error }, pairedItem }) => [error, pairedItem])).toEqual([
			['Tax Number (inn) must have 10 or 12 digits, got 2', { item: 0 }],
			['phone is required', { item: 1 }],
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

	it('are made alike when the maximum comes from an expression as text', async () => {
		await pay(
			{ options: { maxPayments: '={{ $json.max }}' } },
			{ items: recipients(3).map((row) => ({ ...row, max: '2' })) },
		);
		expect(bodies().map(({ payments }) => payments.map(({ sequence }) => sequence))).toEqual([['1', '2'], ['3']]);
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

	it('have signatures of their own where items give them', async () => {
		const items = [recipient(1, { signed: 'b25l' }), recipient(2, { signed: 'dHdv' })];
		await pay({ signedBody: '={{ $json.signed }}', options: { packagePerItem: true } }, { items });
		expect(bodies().map(({ signedBody }) => signedBody)).toEqual(['b25l', 'dHdv']);
	});

	it('go one after the other, and none after one that the bank rejects', async () => {
		bank().answer = (seen) =>
			bank().seen.length === 2 ? [400, { error: 'invalid_request', error_description: 'no money' }] : accept(seen);
		const refusal = await refusalOf(pay({ options: { maxPayments: 1 } }, { items: recipients(3) }));
		expect(refusal.message).toBe(
			'Send package of payments: the bank refused the request as invalid (400 invalid_request)',
		);
		expect(refusal.description).toContain('no money moved');
		expect(refusal.description).toContain('Of 3 requests, 1 was carried out before this one; the rest were not sent.');
		expect(bank().seen).toHaveLength(2);
	});

	it('tell every item of the rejected one, and go on, when the node goes on', async () => {
		bank().answer = (seen) => (bank().seen.length === 1 ? [400, { error: 'invalid_request' }] : accept(seen));
		const output = await pay({ options: { maxPayments: 2 } }, { items: recipients(3), continueOnFail: true });
		expect(
			output.map(({ json, pairedItem }) => [
				(json.details as { outcome?: string } | undefined)?.outcome ?? json.outcome,
				pairedItem,
			]),
		).toEqual([
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

	it('may be longer than a package', async () => {
		const output = await payList(recipients(3), { options: { maxPayments: 2 } });
		expect(bodies().map(({ payments }) => payments.map(({ sequence }) => sequence))).toEqual([['1', '2'], ['3']]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
	});

	it.each([
		['text', 'not JSON'],
		['one recipient', recipient(1)],
		['a list of numbers', [1, 2]],
		['nothing', ''],
	])('that is %s is refused', async (_name, list) => {
		expect((await refusalOf(payList(list))).message).toContain('payments must be a list of recipients');
		expect(bank().seen).toEqual([]);
	});

	it('that is empty is refused', async () => {
		expect((await refusalOf(payList([]))).message).toContain('payments must hold at least one payment');
		expect(bank().seen).toEqual([]);
	});

	it('is refused by the place of the fault, and by the name of a field that there is not', async () => {
		const refusal = await refusalOf(payList([recipient(1), recipient(2, { phone: 'x', sum: 5 })]));
		expect(refusal.description).toContain('payments[1].phone must be a phone number');
		expect(refusal.description).toContain('payments[1].sum is not a field');
		expect(bank().seen).toEqual([]);
	});
});

describe('results', () => {
	const answering = (change: (rows: Record<string, unknown>[]) => unknown) =>
		(bank().answer = (seen) => {
			const [status, answer] = accept(seen) as [number, { payments: Record<string, unknown>[] }];
			return [status, { ...answer, payments: change(answer.payments) }];
		});

	it('go back to their items by sequence, whatever the order of the answer', async () => {
		answering((rows) => rows.reverse());
		const output = await pay({}, { items: [recipient(1), recipient(2, { sequence: 'b' })] });
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
		const output = await pay();
		expect(output.map(({ json, pairedItem }) => [json.sequence, json.outcome, json.payPackage, pairedItem])).toEqual([
			['1', 'unknown', 701, { item: 0 }],
			['2', 'accepted', 701, { item: 1 }],
		]);
		expect(output[0]?.json.note).toContain('check with the bank before sending them again');
	});

	it('that nobody asked for are not lost, and nobody takes them for paid', async () => {
		answering((rows) => [{ ...rows[0], sequence: '99' }, ...rows, { ...rows[1], transactionId: 'second' }]);
		const told = (await pay()).map(({ json: { sequence, outcome, transactionId }, pairedItem }) => [
			sequence,
			outcome,
			transactionId,
			pairedItem,
		]);
		expect(told).toEqual([
			['1', 'accepted', 'tx-1', { item: 0 }],
			['2', 'accepted', 'tx-2', { item: 1 }],
			['99', 'unknown', 'tx-1', { item: 0 }],
			['2', 'unknown', 'second', { item: 1 }],
		]);
	});

	it('that come twice are one', async () => {
		answering((rows) => [...rows, ...rows]);
		expect(jsonOf(await pay()).map(({ sequence }) => sequence)).toEqual(['1', '2']);
	});

	it.each([
		['another amount', { amount: 999 }, 'names another amount for this payment'],
		['another phone', { phone: '+79990000000' }, 'names another phone for this payment'],
		['no transaction ID', { transactionId: undefined }, 'gives this payment no transaction ID'],
		['an empty transaction ID', { transactionId: '' }, 'gives this payment no transaction ID'],
		['an error', { error: { code: 5 } }, 'speaks of an error at this payment'],
		['the state of a failure', { status: 'REJECTED' }, 'speaks of an error at this payment'],
	])('with %s are unknown, with what the bank said', async (_name, change, words) => {
		answering(([first, ...rows]) => [{ ...first, ...change }, ...rows]);
		const [own, other] = await pay({}, { continueOnFail: true });
		expect(own?.json.error).toContain(words);
		expect(own?.json.details).toMatchObject({ outcome: 'unknown', sequences: ['1'], answered: { sequence: '1' } });
		expect(other?.json.outcome).toBe('accepted');
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
		['a state that is none of failure, and no error', { status: 'CREATED', errorCode: 0, error: null }],
		['an amount as text', { amount: '10.00' }],
		['a phone that is written otherwise', { phone: '8 (900) 000-00-00' }],
		['a phone that is masked', { phone: '+7900***0000' }],
	])('with %s are accepted', async (_name, change) => {
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
		const expected = ['1', '2'].map((sequence, item) => [sequence, 'unknown', 700, { item }]);
		const stopping = await pay();
		expect(stopping.map(({ json, pairedItem }) => [json.sequence, json.outcome, json.payPackage, pairedItem])).toEqual(
			expected,
		);
		// What is unknown goes to the error output, where there is one.
		const output = await pay({}, { continueOnFail: true });
		expect(output.map(({ json }) => Object.keys(json))).toEqual(expected.map(() => ['error', 'message', 'details']));
		const told = output.map(({ json: { details }, pairedItem }) => {
			const { sequences, outcome, payPackage } = details as Record<string, unknown>;
			return [(sequences as string[])[0], outcome, payPackage, pairedItem];
		});
		expect(told).toEqual(expected);
	});
});

describe('nobody is paid twice', () => {
	/** What n8n remembers over the executions of a workflow, and how often each phone was paid. */
	const executions = () => {
		const remembered = new Set<string>();
		let execution = 0;
		return async (parameters: object = {}, options: RunOptions = {}) => {
			const own = { remembered, executionId: String(++execution), continueOnFail: true, ...options };
			const told = await pay(parameters, own);
			return told.map(({ json }) => json.outcome ?? (json.details as { outcome: string }).outcome);
		};
	};
	const paid = () => {
		const times: Record<string, number> = {};
		for (const { phone } of bodies().flatMap(({ payments }) => payments)) times[phone] = (times[phone] ?? 0) + 1;
		return Object.values(times);
	};

	it('by the same rows in another execution: what was sent before is told as unknown', async () => {
		const execute = executions();
		expect(await execute()).toEqual(['accepted', 'accepted']);
		expect(await execute()).toEqual(['unknown', 'unknown']);
		expect(paid()).toEqual([1, 1]);
	});

	it('by executions at the same moment: one of them pays', async () => {
		const execute = executions();
		const told = await Promise.all(Array.from({ length: 20 }, () => execute()));
		expect(told.filter(([outcome]) => outcome === 'accepted')).toHaveLength(1);
		expect(told.flat().filter((outcome) => outcome !== 'accepted' && outcome !== 'unknown')).toEqual([]);
		expect(paid()).toEqual([1, 1]);
	});

	it.each([
		['several packages', { options: { maxPayments: 1 } }],
		['one package per item', { options: { packagePerItem: true } }],
		['another description', { paymentDescription: 'Anew' }],
		['another signature', { signedBody: 'another' }],
	])('by the same rows as %s', async (_how, parameters) => {
		const execute = executions();
		await execute();
		expect(await execute(parameters)).toEqual(['unknown', 'unknown']);
		expect(paid()).toEqual([1, 1]);
	});

	it.each(['79000000001', '+7 (900) 000-00-01', '89000000001'])('by a phone that is written as %s', async (phone) => {
		const execute = executions();
		await execute({}, { items: [recipient(1)] });
		expect(await execute({}, { items: [recipient(1, { phone })] })).toEqual(['unknown']);
		expect(paid()).toEqual([1]);
	});

	it.each([
		['in capitals', 'SALARY caf\u00e9'],
		['with other spaces', ' salary \u00a0 caf\u00e9'],
		['in another form of Unicode', 'salary cafe\u0301'],
		['with a sign that nobody sees', 'salary\u200b caf\u00e9'],
	])('by a payment run that is written %s', async (_how, paymentRun) => {
		const execute = executions();
		await execute({ paymentRun: 'salary caf\u00e9' });
		expect(await execute({ paymentRun })).toEqual(['unknown', 'unknown']);
		expect(paid()).toEqual([1, 1]);
	});

	it.each([
		['account', { account: '40702 810 0000 0000 0001' }, {}],
		['account', { account: '40702810-000000000001\u200b' }, {}],
		['bank', {}, { nspkBankId: '１００００００００１１１' }],
		['bank', {}, { nspkBankId: '100000000111\u200b' }],
	])('by the %s that is written otherwise', async (_what, parameters, change) => {
		const execute = executions();
		await execute({}, { items: [recipient(1)] });
		expect(await execute(parameters, { items: [recipient(1, change)] })).toEqual(['unknown']);
		expect(paid()).toEqual([1]);
	});

	it('by a sequence in another form of Unicode', async () => {
		const execute = executions();
		await execute({}, { items: [recipient(1, { sequence: 'caf\u00e9' })] });
		expect(await execute({}, { items: [recipient(1, { sequence: 'cafe\u0301' })] })).toEqual(['unknown']);
	});

	it('by the word of another item in Send Again: nothing is sent where the items of a package do not agree', async () => {
		const execute = executions();
		await execute();
		const items = recipients(2).map((row, index) => ({ ...row, again: index === 0 ? 'word' : '' }));
		expect(await execute({ options: { sendAgain: '={{ $json.again }}' } }, { items })).toEqual(['notSent', 'notSent']);
		expect(paid()).toEqual([1, 1]);
	});

	it('by rows that moved: equal ones are counted, others are known by themselves', async () => {
		const execute = executions();
		const twice = [recipient(1), recipient(1), recipient(2)];
		await execute({}, { items: twice });
		expect(await execute({}, { items: twice.toReversed() })).toEqual(['unknown', 'unknown', 'unknown']);
		expect(paid()).toEqual([2, 1]);
	});

	it.each([
		['payment run', { paymentRun: 'salary-2026-12' }, {}],
		['account', { account: '40702810000000000002' }, {}],
		['amount', {}, { amount: 11 }],
		['bank', {}, { nspkBankId: '100000000112' }],
		['sequence', {}, { sequence: 'own' }],
		['phone', {}, { phone: '+79990000000' }],
	])('but another %s is another payment', async (_what, parameters, change) => {
		const execute = executions();
		await execute({}, { items: [recipient(1)] });
		expect(await execute(parameters, { items: [recipient(1, change)] })).toEqual(['accepted']);
	});

	it('by a later version of the node: it knows what was sent by the digest of the same facts in the same order', async () => {
		const remembered = new Set<string>();
		await pay({}, { items: [recipient(1), recipient(1), recipient(2, { sequence: 'own' })], remembered });
		const about = (phone: string, own: string) =>
			`["payment","salary-2026-11","40702810000000000001","${phone}","100000000111",10,"${own}"]`;
		const facts = [`[${about('9000000001', '')},1]`, `[${about('9000000001', '')},2]`, about('9000000002', 'own')];
		const digests = facts.map((fact) =>
			createHash('sha256').update(`["sandbox","https://bank.test/",${fact}]`).digest('hex'),
		);
		expect([...remembered].sort()).toEqual(digests.map((digest) => `workflow ${digest}`).sort());
	});

	it('by a package that holds one who was paid: none of it is sent, and it says who', async () => {
		const execute = executions();
		await execute({}, { items: [recipient(1)] });
		expect(await execute({}, { items: [recipient(2), recipient(1), recipient(3)] })).toEqual([
			'notSent',
			'unknown',
			'notSent',
		]);
		expect(paid()).toEqual([1]);
		expect(await execute({}, { items: [recipient(2), recipient(3)] })).toEqual(['accepted', 'accepted']);
	});

	it('where it is unknown whether the bank has paid', async () => {
		const execute = executions();
		bank().answer = () => [500];
		expect(await execute()).toEqual(['unknown', 'unknown']);
		bank().answer = accept;
		expect(await execute()).toEqual(['unknown', 'unknown']);
	});

	it('but what the bank refused may be sent again', async () => {
		const execute = executions();
		bank().answer = () => [400, { errorCode: 'invalid_request', errorMsg: 'no' }];
		expect(await execute()).toEqual(['rejected', 'rejected']);
		bank().answer = accept;
		expect(await execute()).toEqual(['accepted', 'accepted']);
	});

	it('and of several packages that one alone: those beside it that were accepted stay sent', async () => {
		const execute = executions();
		const apart = { options: { packagePerItem: true } };
		bank().answer = (seen) => ((seen.body as Body).payments[0]?.phone.endsWith('1') === true ? [400] : accept(seen));
		expect(await execute(apart, { items: recipients(3) })).toEqual(['accepted', 'rejected', 'accepted']);
		bank().answer = accept;
		expect(await execute(apart, { items: recipients(3) })).toEqual(['unknown', 'accepted', 'unknown']);
	});

	it('unless a word says that it is to be sent again: each word once', async () => {
		const execute = executions();
		await execute();
		const again = { options: { sendAgain: 'second' } };
		expect(await execute(again)).toEqual(['accepted', 'accepted']);
		expect(await execute(again)).toEqual(['unknown', 'unknown']);
		expect(paid()).toEqual([2, 2]);
	});

	it('by a word that stands in the row of somebody else', async () => {
		const execute = executions();
		const items = [recipient(1, { word: 'second' }), recipient(2)];
		await execute({}, { items });
		expect(await execute({ options: { sendAgain: '={{ $json.word }}' } }, { items })).toEqual(['notSent', 'notSent']);
		expect(paid()).toEqual([1, 1]);
	});

	it('by a word that each package has for the first time, though one of them was sent before', async () => {
		const execute = executions();
		await execute({}, { items: [recipient(1)] });
		const again = { options: { sendAgain: 'second', packagePerItem: true } };
		expect(await execute(again)).toEqual(['accepted', 'accepted']);
		expect(await execute(again)).toEqual(['unknown', 'unknown']);
	});

	it('and a word is not used up where the bank refused', async () => {
		const execute = executions();
		const again = { options: { sendAgain: 'second' } };
		bank().answer = () => [400, { errorCode: 'invalid_request', errorMsg: 'no' }];
		expect(await execute(again)).toEqual(['rejected', 'rejected']);
		bank().answer = accept;
		expect(await execute(again)).toEqual(['accepted', 'accepted']);
	});

	it('by a word that is another one each time: it is refused', async () => {
		let asked = 0;
		const refusal = await refusalOf(pay({ options: { sendAgain: () => `word ${++asked}` } }));
		expect(refusal.text).toContain('sendAgain must not come from a clock');
		expect(bank().seen).toEqual([]);
	});

	it.each(['items', 'columns'])('by a node behind it that reads its output: %s', async (recipientsFrom) => {
		const execute = executions();
		const sent = jsonOf(await pay({}, { remembered: new Set() }));
		bank().seen.length = 0;
		await execute();
		expect(await execute({ recipientsFrom, sequence: '={{ $json.sequence }}' }, { items: sent })).toEqual([
			'unknown',
			'unknown',
		]);
		expect(paid()).toEqual([1, 1]);
	});

	it('by workflows that share one memory', async () => {
		const remembered = new Set<string>();
		const from = async (workflowId: string) =>
			await pay(
				{ options: { guardWorkflow: { __rl: true, mode: 'id', value: 'memory' } } },
				{ remembered, workflowId, continueOnFail: true },
			);
		await from('one');
		expect((await from('two')).map(({ json }) => (json.details as { outcome: string }).outcome)).toEqual([
			'unknown',
			'unknown',
		]);
		expect(paid()).toEqual([1, 1]);
	});

	it('by rows that each name another memory: the first would decide, and rows move', async () => {
		const execute = executions();
		const items = recipients(2).map((row, index) => ({ ...row, memory: index === 0 ? 'one' : 'two' }));
		const options = { guardWorkflow: { __rl: true, mode: 'id', value: '={{ $json.memory }}' } };
		expect(await execute({ options }, { items })).toEqual(['notSent', 'notSent']);
		expect(paid()).toEqual([]);
	});

	it('because a sequence stands in two packages', async () => {
		const items = [recipient(1, { sequence: 'a' }), recipient(2, { sequence: 'a' })];
		const refusal = await refusalOf(pay({ options: { packagePerItem: true } }, { items }));
		expect(refusal.text).toContain('Item 1: sequence stands in two packages of this run');
		expect(bank().seen).toEqual([]);
	});

	it('and the error that stops the node says which sequences it is about, and what was accepted before', async () => {
		const items = [recipient(1, { sequence: 'a' }), recipient(2, { sequence: 'b' }), recipient(3, { sequence: 'c' })];
		bank().answer = (seen) => ((seen.body as Body).payments[0]?.sequence === 'a' ? accept(seen) : [500]);
		const refusal = await refusalOf(
			pay({ options: { maxPayments: 2 } }, { items: [...items, recipient(4, { sequence: 'd' })] }),
		);
		expect(refusal.description).toContain('Its sequences: c, d.');
		expect(refusal.description).toContain('Accepted before: sequence a transactionId tx-a payPackage 701, sequence b');
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
		expect(refusal.text).toContain('paymentRun is required');
		expect(bank().seen).toEqual([]);
	});

	it('is said to be missing once for all items', async () => {
		const refusal = await refusalOf(pay({ paymentRun: () => undefined }));
		expect(refusal.message).toContain('All 2 items: paymentRun is required');
	});

	it.each([
		['the execution', '={{ $execution.id }}'],
		['what is another one when it is asked again', () => `run ${++asked}`],
	])('is refused where it comes from %s', async (_what, paymentRun) => {
		const refusal = await refusalOf(pay({ paymentRun }, { items: [recipient(1)] }));
		expect(refusal.text).toContain('paymentRun must not come from a clock');
		expect(bank().seen).toEqual([]);
	});

	it('must be the same for all items of a package', async () => {
		const refusal = await refusalOf(pay({ paymentRun: (_json: object, item: number) => `run ${item}` }));
		expect(refusal.text).toContain('paymentRun differs from that of item 0');
	});
});

it('what must not be overlooked stands above the output: payments of which nobody knows whether they were made', async () => {
	const hints: object[] = [];
	bank().answer = () => [200, { payPackage: 1, client: { partnerId: 1001 }, payments: [] }];
	await pay({}, { items: [recipient(1), recipient(2)], hints });
	expect(hints).toEqual([
		{
			type: 'danger',
			location: 'outputPane',
			message: '2 items: It is unknown whether the payment was made: check with the bank before sending it again.',
		},
	]);
});

it('nothing stands above the output of a package that was accepted', async () => {
	const hints: object[] = [];
	await pay({}, { items: [recipient(1)], hints });
	expect(hints).toEqual([]);
});
