import {
	type CourierOptions,
	courierRefusal,
	isCourierRefusal,
	maxPerDelivery,
	readOrders,
	repeatedRefusal,
} from '../src/index.ts';

const options = (more: Partial<CourierOptions> = {}): CourierOptions => ({
	identifierField: 'number',
	requiredFields: [],
	...more,
});
const order = (number: unknown, more: object = {}) => ({ number, ...more });

/** Code and text of a rejection, or the identifiers of the accepted orders. */
function outcome(body: unknown, more: Partial<CourierOptions> = {}) {
	const read = readOrders(body, options(more));
	return Array.isArray(read) ? read.map(({ id }) => id) : `${read.errorInfo.errorCode} ${read.errorInfo.errorString}`;
}

describe('what is taken', () => {
	test.each([
		['one order', order('A'), ['A']],
		['a list', [order('A'), order('B')], ['A', 'B']],
		['a number as identifier', order(7), ['7']],
		['the number 0', order(0), ['0']],
		['spaces around the identifier', order(' A '), ['A']],
	])('%s', (_name, body, ids) => expect(outcome(body)).toEqual(ids));

	test('is the order, unchanged', () => {
		const body = { number: 'A', deep: { unheardOf: [1, null] } };
		expect(readOrders(body, options())).toEqual([{ id: 'A', order: body }]);
	});

	test('has the fields around it', () => {
		const [first, second] = [order('A'), order('B')];
		const envelope = { request: 'r-1', data: { partner: 7 } };
		const inList = { request: 'r-1', data: { partner: 7, orders: [first, second] } };
		expect(readOrders(inList, options({ ordersField: 'data.orders' }))).toEqual([
			{ id: 'A', order: first, envelope },
			{ id: 'B', order: second, envelope },
		]);
		const alone = { request: 'r-1', data: { partner: 7, order: first } };
		expect(readOrders(alone, options({ ordersField: 'data.order' }))).toEqual([{ id: 'A', order: first, envelope }]);
		expect(readOrders({ orders: [first] }, options({ ordersField: 'orders' }))).toStrictEqual([
			{ id: 'A', order: first },
		]);
	});

	test.each([
		['nested', 'request.ids[1].value', { request: { ids: [{}, { value: 'A' }] } }],
		['with a dot in its name', 'request.id', { 'request.id': 'A' }],
	])('an identifier that is %s', (_name, identifierField, body) =>
		expect(outcome(body, { identifierField })).toEqual(['A']),
	);

	test('a list inside the body', () => {
		expect(outcome({ data: { orders: [order('A'), order('B')] } }, { ordersField: 'data.orders' })).toEqual(['A', 'B']);
		expect(outcome([order('A')], { ordersField: 'data.orders' })).toEqual(['A']);
		expect(outcome(order('A'), { ordersField: '' })).toEqual(['A']);
	});
});

describe('what is refused (7.2)', () => {
	test.each([[undefined], [null], [''], ['  '], [[]]])('007 for an empty body: %j', (body) =>
		expect(outcome(body)).toBe('007 The input array is empty'),
	);

	test('007 for an empty list inside the body, and for none', () => {
		expect(outcome({ orders: [] }, { ordersField: 'orders' })).toMatch(/^007/);
		expect(outcome({ order: 1 }, { ordersField: 'orders' })).toMatch(/^007/);
	});

	test.each([[{}], [order('  ')], [order(null)], [order({ a: 1 })], ['text']])('004 without identifier: %j', (body) =>
		expect(outcome(body)).toBe('004 The identifier is not given: number'),
	);

	test('004 says which of several it is', () =>
		expect(outcome([order('A'), null, {}])).toBe('004 The identifier is not given: order [1], number'));

	test.each([[undefined], [null], [''], [' '], [[]], [{}]])('008 names a field that is %j', (phone) =>
		expect(outcome(order('A', { recipient: { phone } }), { requiredFields: ['recipient.phone'] })).toBe(
			'008 Data error: a field is missing or empty: recipient.phone',
		),
	);

	test.each([[0], [false], ['x'], [[0]]])('008 is not returned for a field that is %j', (value) =>
		expect(outcome(order('A', { value }), { requiredFields: ['value'] })).toEqual(['A']),
	);

	test('008 names all such fields, and which of several orders it is', () => {
		expect(outcome(order('A', { b: 1 }), { requiredFields: ['a', 'b', 'c'] })).toBe(
			'008 Data error: a field is missing or empty: a, c',
		);
		expect(
			outcome([order('A', { a: 1, b: 1 }), order('B', { a: 1 }), order('C')], { requiredFields: ['a', 'b', 'c'] }),
		).toBe('008 Data error: a field is missing or empty: order [0], c');
	});

	test('009 for an identifier that comes twice in a delivery with different contents; once for the same', () => {
		expect(outcome([order('A'), order('B'), order('A')])).toEqual(['A', 'B']);
		expect(outcome([order('A', { x: 1, y: 2 }), order('A', { y: 2, x: 1 })])).toEqual(['A']);
		expect(outcome([order('A'), order('B'), order('A', { address: 'another' })])).toBe(
			'009 A request with this identifier already exists: order [2], A',
		);
		expect(outcome([order('1'), order(1, { address: 'another' })])).toMatch(/^009/);
	});

	test('008 for more orders than the memory for repeats holds', () => {
		const orders = Array.from({ length: maxPerDelivery + 1 }, (_, index) => order(index));
		expect(outcome(orders)).toBe('008 Data error: a field is missing or empty: more than 10000 orders at once');
		expect(outcome(orders.slice(1))).toHaveLength(maxPerDelivery);
	});

	test('008 for fields around the orders that are too large to be copied to each of them', () => {
		const around = (length: number) =>
			outcome(
				{ text: 'x'.repeat(length), orders: Array.from({ length: 1024 }, (_, index) => order(index)) },
				{ ordersField: 'orders' },
			);
		expect(around(65_000)).toHaveLength(1024);
		expect(around(66_000)).toBe(
			'008 Data error: a field is missing or empty: the fields around the orders are too large',
		);
	});

	test('in the order 004, 008, 009', () => {
		const required = { requiredFields: ['a'] };
		expect(outcome([order('A'), order('A'), {}], required)).toMatch(/^004/);
		expect(outcome([order('A', { a: 1 }), order('A')], required)).toMatch(/^008/);
		expect(outcome([order('A', { a: 1 }), order('A', { a: 2 })], required)).toMatch(/^009/);
	});
});

describe('a refusal of orders that have all come before', () => {
	const refused = (...ids: string[]) => repeatedRefusal(ids.map((id) => ({ id, order: {} }))).errorInfo.errorString;

	test('names the first', () => {
		expect(refused('A')).toBe('A request with this identifier already exists: A');
		expect(refused('A', 'B')).toBe('A request with this identifier already exists: order [0], A');
	});

	test('is one line, however long the identifier is', () => {
		expect(refused(`A\n\u2028B${'x'.repeat(1000)}`)).toMatch(/: A B[x]{96}$/);
	});
});

test.each([
	[courierRefusal('011'), true],
	[{ errorInfo: { errorCode: 11 } }, true],
	[{ errorInfo: { errorCode: '' } }, false],
	[{ errorInfo: {} }, false],
	[undefined, false],
	['errorInfo', false],
])('%j is a refusal: %s', (answer, expected) => expect(isCourierRefusal(answer)).toBe(expected));
