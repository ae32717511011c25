import { call, operationById } from '../src/index.ts';
import { bankThat, prepared, words } from './support/bank.ts';
import { sampleOf } from './support/samples.ts';

/** How `call` reads a response text. */
async function read(id: string, text: string): Promise<{ data: unknown; raw: unknown }> {
	const operation = operationById(id);
	return await call(
		operation,
		prepared(operation, sampleOf(id, 'only the required fields').input),
		bankThat(words(200, text)).send,
	);
}
const dataOf = async (id: string, answer: unknown) => (await read(id, JSON.stringify(answer))).data;
const packageOf = async (answer: unknown) => await dataOf('payment.sendPackage', answer);

describe('known quirks of the bank', () => {
	test.each<[string, unknown, unknown]>([
		['payPackage', '7000000001', 7000000001],
		['payPackage', 7000000001, 7000000001],
		// A JavaScript number cannot hold the last two exactly.
		...['007', '0x10', '1e3', ' 7', '', '7.', '9007199254740993', '1.0000000000000001'].map(
			(text): [string, unknown, unknown] => ['payPackage', text, text],
		),
		['amount', '1000.50', 1000.5],
		['amount', '0', 0],
		['feeAmount', '-0.10', -0.1],
		['feeAmount', '9007199254740991', 9007199254740991],
		['nameCheck', 'true', true],
		['nameCheck', 'false', false],
		['nameCheck', false, false],
		['nameCheck', 'TRUE', 'TRUE'],
		['nameCheck', 1, 1],
	])('%s %j is read as %j', async (field, given, read) => {
		const withField = (value: unknown) =>
			field === 'payPackage'
				? { payPackage: value, client: { partnerId: 1 } }
				: { payPackage: 1, payments: [{ [field]: value }] };
		expect(await packageOf(withField(given))).toEqual(withField(read));
	});

	test('sums of a taxpayer as numbers', async () => {
		expect(await dataOf('taxpayerAccount.get', { bonusAmount: 150.5, unpaidAmount: 0, debtAmount: '200.25' })).toEqual({
			bonusAmount: '150.5',
			unpaidAmount: '0',
			debtAmount: '200.25',
		});
	});

	test('unpaidAmmount is read as unpaidAmount; if both are sent, both are kept', async () => {
		expect(await dataOf('taxpayerAccount.get', { unpaidAmmount: 5 })).toEqual({ unpaidAmount: '5' });
		expect(await dataOf('taxpayerAccount.get', { unpaidAmmount: 'a', unpaidAmount: 6 })).toEqual({
			unpaidAmmount: 'a',
			unpaidAmount: '6',
		});
		expect((await read('taxpayerAccount.get', '{"unpaidAmmount":5}')).raw).toEqual({ unpaidAmmount: 5 });
	});

	test('phoneNumber as a number, and the status of an incoming operation is null', async () => {
		expect(
			await dataOf('accountOperation.getMany', {
				operations: [
					{ sender: { phoneNumber: 79000000001 }, status: null, amount: { value: '150050', minorUnits: '100' } },
				],
			}),
		).toEqual({
			operations: [
				{ sender: { phoneNumber: '79000000001' }, status: null, amount: { value: 150050, minorUnits: 100 } },
			],
		});
	});
});

describe('nothing that the bank sent is lost', () => {
	test('numbers beyond 2^53 keep every digit at any depth', async () => {
		const { data, raw } = await read(
			'payment.sendPackage',
			'{"payPackage": 123456789012345678901, "payments": [{"transactionId": ' +
				'9007199254740993, "other": [40702810000000000001, -9007199254740993]}]}',
		);
		const exact = {
			payPackage: '123456789012345678901',
			payments: [{ transactionId: '9007199254740993', other: ['40702810000000000001', '-9007199254740993'] }],
		};
		expect(data).toEqual(exact);
		expect(raw).toEqual(exact);
	});

	test('fields that the description does not name pass through, at every depth', async () => {
		const answer = {
			payPackage: 1,
			added: { deep: ['x', null] },
			payments: [{ sequence: 'a', added: 0 }],
			client: { partnerId: 1, added: false },
		};
		expect(await packageOf(answer)).toEqual(answer);
	});

	test.each([
		['null', null],
		['a list in place of an object', []],
		['text in place of a list', 'none'],
		['a number in place of an object', 5],
		['an object in place of a number', { value: 1 }],
	])('values of a wrong type are unchanged: %s', async (_kind, odd) => {
		for (const answer of [
			{ payPackage: odd, client: odd, payments: [{ sequence: 'a' }] },
			{ payPackage: 1, client: odd, payments: odd },
		])
			expect(await packageOf(answer)).toEqual(answer);
		expect(await packageOf({ payments: [odd, { amount: odd, name: odd }] })).toEqual({
			payments: [odd, { amount: odd, name: odd }],
		});
	});

	test('fields with names of inherited properties are kept', async () => {
		const { data } = await read(
			'payment.sendPackage',
			'{"__proto__": {"polluted": 1}, "constructor": "c", "toString": "t", ' +
				'"payments": [{"__proto__": [], "hasOwnProperty": 1, "amount": "5"}]}',
		);
		expect(Object.keys(data as object)).toEqual(['__proto__', 'constructor', 'toString', 'payments']);
		expect(Object.entries((data as { payments: object[] }).payments[0] as object)).toEqual([
			['__proto__', []],
			['hasOwnProperty', 1],
			['amount', 5],
		]);
		expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
		expect(Object.prototype).not.toHaveProperty('polluted');
	});
});

test('a missing list is unreadable, not empty', async () => {
	for (const [id, answer] of [
		['accountOperation.getMany', { operations: null }],
		['accountOperation.getMany', {}],
		['cardLimit.getMany', { limits: {} }],
		['cardLimit.getMany', { operations: [] }],
	] as const) {
		await expect(dataOf(id, answer)).rejects.toMatchObject({
			details: {
				code: 'unreadable_response',
				message: expect.stringMatching(/it holds no list "(operations|limits)"/),
			},
		});
	}
});
