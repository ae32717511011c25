import fc from 'fast-check';

import {
	canonicalJson,
	ListBudget,
	operationById,
	operations,
	type PageOptions,
	readRows,
	type Send,
} from '../src/index.ts';
import { detailsOf, failureOf, json, queryOf, words } from './support/bank.ts';

const getMany = operationById('accountOperation.getMany');

interface Row {
	id: string | number;
	text?: string;
	status?: string;
	dateTime?: string;
}
const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `op-${index}` }));
const ids = (rows: unknown[]) => rows.map((found) => (found as Row).id);
const texts = (rows: unknown[]) => rows.map((found) => (found as Row).text);
const readAll = async (send: Send, options: PageOptions, query: Record<string, unknown> = {}) =>
	await readRows(getMany, { query }, send, options, (row) => row);

interface Habits {
	/** Maximum number of rows per response. */
	cap?: number;
	/** Changes the rows after this number of responses. */
	meanwhile?: (answered: number, rows: Row[]) => void;
	answer?: (offset: number, limit: number, rows: Row[]) => unknown[];
	/** Status of the error at an offset. */
	failAt?: (offset: number) => number | undefined;
}

/** A bank with a list of operations that accepts only offsets which are multiples of the limit. Responses come out of order. */
function bankWith(rows: Row[], { cap = Infinity, meanwhile, answer, failAt }: Habits = {}) {
	const asked: { offset: number; limit: number }[] = [];
	let [answered, inFlight] = [0, 0];
	const seen = { maxInFlight: 0 };
	const send: Send = async ({ prepared }) => {
		const query = Object.fromEntries(queryOf(prepared));
		const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? 20)];
		asked.push({ offset, limit });
		seen.maxInFlight = Math.max(seen.maxInFlight, ++inFlight);
		if (asked.length > 2000) throw new Error('asked without end');
		// Some responses are so late that the reader no longer waits for them.
		const turns = [1, 5, 40][asked.length % 3] ?? 1;
		const page = answer?.(offset, limit, rows) ?? rows.slice(offset, offset + Math.min(limit, cap));
		for (let callIndex = 0; callIndex < turns; callIndex++) await Promise.resolve();
		inFlight--;
		const status = failAt?.(offset);
		if (status !== undefined) return json(status, { error: 'internal_error' });
		if (offset % limit !== 0)
			return json(400, { error: 'invalid_request', error_description: 'offset must be a multiple of limit' });
		meanwhile?.(++answered, rows);
		return json(200, { operations: page });
	};
	return { send, asked, seen };
}

const small = fc.integer({ min: 1, max: 60 });
const habits = fc.record({
	count: fc.oneof(fc.nat(250), fc.nat(8)),
	offset: fc.oneof(fc.constant(0), fc.nat(70)),
	cap: fc.oneof(fc.constant(Infinity), small),
	pageSize: small,
	prefetch: fc.integer({ min: 1, max: 6 }),
});

describe('any list', () => {
	test('is read to its end and in order, whatever the bank returns at a time', async () => {
		await fc.assert(
			fc.asyncProperty(habits, async ({ count, offset, cap, pageSize, prefetch }) => {
				const { send, asked, seen } = bankWith(rowsUpTo(count), { cap });
				expect(ids(await readAll(send, { pageSize, prefetch }, { offset }))).toEqual(
					ids(rowsUpTo(count).slice(offset)),
				);
				expect(asked.every(({ limit }) => limit <= pageSize)).toBe(true);
				expect(seen.maxInFlight).toBeLessThanOrEqual(prefetch);
			}),
			{ numRuns: 300, seed: 1 },
		);
	});

	/** Rows whose `text` differs in each row. */
	const kinds: [string, (index: number) => Row][] = [
		['have identifiers', (index) => ({ id: `op-${index}`, text: `op-${index}` })],
		[
			'share their identifier',
			(index) => ({ id: '0', dateTime: `2026-03-10T12:00:${10 + (index % 50)}Z`, text: `op-${index}` }),
		],
		[
			'differ in status and title alone',
			(index) => ({ id: '0', status: index % 2 === 0 ? 'HOLD' : 'SUCCESS', text: `op-${index}` }),
		],
	];
	test.each(kinds)(
		'of rows that %s and move while it is read is returned whole, or not at all',
		async (_kind, rowAt) => {
			const changes = fc.array(
				fc.record({
					after: fc.nat(30),
					kind: fc.constantFrom('arrive', 'move', 'vanish'),
					from: fc.nat(999),
					to: fc.nat(999),
					some: fc.integer({ min: 1, max: 40 }),
				}),
				{ minLength: 1, maxLength: 6 },
			);
			let [whole, refused] = [0, 0];
			await fc.assert(
				fc.asyncProperty(habits, changes, async ({ count, cap, pageSize, prefetch }, all) => {
					const rowsAtFirst = Array.from({ length: count }, (_, index) => rowAt(index));
					const staying = new Set(texts(rowsAtFirst));
					let arrived = 0;
					const { send } = bankWith(rowsAtFirst, {
						cap,
						meanwhile: (answered, rows) => {
							for (const { kind, from, to, some } of all.filter(({ after }) => after === answered)) {
								const at = from % (rows.length + 1);
								if (kind === 'arrive')
									rows.splice(at, 0, ...Array.from({ length: some }, () => rowAt(1000 + arrived++)));
								else {
									const taken = rows.splice(at, some);
									if (kind === 'move') rows.splice(to % (rows.length + 1), 0, ...taken);
									else for (const { text } of taken) staying.delete(text);
								}
							}
						},
					});
					const found = await readAll(send, { pageSize, prefetch }).then(texts, (error: unknown) => {
						expect(detailsOf(error)).toMatchObject({
							code: 'LIST_CHANGED',
							outcome: 'nothingChanged',
							retryable: true,
						});
						refused++;
					});
					if (found === undefined) return;
					whole++;
					expect(new Set(found).size).toBe(found.length);
					expect([...staying].filter((text) => !found.includes(text))).toEqual([]);
				}),
				{ numRuns: 1000, seed: 1 },
			);
			expect(whole).toBeGreaterThan(900);
			expect(refused).toBeGreaterThan(0);
		},
	);

	test('that moves during every read is read three times, then refused', async () => {
		for (const place of [0, 60]) {
			const meanwhile: Habits['meanwhile'] = (answered, rows) => void rows.splice(place, 0, { id: `new-${answered}` });
			const { send, asked } = bankWith(rowsUpTo(250), { meanwhile });
			const details = detailsOf(await failureOf(readAll(send, { pageSize: 50, prefetch: 5 })));
			expect(details.message).toContain('the list changed each of the 3 times that it was read');
			expect(asked.filter(({ offset }) => offset === 0)).toHaveLength(3);
		}
	});

	test.each([
		[10, 5],
		[100, 5],
		[10, 20],
		[100, 20],
	])('of %i full pages takes hardly more requests, with %i in flight', async (pages, prefetch) => {
		for (const cap of [50, 30]) {
			const { send, asked, seen } = bankWith(rowsUpTo(pages * cap), { cap });
			expect(await readAll(send, { pageSize: 50, prefetch })).toHaveLength(pages * cap);
			expect(asked.length).toBeLessThanOrEqual(1.35 * pages + Math.min(prefetch, 1 + Math.ceil(pages / 10)) + 1);
			expect(seen.maxInFlight).toBeGreaterThan(1);
		}
	});
});

describe.each(operations.filter(({ list }) => list !== undefined))('every list: $id', (operation) => {
	/** Rows that share an `id`: both legs of a transfer, a payment with its reversal, everything that is in processing. */
	const row = fc.record({
		id: fc.constantFrom('0', '7'),
		dateTime: fc.constantFrom('2026-03-10T12:00:00Z', '2026-03-10T12:00:01Z'),
		direction: fc.constantFrom('EXPENSE', 'INCOME'),
		amount: fc.record({
			value: fc.constantFrom(1782, 5790),
			currency: fc.constant('RUB'),
			minorUnits: fc.constant(100),
		}),
		status: fc.constantFrom('HOLD', 'SUCCESS', 'FAILED', null),
		title: fc.constantFrom('A', 'B'),
	});

	const runs = fc.array(fc.tuple(row, fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 100)), { maxLength: 40 });

	test('drops no row but those that are equal as a whole, however many there are', async () => {
		await fc.assert(
			fc.asyncProperty(runs, small, async (equal, pageSize) => {
				const rows = equal.flatMap(([one, times]) => Array.from({ length: times }, () => one));
				const { key, offset } = operation.list ?? {};
				const send: Send = async ({ prepared }) => {
					const query = Object.fromEntries(queryOf(prepared));
					const [at, limit] = [Number(query.offset ?? 0), offset === undefined ? Infinity : Number(query.limit)];
					return json(200, { [String(key)]: rows.slice(at, at + limit) });
				};
				const path = Object.fromEntries(
					Object.keys(operation.pathFields?.entries ?? {}).map((name) => [name, 'card-1']),
				);
				const found = await readRows(operation, { path }, send, { pageSize, prefetch: 5 }, (one) => one);
				// Identifiers of limits are numbers.
				const texts = found.map((one) => canonicalJson({ ...(one as Row), id: String((one as Row).id) }));
				expect(texts).toEqual([...new Set(rows.map(canonicalJson))]);
			}),
			{ numRuns: 100, seed: 1 },
		);
	});
});

describe.each([1, 5])('with %i requests in flight, a bank', (prefetch) => {
	const read = async (habit: Habits) => {
		const bank = bankWith(rowsUpTo(60), habit);
		const onUnstable = jest.fn();
		const rows = await readAll(bank.send, { pageSize: 10, prefetch, onUnstable });
		return { rows: ids(rows), asked: bank.asked.length, isUnstable: onUnstable.mock.calls.length > 0 };
	};
	const all = ids(rowsUpTo(60));

	test('may return a short page in the middle, whatever happens to the requests behind it', async () => {
		const left = new Set([16]);
		const answer: Habits['answer'] = (offset, limit, rows) => rows.slice(offset, offset + (offset === 9 ? 3 : limit));
		const { rows } = await read({
			answer,
			failAt: (offset) => (prefetch > 1 && left.delete(offset) ? 500 : undefined),
		});
		expect([rows, left.size]).toEqual([all, prefetch > 1 ? 0 : 1]);
	});

	test('may return larger pages than it is asked for', async () => {
		const answer: Habits['answer'] = (offset, limit, rows) => rows.slice(offset, offset + limit + 7);
		expect((await read({ answer })).rows).toEqual(all);
	});

	test.each<[string, Habits['answer'], number]>([
		['ignores the offset', (_offset, limit, rows) => rows.slice(0, limit), 10],
		['ignores offset and limit', (_offset, _limit, rows) => rows, 60],
		[
			'starts over at the end',
			(offset, limit, rows) => [...rows, ...rows].slice(offset % 60, (offset % 60) + limit),
			60,
		],
	])('that %s ends with a warning', async (_habit, answer, count) => {
		const { rows, asked, isUnstable } = await read({ answer });
		expect([rows, isUnstable]).toEqual([all.slice(0, count), true]);
		expect(asked).toBeLessThanOrEqual(24);
	});

	test('that returns its last page for ever fails the list', async () => {
		const answer: Habits['answer'] = (offset, limit, rows) => rows.slice(Math.min(offset, 50)).slice(0, limit);
		expect(detailsOf(await failureOf(read({ answer }))).code).toBe('LIST_CHANGED');
	});

	test('may refuse an offset far behind a list of equal rows: it uses the offset', async () => {
		const { send } = bankWith(
			Array.from({ length: 35 }, () => ({ id: 'op-0' })),
			{
				failAt: (offset) => (offset > 1000 ? 400 : undefined),
			},
		);
		const onUnstable = jest.fn();
		expect(ids(await readAll(send, { pageSize: 10, prefetch, onUnstable }))).toEqual(['op-0']);
		expect(onUnstable).not.toHaveBeenCalled();
	});

	test('that refuses a page which is not needed does no harm; one that is needed fails the list', async () => {
		expect((await read({ failAt: (offset) => (offset > 60 ? 500 : undefined) })).rows).toEqual(all);
		const error = await failureOf(read({ failAt: (offset) => (offset === 20 ? 500 : undefined) }));
		expect(detailsOf(error)).toMatchObject({ httpStatus: 500, code: 'internal_error' });
	});
});

describe('a list that is too large', () => {
	const endless: Habits['answer'] = (offset, limit) =>
		Array.from({ length: limit }, (_, index) => ({ id: offset + index, text: 'x'.repeat(1000) }));

	/** A list that never ends. */
	const equal: Habits['answer'] = (offset, limit) =>
		Array.from({ length: offset > 100_000 ? 0 : limit }, () => ({ id: 'op-0', text: 'x'.repeat(1000) }));

	const dense: Habits['answer'] = (offset) => [{ id: offset, parts: Array.from({ length: 1000 }, () => ({})) }];

	test.each([
		[endless, 1000, 256, 'the list is larger than 1000 rows'],
		[equal, 1000, 256, 'the list is larger than 1000 rows'],
		[endless, 100_000, 1, 'the list is larger than 1 MB'],
		[dense, 100_000, 1, 'the list is larger than 1 MB'],
	])('ends with an error, %p at %i rows or %i MB', async (answer, maxRows, maxMegabytes, message) => {
		const { send, asked } = bankWith([], { answer });
		const budget = new ListBudget(maxRows, maxMegabytes);
		const details = detailsOf(await failureOf(readAll(send, { pageSize: 50, prefetch: 5, budget })));
		expect(details).toMatchObject({ outcome: 'nothingChanged', next: ['narrowList'], retryable: false });
		expect(details.message).toContain(message);
		expect(asked.length).toBeLessThan(35);
	});

	test('shares its limits with the other lists of the run', async () => {
		const budget = new ListBudget(100, 256);
		const read = async () => await readAll(bankWith(rowsUpTo(60)).send, { pageSize: 50, budget });
		expect(await read()).toHaveLength(60);
		await expect(read()).rejects.toThrow('larger than 100 rows');
	});
});

describe('a bank that takes only so many requests a second', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));
	const all = rowsUpTo(200);

	/** A bank that limits the rate and, like strict banks, counts rejected requests too. */
	function strictBank(mostInASecond: number, headers: Record<string, string>): Send {
		const { send } = bankWith(all);
		let latest: number[] = [];
		return async (request) => {
			latest = [...latest.filter((at) => at > Date.now() - 1000), Date.now()];
			const isTooMany = latest.length > mostInASecond;
			await sleep(50);
			return isTooMany ? words(429, '', headers) : await send(request);
		};
	}

	test.each([1, 2, 5, 10].flatMap((most) => [1, 2, 5, 20].map((prefetch) => [most, prefetch] as const)))(
		'%i gives a whole list, with %i in flight',
		async (most, prefetch) => {
			for (const headers of [{}, { 'Retry-After': '1' }] as Record<string, string>[]) {
				const wait = async (ms: number) => await sleep(ms).then(() => true);
				const reading = readAll(strictBank(most, headers), { pageSize: 5, prefetch, wait });
				const end = reading.then(ids, (error: Error) => error.message);
				await jest.runAllTimersAsync();
				expect(await end).toEqual(ids(all));
			}
		},
	);
});

describe('reading a list', () => {
	test('takes one request when it is empty, and none for a limit of nought', async () => {
		const { send, asked } = bankWith([]);
		expect(await readAll(send, { pageSize: 50, prefetch: 5 })).toEqual([]);
		expect(await readAll(send, { pageSize: 50, limit: 0 })).toEqual([]);
		expect(asked).toEqual([{ offset: 0, limit: 50 }]);
	});

	test('keeps the filters on every page, and the limit of its own input gives way to the page size', async () => {
		const seen: [string, string][][] = [];
		const { send } = bankWith(rowsUpTo(12));
		const spy: Send = async (request) => {
			seen.push(queryOf(request.prepared));
			return await send(request);
		};
		await readAll(
			spy,
			{ pageSize: 6, arrayFormat: 'brackets', timeZone: 'Europe/Moscow' },
			{ accounts: ['a', 'b'], dateFrom: new Date('2026-01-31T22:00:00Z'), limit: 3 },
		);
		expect(seen.map((query) => query.filter(([key]) => key !== 'offset'))).toEqual(
			[0, 1, 2, 3].map((page) => [
				['dateFrom', '2026-02-01'],
				['accounts[]', 'a'],
				['accounts[]', 'b'],
				['limit', String([6, 5, 6, 5][page])],
			]),
		);
	});

	test('tells rows without an identifier apart by all they hold', async () => {
		const rows = [{ id: '', text: 'a' }, { id: '', text: 'b' }, { text: 'd' }, null, 'e', { id: null, text: 'f' }];
		expect(await readAll(bankWith(rows as Row[]).send, { pageSize: 2 })).toEqual(rows);
	});

	test('maps rows page by page, so that the responses need not be kept', async () => {
		const { send, asked } = bankWith(rowsUpTo(12));
		const mappedAfter: number[] = [];
		const mapRow = (row: unknown) => [mappedAfter.push(asked.length), (row as Row).id][1];
		expect(await readRows(getMany, {}, send, { pageSize: 5 }, mapRow)).toEqual(ids(rowsUpTo(12)));
		expect(mappedAfter[0]).toBe(1);
		expect(mappedAfter.at(-1)).toBeGreaterThan(2);
	});

	test('takes 200,000 rows in one page', async () => {
		const all = rowsUpTo(200_000);
		const { send } = bankWith(all, { answer: (offset) => all.slice(offset) });
		expect(await readAll(send, { pageSize: 50 })).toHaveLength(200_000);
	});

	test.each(['abc', -1, 1.5, NaN, {}])('refuses an offset of %p before any request', async (offset) => {
		const { send, asked } = bankWith(rowsUpTo(9));
		await expect(readAll(send, { pageSize: 5 }, { offset })).rejects.toMatchObject({ issues: [{ path: 'offset' }] });
		expect(asked).toEqual([]);
	});

	test('that is not paged takes one request, cut to the limit', async () => {
		const list = { key: 'operations', simplify: Object };
		const { send, asked } = bankWith(rowsUpTo(12));
		for (const limit of [100, 3])
			expect(await readRows({ ...getMany, list }, {}, send, { pageSize: 5, limit }, (row) => row)).toHaveLength(
				Math.min(12, limit),
			);
		expect(asked).toEqual([
			{ offset: 0, limit: 20 },
			{ offset: 0, limit: 20 },
		]);
	});
});
