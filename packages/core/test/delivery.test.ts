/** Payloads are not described (part 6, point 3), so any JSON must come through unchanged. */
import { canonicalJson, scanJson, parseLossless, readDelivery, maxPerDelivery } from '../src/index.ts';

const read = (body: unknown, options = {}) => readDelivery(body, options) ?? [];
const payloads = (body: unknown, options = {}) => read(body, options).map(({ payload }) => payload);
const ids = (body: unknown, options = {}) => read(body, options).map(({ id }) => id);

describe('exact JSON', () => {
	it.each([
		['12345678901234567890', '12345678901234567890'],
		['{"id":9007199254740993}', { id: '9007199254740993' }],
		['[-9007199254740993,1e300]', ['-9007199254740993', '1e300']],
		[
			'{"n":9007199254740991,"d":1.5,"s":"12345678901234567890"}',
			{ n: 9007199254740991, d: 1.5, s: '12345678901234567890' },
		],
		['[0.12345678901234567890,-1500.50000000000000001]', ['0.12345678901234567890', '-1500.50000000000000001']],
		['[1.10,1e3,0.1,1500.50,-0.0,12e-1]', [1.1, 1000, 0.1, 1500.5, -0, 1.2]],
		// The last number has too many digits for a JavaScript number.
		['[1500.50000000000000000000,0.30000000000000004]', [1500.5, 0.30000000000000004]],
		['[1e400,1E20,12345678901234567.5]', ['1e400', '1E20', '12345678901234567.5']],
		['1E20', '1E20'],
		['1234567890.12345678', '1234567890.12345678'],
		['"a \\" 40702810000000000001 \\\\"', 'a " 40702810000000000001 \\'],
		['{"a":"x\\"","b":40702810000000000001}', { a: 'x"', b: '40702810000000000001' }],
		// The string ends with an escaped backslash; the next one starts after it.
		['{"a":"C:\\\\","b":40702810000000000001}', { a: 'C:\\', b: '40702810000000000001' }],
	])('%s keeps its numbers', (text, value) => expect(parseLossless(text)).toEqual({ ok: true, value }));

	it.each([
		...['', '{', '{"a":1}}', 'undefined', '{"id":9007199254740993'],
		...['{"a":40702810000000000001x}', '[040702810000000000001]', '40702810000000000001-1', '"40702810000000000001'],
	])('%p is not JSON', (text) => expect(parseLossless(text)).toEqual({ ok: false }));

	it('takes no longer for a number with a million zeros in the middle', () => {
		const number = `0.1${'0'.repeat(1_000_000)}1`;
		expect(parseLossless(`[${number}]`)).toEqual({ ok: true, value: [number] });
	});

	it('is needed only if a number is long', () => {
		expect(scanJson('{"a":9007199254740993}').hasLongNumbers).toBe(true);
		expect(scanJson('{"a":1e20}').hasLongNumbers).toBe(true);
		expect(scanJson('{"a":0.1234567890123456}').hasLongNumbers).toBe(true);
		expect(scanJson('{"a":1500.50,"b":"40702.81000000000001"}').hasLongNumbers).toBe(false);
		expect(scanJson('{"a":123456789012345,"b":"c"}').hasLongNumbers).toBe(false);
	});
});

describe('canonical JSON', () => {
	it('is the same whatever the order of the keys, at any depth', () => {
		expect(canonicalJson({ b: [{ y: 1, x: null }], a: 'é' })).toBe(canonicalJson({ a: 'é', b: [{ x: null, y: 1 }] }));
		expect(canonicalJson({ b: 1, a: { d: true, c: [2, 1] } })).toBe('{"a":{"c":[2,1],"d":true},"b":1}');
	});

	it('tells different content apart', () => {
		const all = [
			{ a: 1 },
			{ a: '1' },
			{ a: [1] },
			[1],
			[1, 2],
			[[1], 2],
			{ a: null },
			{},
			[],
			null,
			'',
			'null',
			{ 1: 2, 0: 1 },
			JSON.parse('{"__proto__":1}'),
		];
		expect(new Set(all.map(canonicalJson)).size).toBe(all.length);
	});
});

describe('a body', () => {
	it.each([[undefined], [null], [''], [{}], [[]], [[null, {}, '', []]], [{ events: [] }], [{ events: [], page: 1 }]])(
		'%j has no events',
		(body) => {
			expect(payloads(body)).toEqual([]);
		},
	);

	it.each([
		{ number: '77', items: [] },
		{ number: '77', note: '', items: [] },
		{ number: '77', messages: [{}] },
		{ type: 'x', tags: [] },
		{ id: '7', events: [] },
		{ object: 'o', data: { amount: 1 }, notifications: [] },
		{ data: { events: [] } },
	])('%j is one event that has an empty list', (body) => expect(payloads(body)).toEqual([body]));

	it.each([[{ a: 1 }], ['text'], [0], [false], [{ data: [{ a: 1 }] }]])('%j is one event', (body) =>
		expect(payloads(body)).toEqual([body]),
	);

	it('that is a list has one event for each entry, whatever they are', () => {
		expect(payloads([{ a: 1 }, 'b', 3, [4], [{ a: 1 }, 'b']])).toEqual([{ a: 1 }, 'b', 3, [4], [{ a: 1 }, 'b']]);
	});

	it.each(['events', 'Events', 'items', 'notifications', 'messages'])(
		'with a list of objects under %s is an envelope, whose other fields are kept',
		(name) => {
			const body = { batch: 7, object: 'o', [name]: [{ a: 1 }, { a: 2, object: 'own' }] };
			const envelope = { batch: 7, object: 'o' };
			expect(read(body)).toEqual([
				{ payload: { a: 1 }, object: 'o', idIsOfEvent: false, envelope },
				{ payload: { a: 2, object: 'own' }, object: 'own', idIsOfEvent: false, envelope },
			]);
		},
	);

	it('that only looks like an envelope stays whole', () => {
		for (const body of [
			{ id: 'order', items: [{ a: 1 }] },
			{ items: ['a', 'b'] },
			{ events: [{ a: 1 }, 'b'] },
			{ items: [{ a: 1 }], events: [{ b: 1 }] },
			{ items: { a: 1 } },
			// Ambiguous: each of the two lists may hold the events.
			{ a: { events: [{ x: 1 }] }, b: { events: [{ y: 1 }] } },
		])
			expect(payloads(body)).toEqual([body]);
	});

	it.each([
		['a list of envelopes', [{ batch: 1, events: [{ a: 1 }, { a: 2 }] }, { batch: 2, events: [{ a: 3 }] }, { a: 4 }]],
		[
			'an envelope of envelopes',
			{ events: [{ events: [{ a: 1 }, { a: 2 }] }, { notifications: [{ a: 3 }] }, { a: 4 }] },
		],
		['an envelope in an envelope', { v: 1, data: { page: 1, events: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] } }],
		['an envelope three deep', [{ a: { b: { notifications: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] } } }]],
	])('that is %s has one event for each', (_what, body) =>
		expect(payloads(body)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]),
	);

	it('that has an identifier is an envelope if its list certainly contains events', () => {
		const events = [{ eventId: 'a' }, { object: 'o' }];
		expect(payloads({ id: 'batch', events })).toEqual(events);
		expect(payloads([{ page: 1, items: events }])).toEqual(events);
		for (const body of [
			{ eventId: 'own', events },
			{ id: 'order', events: [{ a: 1 }] },
			{ id: 'order', data: { events: [{ a: 1 }] } },
			{ object: 'o', data: { events: [{ a: 1 }] } },
			{ object: 'o', data: { events: [{ eventId: 'a' }, { a: 1 }] } },
		])
			expect(payloads(body)).toEqual([body]);
		expect(payloads({ object: 'o', data: { events: [null, ...events] } })).toEqual(events);
		const order = { number: '78', items: [{ name: 'tea' }] };
		for (const body of [[order], { notifications: [order] }]) expect(payloads(body)).toEqual([order]);
		expect(payloads({ data: order })).toEqual([{ data: order }]);
	});

	it.each([
		[100, { a: 1 }],
		[101, { day: 1, events: [{ a: 1 }] }],
	])('is taken apart further only as long as little stands around: %i fields', (count, payload) => {
		const around = Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, index]));
		expect(payloads({ ...around, events: [{ day: 1, events: [{ a: 1 }] }] })).toEqual([payload]);
	});

	it('gives each event the fields around it, at every depth', () => {
		const body = {
			v: 1,
			object: 'o',
			events: [{ day: 2, events: [{ a: 1 }] }, { a: 2 }, { object: 'p', events: [{ a: 3 }] }],
		};
		expect(read(body)).toEqual([
			{ payload: { a: 1 }, object: 'o', idIsOfEvent: false, envelope: { v: 1, object: 'o', events: { day: 2 } } },
			{ payload: { a: 2 }, object: 'o', idIsOfEvent: false, envelope: { v: 1, object: 'o' } },
			{ payload: { a: 3 }, object: 'p', idIsOfEvent: false, envelope: { v: 1, object: 'o', events: { object: 'p' } } },
		]);
	});

	it('may contain its events in the field that the user names', () => {
		const body = { data: { records: [{ a: 1 }], page: 1 }, v: 1 };
		expect(read(body, { eventsField: 'data.records' })).toEqual([
			{ payload: { a: 1 }, idIsOfEvent: false, envelope: { data: { page: 1 }, v: 1 } },
		]);
		expect(read({ data: [{ records: [{ a: 1 }], page: 1 }, { page: 2 }] }, { eventsField: 'data[0].records' })).toEqual(
			[{ payload: { a: 1 }, idIsOfEvent: false, envelope: { data: [{ page: 1 }, { page: 2 }] } }],
		);
		expect(payloads({ other: 1 }, { eventsField: 'data.records' })).toEqual([{ other: 1 }]);
		expect(payloads({ events: [{ a: 1 }] }, { eventsField: '' })).toEqual([{ a: 1 }]);
		expect(body).toEqual({ data: { records: [{ a: 1 }], page: 1 }, v: 1 });
	});

	it('adds nothing to the fields around its events, or to the events', () => {
		expect(read({ events: [{ a: 1 }] })).toStrictEqual([{ payload: { a: 1 }, idIsOfEvent: false }]);
		expect(read(['text'])).toStrictEqual([{ payload: 'text', idIsOfEvent: false }]);
	});

	it('is passed on as it is, not copied or changed', () => {
		const event = { object: 'x', data: { deep: [1] } };
		expect(read([event])[0]?.payload).toBe(event);
	});
});

describe('a list of which every element has an identifier of an event', () => {
	const [first, second, third] = ['e-1', 'e-2', 'e-3'].map((eventId) => ({ eventId, amount: 1 }));

	it.each<[string, unknown, number]>([
		['under a name that is not usual', { data: [first, second] }, 2],
		['in an envelope that has an identifier', { id: 7, data: { events: [first, second] } }, 2],
		['in a list', [[first, second], [third]], 3],
		['beside nothing', { data: [null, first, {}, second] }, 2],
		['under such names one in another', [{ payload: { data: [first] } }, { payload: { data: [second, third] } }], 3],
	])('is one of events %s', (_where, body, count) => {
		expect(ids(body)).toEqual(['e-1', 'e-2', 'e-3'].slice(0, count));
		expect(payloads(body)).toEqual([first, second, third].slice(0, count));
	});

	it('is a list of events if the user names that field, unless the body itself has the identifier', () => {
		expect(ids({ data: [{ number: 1 }, { number: 2 }] }, { idField: 'number' })).toEqual(['1', '2']);
		expect(ids({ number: 9, data: [{ number: 1 }, { number: 2 }] }, { idField: 'number' })).toEqual(['9']);
		expect(ids({ eventId: 'e-9', data: [first, second] })).toEqual(['e-9']);
	});

	it.each([{ data: [{ amount: 1 }, { amount: 2 }] }, { data: [first, { amount: 2 }] }, { id: 7, data: [{ id: 1 }] }])(
		'is told from one that belongs to an event: %j',
		(body) => expect(payloads(body)).toEqual([body]),
	);
});

describe("an event's identifier", () => {
	const withId = ['eventId', 'notificationId', 'messageId'].map((field) => ({ [field]: 'x', id: 'thing' }));
	const withoutId = [{ eventId: '' }, { eventId: null }, { eventId: {} }, { EventID: 'x' }, 'text'];
	const idField = 'data.doc[0].n';

	it.each<[unknown, object, string | undefined, boolean]>([
		...withId.map((body): [unknown, object, string, boolean] => [body, {}, 'x', true]),
		// The identifier may be that of the subject of the event.
		[{ id: 5 }, {}, '5', false],
		[{ data: { doc: [{ n: 'a' }] }, id: 1 }, { idField }, 'a', true],
		[{ data: {}, id: 2 }, { idField }, '2', false],
		[{ 'data.doc': 3 }, { idField }, undefined, false],
		[{ id: 'thing', '': 'a' }, { idField: '' }, 'thing', false],
		...[...withoutId, JSON.parse('{"__proto__":{"id":"x"}}')].map(
			(body: unknown): [unknown, object, undefined, boolean] => [body, {}, undefined, false],
		),
	])('of %j with %j is %s, and surely of the event: %s', (body, options, id, idIsOfEvent) => {
		const [event] = read([body], options);
		expect([event?.id, event?.idIsOfEvent]).toEqual([id, idIsOfEvent]);
	});
});

describe('a delivery of too many', () => {
	const listOf = <Element>(length: number, element: (index: number) => Element) =>
		Array.from({ length }, (_, index) => element(index));

	it('is read up to the maximum number of events in one delivery', () => {
		const events = listOf(maxPerDelivery, (eventId) => ({ eventId }));
		for (const body of [events, { events }, { data: { events } }]) expect(readDelivery(body)).toHaveLength(10_000);
	});

	it.each<[string, (count: number) => unknown]>([
		['events', (count) => listOf(count, (eventId) => ({ eventId }))],
		['events in an envelope', (count) => ({ events: listOf(count, (eventId) => ({ eventId })), a: 1 })],
		['events, each in its envelope', (count) => ({ events: listOf(count, () => ({ events: [{ eventId: 1 }] })) })],
		['lists of events', (count) => listOf(count, () => [{ eventId: 1 }])],
		['texts', (count) => listOf(count, () => 'text')],
		['empty envelopes', (count) => ({ events: listOf(count, () => ({ events: [] })) })],
	])('is not read to its end: %s', (_what, bodyOf) => {
		// Each record that is read has its keys read.
		const keys = jest.spyOn(Object, 'keys');
		const looksAt = (count: number) => {
			keys.mockClear();
			const body = bodyOf(count);
			expect(readDelivery(body)).toBeUndefined();
			return keys.mock.calls.length;
		};
		const [few, many] = [looksAt(20_000), looksAt(80_000)];
		keys.mockRestore();
		expect(many).toBeLessThan(few + 2 * 60_000 + 10);
	});
});
