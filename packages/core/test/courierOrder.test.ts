import { type CourierOptions, courierRefusal, isCourierRefusal, OrderMemory, readOrders } from '../src/index.ts';

const options = (more: Partial<CourierOptions> = {}): CourierOptions => ({
	identifierField: 'number',
	requiredFields: [],
	isKnown: () => false,
	...more,
});
const order = (number: unknown, more: object = {}) => ({ number, ...more });

/** The code and the text of a refusal, or the identifiers of what was taken. */
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

	test('is the order as it came', () => {
		const body = { number: 'A', deep: { unheardOf: [1, null] } };
		expect(readOrders(body, options())).toEqual([{ id: 'A', order: body }]);
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

	test.each([
		[{}],
		[order('')],
		[order('  ')],
		[order(null)],
		[order({ a: 1 })],
		[order(['A'])],
		[order(true)],
		['text'],
		[7],
	])('004 without identifier: %j', (body) => expect(outcome(body)).toBe('004 The identifier is not given: number'));

	test('004 says which of several it is', () =>
		expect(outcome([order('A'), null, {}])).toBe('004 The identifier is not given: order [1], number'));

	test("nothing is taken from an object's prototype", () =>
		expect(outcome({}, { identifierField: 'constructor.name' })).toMatch(/^004/));

	test.each([[undefined], [null], [''], [' '], [[]], [{}]])('008 names a field that is %j', (phone) =>
		expect(outcome(order('A', { recipient: { phone } }), { requiredFields: ['recipient.phone'] })).toBe(
			'008 Data error: a field is missing or empty: recipient.phone',
		),
	);

	test.each([[0], [false], ['x'], [[0]]])('008 does not mind a field that is %j', (value) =>
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

	test('takes what is new of a list that holds what is known, and once what comes twice', () => {
		const taken = (body: unknown, known: string[] = []) => {
			const orders = readOrders(body, {
				identifierField: 'number',
				requiredFields: [],
				isKnown: (id) => known.includes(id),
			});
			return Array.isArray(orders) ? orders.map(({ id }) => id) : orders.errorInfo.errorCode;
		};
		expect(taken([order('A'), order('B'), order('C')], ['B'])).toEqual(['A', 'C']);
		expect(taken([order('A'), order('B')], ['A', 'B'])).toBe('009');
		expect(taken([order('A'), order('B'), order('A')])).toEqual(['A', 'B']);
		expect(taken([order('A'), order('A', { address: 'another' })])).toBe('009');
	});

	test('009 for an identifier that is known, or comes twice in a delivery', () => {
		expect(outcome(order('A'), { isKnown: (id) => id === 'A' })).toBe(
			'009 A request with this identifier already exists: A',
		);
		expect(outcome([order('A'), order('B'), order('A', { address: 'another' })])).toBe(
			'009 A request with this identifier already exists: order [2], A',
		);
		expect(outcome([order('1'), order(1)])).toMatch(/^009/);
		expect(outcome(order('A'.repeat(300)), { isKnown: () => true })).toMatch(/: A{100}$/);
	});

	test('in the order 004, 008, 009', () => {
		const known = { requiredFields: ['a'], isKnown: () => true };
		expect(outcome([order('A'), {}], known)).toMatch(/^004/);
		expect(outcome([order('A', { a: 1 }), order('B')], known)).toMatch(/^008/);
		expect(outcome([order('A', { a: 1 })], known)).toMatch(/^009/);
	});
});

test.each([
	[courierRefusal('011'), true],
	[{ errorInfo: { errorCode: '011', errorString: '' } }, true],
	[{ errorInfo: { errorCode: 11 } }, true],
	[{ errorInfo: { errorCode: '' } }, false],
	[{ errorInfo: {} }, false],
	[{}, false],
	[undefined, false],
	['errorInfo', false],
])('%j is a refusal: %s', (answer, expected) => expect(isCourierRefusal(answer)).toBe(expected));

describe('the memory of identifiers', () => {
	const filled = (count: number, limit?: number, kept?: number) => {
		const memory = new OrderMemory(limit, kept);
		for (let index = 0; index < count; index++) memory.add(`${index}`);
		return memory;
	};

	test('forgets the oldest', () => {
		const memory = filled(12, 10);
		expect([memory.has('0'), memory.has('1'), memory.has('2'), memory.has('11')]).toEqual([false, false, true, true]);
	});

	test('outlives the process by its latest', () => {
		const other = new OrderMemory();
		other.add('own');
		other.merge(filled(12, 10, 3).text());
		expect(['8', '9', '10', '11', 'own'].filter((id) => other.has(id))).toEqual(['9', '10', '11', 'own']);
	});

	test('keeps its own when it takes in others', () => {
		const memory = filled(3, 4);
		memory.merge('["a","b","c"]');
		expect(['a', 'b', 'c', '0', '1', '2'].filter((id) => memory.has(id))).toEqual(['c', '0', '1', '2']);
	});

	test('does not learn again from its own text what it has forgotten since', () => {
		const memory = filled(2);
		const text = memory.text();
		memory.forget('0');
		memory.merge(text);
		expect([memory.has('0'), memory.has('1')]).toEqual([false, true]);
	});

	test('begins with nothing', () => {
		const memory = new OrderMemory();
		for (const text of [undefined, null, '', {}]) memory.merge(text);
		expect(memory.text()).toBe('[]');
		memory.merge('["a"]');
		memory.merge('');
		expect(memory.has('a')).toBe(true);
	});
});
