import { operationById } from '../src/index.ts';
import { sampleOf } from './support/samples.ts';

const simplify = (id: string, row: unknown) => operationById(id).list?.simplify(row);
const rowsOf = (id: string, key: string, name: 'all fields' | 'only the required fields') =>
	(sampleOf(id, name).output as Record<string, unknown[]>)[key] ?? [];

describe('an operation, simplified,', () => {
	test('has the fields that most workflows use, with a decimal amount and the raw one', () => {
		const [row] = rowsOf('accountOperation.getMany', 'operations', 'all fields') as Record<string, unknown>[];
		expect(simplify('accountOperation.getMany', row)).toEqual({
			id: 'FAKE-OP-000003',
			dateTime: '2026-03-31T10:15:30.000Z',
			title: 'Fake Market No. 1',
			direction: 'EXPENSE',
			status: 'SUCCESS',
			type: 'PURCHASE',
			amount: 1500.5,
			currency: 'RUB',
			amountRaw: row?.amount,
			fee: 12.5,
			comment: 'Purchase (invented)',
			category: 'Groceries',
			counterparty: 'Ivan I. (invented)',
			counterpartyBank: 'Fake Bank',
		});
		expect(simplify('accountOperation.getMany', { ...row, direction: 'INCOME' })).toMatchObject({
			counterparty: 'Invented Customer LLC',
		});
	});

	test('omits absent fields and keeps a status of null', () => {
		const [row] = rowsOf('accountOperation.getMany', 'operations', 'only the required fields');
		const keys = Object.keys(simplify('accountOperation.getMany', row) as object);
		const required = ['id', 'dateTime', 'title', 'direction', 'status', 'amount', 'currency', 'amountRaw', 'fee'];
		expect(keys).toEqual(required);
		expect(simplify('accountOperation.getMany', row)).toMatchObject({ status: null, amount: 9900 });
	});
});

test('a card limit, simplified, has its amounts as decimals', () => {
	const [row] = rowsOf('cardLimit.getMany', 'limits', 'all fields') as Record<string, unknown>[];
	expect(simplify('cardLimit.getMany', row)).toEqual({
		id: 1001,
		validity: 'monthly',
		activeFrom: '01-01-2026',
		activeTo: '31-12-2026',
		created: '2026-01-01',
		coveredOperations: ['allDebits', 'onlineShopping', 'cashWithdrawals'],
		single: 15000,
		max: 100000,
		rest: 73500,
		turnover: 26500,
		currency: 'RUB',
		limitsRaw: row?.limits,
		countries: 'including',
	});
	expect(simplify('cardLimit.getMany', rowsOf('cardLimit.getMany', 'limits', 'only the required fields')[0])).toEqual({
		id: 1003,
		created: '2026-03-15',
	});
});

test.each(['single', 'max', 'rest', 'turnover'])(
	'each amount of a card limit has its currency if they differ: %s',
	(name) => {
		const [row] = rowsOf('cardLimit.getMany', 'limits', 'all fields') as { limits: Record<string, object> }[];
		const limits = { ...row?.limits, [name]: { ...row?.limits[name], currency: 'USD' } };
		const simplified = simplify('cardLimit.getMany', { ...row, limits }) as Record<string, unknown>;
		expect(simplified).not.toHaveProperty('currency');
		const rubles = { single: 'RUB', max: 'RUB', rest: 'RUB', turnover: 'RUB' };
		expect(simplified.currencies).toEqual({ ...rubles, [name]: 'USD' });
	},
);

test.each([
	null,
	undefined,
	5,
	'x',
	[],
	{ amount: null, category: null, sender: null, limits: null, activity: 'x', countriesRestrictions: null },
])('a row of a wrong type (%j) does not throw', (row) => {
	for (const id of ['accountOperation.getMany', 'cardLimit.getMany']) expect(simplify(id, row)).toBeInstanceOf(Object);
});
