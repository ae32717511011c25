import {
	type BankOperation,
	type CursorOptions,
	definitions,
	eventIdOf,
	type OperationEvent,
	OperationsTracker,
	readCursor,
	readOperations,
	readPages,
	type Send,
	shiftDay,
	writeCursor,
} from '../src/index.ts';
import { json, queryOf } from './support/bank.ts';

interface Row {
	id: string;
	dateTime: string;
	status?: string | null;
}

const source = 'https://bank.test';
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const noon = Date.parse('2026-03-10T12:00:00Z');
const options = { source, now: noon, today: '2026-03-10', overlapDays: 1, pendingDays: 7 };
const row = (id: string, at: number | string, status: string | null = null): Row => ({
	id,
	dateTime: typeof at === 'number' ? new Date(at).toISOString() : at,
	status,
});
const rowsUpTo = (count: number) =>
	Array.from({ length: count }, (_, index) => row(`op-${index}`, noon - index * 1000));
const told = (events: readonly OperationEvent[]) =>
	events.map(({ event, previousStatus, operation }) => {
		const { id, status } = (operation ?? { id: 'null' }) as Row;
		return event === 'created' ? id : `${id} ${String(previousStatus)}>${String(status)}`;
	});

/** Polls a bank that filters by whole days. The cursor is serialized between polls, as in n8n. */
function poller(rows: Row[], more: Partial<CursorOptions> = {}) {
	let text: string | undefined;
	const asked: { from: string; offset: number }[] = [];
	let meanwhile = (_answered: number): void => undefined;
	const send: Send = async ({ prepared }) => {
		const { dateFrom = '', offset, limit } = Object.fromEntries(queryOf(prepared));
		asked.push({ from: dateFrom, offset: Number(offset) });
		const found = rows.filter((operation) => (operation?.dateTime ?? '9').slice(0, 10) >= dateFrom);
		const page = structuredClone(found.slice(Number(offset), Number(offset) + Number(limit)));
		meanwhile(asked.length);
		return json(200, { operations: page });
	};
	return {
		asked,
		cursor: () => readCursor(text, source),
		/**
		 * @returns the emitted events
		 * @param pages number of pages after which time is up
		 */
		async poll(
			now: number,
			{
				pages = Infinity,
				change = (_answered: number): void => undefined,
				asEvents = told,
				...over
			}: { pages?: number; change?: (answered: number) => void; asEvents?: typeof told } & Partial<CursorOptions> = {},
		) {
			const today = new Date(now).toISOString().slice(0, 10);
			const tracker = new OperationsTracker(readCursor(text, source), { ...options, now, today, ...more, ...over });
			asked.length = 0;
			meanwhile = change;
			await readOperations(
				tracker,
				({ from, range = { offset: 0, limit: 10 } }) =>
					readPages(definitions.accountOperation.getMany, { query: { dateFrom: from, offset: range.offset } }, send, {
						pageSize: range.limit,
					}),
				() => --pages <= 0,
			);
			text = writeCursor(tracker.cursor);
			expect(new Set(tracker.events.map(({ eventId }) => eventId)).size).toBe(tracker.events.length);
			return asEvents(tracker.events);
		},
	};
}

describe('the first poll', () => {
	const rows = () => [row('now', noon), row('yesterday', noon - day), row('long ago', noon - 300 * day)];

	test('emits nothing old, and then only what is new', async () => {
		const bank = rows();
		const { poll } = poller(bank);
		expect(await poll(noon)).toEqual([]);
		bank.unshift(row('new', noon + hour));
		expect(await poll(noon + hour)).toEqual(['new']);
		expect(await poll(noon + 2 * hour)).toEqual([]);
	});

	test('emits the operations since a start day, if set, oldest first', async () => {
		expect(await poller(rows(), { startDay: '2026-03-09' }).poll(noon)).toEqual(['yesterday', 'now']);
		const { poll } = poller(rows(), { startDay: '2026-03-11' });
		for (const later of [0, hour]) expect(await poll(noon + later)).toEqual([]);
	});

	test.each([
		[3, '2026-03-07'],
		[1, '2026-03-09'],
	])('goes back by an overlap of %d', async (overlapDays, from) => {
		const { poll, asked } = poller(rows(), { overlapDays });
		await poll(noon);
		expect(new Set(asked.map((one) => one.from))).toEqual(new Set([from]));
	});

	test.each([0, 3, 20, 200])('finds later operations although the clock was %i days ahead', async (ahead) => {
		const bank = rows().slice(0, 2);
		const { poll } = poller(bank);
		await poll(noon + ahead * day);
		const emitted: string[] = [];
		for (let day10 = 0; day10 < 10; day10++) {
			bank.unshift(row(`new ${day10}`, noon + day10 * day + hour));
			emitted.push(...(await poll(noon + day10 * day + 2 * hour)), ...(await poll(noon + day10 * day + 4 * hour)));
		}
		expect(emitted).toEqual(Array.from({ length: 10 }, (_, day10) => `new ${day10}`));
	});

	test('of an account without operations finds the first one, whenever it comes', async () => {
		const bank: Row[] = [];
		const { poll, asked } = poller(bank);
		for (const later of [0, 1, 6, 30]) await poll(noon + later * day);
		expect(asked).toHaveLength(1);
		bank.push(row('first', noon + 200 * day));
		expect(await poll(noon + 200 * day)).toEqual(['first']);
	});
});

describe('a first read of a list that changes', () => {
	const bank = () => rowsUpTo(60);

	/** Polls of a first read with this number of pages, with a change after each page. Returns the events of later polls. */
	async function emittedAfter(rows: Row[], pages: number, change: (answered: number) => void): Promise<string[]> {
		const { poll, cursor } = poller(rows);
		const emitted: string[] = [];
		for (let polls = 0; cursor() === undefined || cursor()?.baseline !== undefined; polls++) {
			expect(polls).toBeLessThan(100);
			emitted.push(...(await poll(noon + polls, { pages, ...(polls < 6 ? { change } : {}) })));
		}
		for (const later of [1, 2, 3]) emitted.push(...(await poll(noon + later * hour)));
		return emitted;
	}

	test.each([1, 2, 3, Infinity])(
		'emits no old operation if others disappear or move (%d pages a poll)',
		async (pages) => {
			for (let place = 0; place < 40; place += 5) {
				const [vanishing, moving] = [bank(), bank()];
				expect(await emittedAfter(vanishing, pages, () => vanishing.splice(place, 2))).toEqual([]);
				expect(await emittedAfter(moving, pages, () => moving.push(...moving.splice(place, 1)))).toEqual([]);
			}
		},
	);

	test('emits what comes after publishing, except late operations among those that were not read yet', async () => {
		const arriving = [row('new', noon + 1), row('late', noon - 1)];
		const cases: [(rows: Row[]) => void, string[]][] = [
			[(rows) => rows.unshift(...arriving), ['late', 'new']],
			[(rows) => rows.reverse().push(...arriving), ['new']],
		];
		for (const [add, expected] of cases) {
			const rows = bank();
			const { poll } = poller(rows);
			expect(await poll(noon, { pages: 1 })).toEqual([]);
			add(rows);
			const emitted: string[] = [];
			for (let polls = 1; polls < 30; polls++) emitted.push(...(await poll(noon + 10 + polls, { pages: 2 })));
			expect(emitted).toEqual(expected);
		}
	});

	test('emits what comes before the first page is read, even if the clocks differ', async () => {
		for (const hours of [0, 3]) {
			const rows = rowsUpTo(60).map(({ id }, index) => row(id, noon + hours * hour - index * 1000));
			const { poll } = poller(rows);
			const change = (answered: number) => void (answered === 2 && rows.push(row('new', noon + hours * hour + 5)));
			rows.unshift(...(hours === 0 ? [row('at once', noon + 2)] : []));
			const emitted = await poll(noon, { change, clock: () => noon + 10 });
			expect(emitted).toEqual(hours === 0 ? ['at once', 'new'] : ['new']);
			for (const later of [1, 2]) expect(await poll(noon + later * hour)).toEqual([]);
		}
	});

	test('ends although operations keep arriving', async () => {
		const rows = bank();
		let arrived = 0;
		const { poll, cursor } = poller(rows);
		const change = () => void rows.unshift(row(`new-${arrived++}`, noon + 1));
		await poll(noon, { change });
		await poll(noon + hour, { change });
		expect(cursor()?.baseline).toBeUndefined();
	});
});

describe('the requests of a poll', () => {
	const minute = hour / 60;

	test('are one if nothing is new, and a pass every so many minutes as it has pages', async () => {
		const { poll, asked } = poller(rowsUpTo(200));
		await poll(noon);
		const costs: number[] = [];
		for (let minutes = 1; minutes <= 42; minutes++) {
			await poll(noon + minutes * minute);
			costs.push(asked.length);
		}
		expect(costs.filter((cost) => cost > 1)).toEqual([33, 33]);
	});

	test('late operations and changes far down in the list are found by the next pass', async () => {
		const bank = rowsUpTo(200);
		bank[150] = row('held', noon - 150_000, 'HOLD');
		const { poll } = poller(bank);
		await poll(noon);
		bank[150] = row('held', noon - 150_000, 'SUCCESS');
		bank.splice(120, 0, row('late', noon - 120_000));
		bank.unshift(row('new', noon + 1));
		expect(await poll(noon + minute)).toEqual(['new']);
		expect(await poll(noon + hour)).toEqual(['held HOLD>SUCCESS', 'late']);
	});

	test('are a pass each time if the list does not start with the newest operations, which are found at once', async () => {
		const bank = rowsUpTo(200).reverse();
		const { poll, asked } = poller(bank);
		await poll(noon);
		await poll(noon + 1);
		expect(asked).toHaveLength(33);
		bank.push(row('new', noon + 1));
		expect(await poll(noon + 2)).toEqual(['new']);
	});

	test('are the same after the clock is set back', async () => {
		const bank = rowsUpTo(200);
		const { poll, asked } = poller(bank);
		await poll(noon + 3 * day);
		await poll(noon);
		expect(asked.length).toBeGreaterThan(20);
	});

	test('are limited by the time of a poll: the rest follows in the next polls', async () => {
		const bank = rowsUpTo(20);
		const { poll, asked } = poller(bank);
		await poll(noon);
		for (let index = 0; index < 50; index++) bank.unshift(row(`new-${index}`, noon + index));
		const emitted: string[] = [];
		for (let polls = 0; polls < 9; polls++) {
			emitted.push(...(await poll(noon + minute + polls, { pages: 1 })));
			expect(asked.length).toBeLessThan(3);
		}
		expect([emitted.length, new Set(emitted).size]).toEqual([50, 50]);
	});

	test('are limited by the time of a poll: news come first, and the next poll continues the pass', async () => {
		const bank = rowsUpTo(200);
		const { poll, asked, cursor } = poller(bank);
		await poll(noon);
		const offsets: number[] = [];
		for (let polls = 0; polls === 0 || cursor()?.pass !== undefined; polls++) {
			bank.unshift(row(`new-${polls}`, noon + hour + polls));
			expect(await poll(noon + hour + polls, { pages: 5 })).toEqual([`new-${polls}`]);
			offsets.push(...asked.map(({ offset }) => offset));
		}
		expect(Math.max(...offsets)).toBeGreaterThanOrEqual(200);
	});
});

describe('status', () => {
	test('a change is emitted once, with the status before; an absent, an empty and a null status are the same', async () => {
		const bank = [row('a', noon, 'HOLD'), row('b', noon)];
		const { poll } = poller(bank);
		await poll(noon);
		bank[0] = row('a', noon, 'SUCCESS');
		bank[1] = row('b', noon, '');
		expect(await poll(noon + hour)).toEqual(['a HOLD>SUCCESS']);
		delete bank[1].status;
		expect(await poll(noon + 2 * hour)).toEqual([]);
	});

	test.each([
		['HOLD', []],
		['REFUND', ['a HOLD>REFUND']],
	])('that changes twice during a poll, at last to %s, is one change or none', async (last, expected) => {
		const { poll, cursor } = poller([row('a', noon, 'HOLD')]);
		await poll(noon);
		const tracker = new OperationsTracker(cursor(), options);
		for (const status of ['SUCCESS', last])
			tracker.takeLatest([row('a', noon, status), row('new', noon, status)] as BankOperation[]);
		expect(tracker.events.map(({ eventId }) => eventId.replace(/ \S+$/, ''))).toEqual([`new ${last}`, ...expected]);
	});

	test.each([
		[7, 6, ['held HOLD>SUCCESS']],
		[7, 9, []],
		[0, 2, []],
		[30, 20, ['held HOLD>SUCCESS']],
	])('of an operation in processing is followed for %i days: after %i', async (pendingDays, days, expected) => {
		const bank = [row('held', noon, 'HOLD')];
		const { poll } = poller(bank, { pendingDays });
		await poll(noon);
		bank.unshift(row('b', noon + days * day));
		for (let polls = 0; polls < 4; polls++) await poll(noon + days * day + polls * hour);
		bank[1] = row('held', noon, 'SUCCESS');
		expect(await poll(noon + days * day + 5 * hour)).toEqual(expected);
	});

	test('an operation with a new date, later or earlier, is the same operation', async () => {
		for (const moved of [2, -2]) {
			const bank = [row('a', noon, 'HOLD')];
			const { poll } = poller(bank, { overlapDays: 3 });
			await poll(noon);
			bank[0] = row('a', noon + moved * day, 'SUCCESS');
			expect(await poll(noon + 2 * day)).toEqual(['a HOLD>SUCCESS']);
			for (let days = 3; days < 9; days++) {
				bank.unshift(row(`of day ${days}`, noon + days * day));
				expect(await poll(noon + days * day)).toEqual([`of day ${days}`]);
				expect(await poll(noon + days * day + hour)).toEqual([]);
			}
		}
	});
});

describe('operations that share an identifier', () => {
	const money = (value: number) => ({ value, currency: 'RUB', minorUnits: 100 });
	type Leg = Row & { direction: string; amount: object; title?: string };
	const leg = (direction: string, value: number, more: Partial<Leg> = {}): Leg => ({
		...row('a', noon, 'SUCCESS'),
		direction,
		amount: money(value),
		...more,
	});
	const later = { dateTime: new Date(noon + hour).toISOString() };
	const payment = leg('EXPENSE', 5790);
	const shown = (events: readonly OperationEvent[]) =>
		events.map(({ event, changes, previousStatus, previousAmount, operation }) => {
			const { direction, amount, status, title } = operation as unknown as Leg & { amount: { value: number } };
			const after = [direction, amount.value, status, ...(title === undefined ? [] : [title])].join(' ');
			return event === 'created' ? after : `${after} ${changes?.join()} ${previousStatus} ${previousAmount}`;
		});

	test.each<[string, Leg[], Leg[], string[]]>([
		['both legs of a transfer', [], [payment, leg('INCOME', 5790)], ['INCOME 5790 SUCCESS', 'EXPENSE 5790 SUCCESS']],
		['the second leg', [payment], [payment, leg('INCOME', 5790)], ['INCOME 5790 SUCCESS']],
		['the second leg, above', [payment], [leg('INCOME', 5790), payment], ['INCOME 5790 SUCCESS']],
		[
			'a reversal and the final charge',
			[payment],
			[leg('EXPENSE', 1782, later), leg('INCOME', 5790, later), payment],
			['INCOME 5790 SUCCESS', 'EXPENSE 1782 SUCCESS'],
		],
		['another payment of the same second', [payment], [payment, leg('EXPENSE', 1782)], ['EXPENSE 1782 SUCCESS']],
		[
			'equal operations with other titles',
			[],
			[leg('EXPENSE', 1, { title: 'A' }), leg('EXPENSE', 1, { title: 'B' })],
			['EXPENSE 1 SUCCESS B', 'EXPENSE 1 SUCCESS A'],
		],
		['a changed amount', [payment], [leg('EXPENSE', 1782)], ['EXPENSE 1782 SUCCESS amount SUCCESS 57.9']],
		[
			'a changed amount and status',
			[leg('EXPENSE', 5790, { status: 'HOLD' })],
			[leg('EXPENSE', 1782)],
			['EXPENSE 1782 SUCCESS status,amount HOLD 57.9'],
		],
		[
			'a changed amount, status and time',
			[leg('EXPENSE', 5790, { status: 'HOLD' })],
			[leg('EXPENSE', 1782, later)],
			['EXPENSE 1782 SUCCESS status,amount HOLD 57.9'],
		],
		[
			'the next one in processing',
			[leg('EXPENSE', 5790, { status: 'HOLD' })],
			[leg('EXPENSE', 1, { ...later, status: 'HOLD' })],
			['EXPENSE 1 HOLD'],
		],
		[
			'one that is left of two, with another amount',
			[payment, leg('EXPENSE', 1782, later)],
			[leg('EXPENSE', 1790, later)],
			['EXPENSE 1790 SUCCESS amount SUCCESS 17.82'],
		],
		[
			'one that is left of two, with another status',
			[payment, leg('EXPENSE', 1782, { ...later, status: 'HOLD' })],
			[leg('EXPENSE', 1782, later)],
			['EXPENSE 1782 SUCCESS status HOLD undefined'],
		],
		['another title', [payment], [leg('EXPENSE', 5790, { title: 'B' })], []],
		['another time', [payment], [leg('EXPENSE', 5790, later)], []],
	])('%s', async (_what, before, after, expected) => {
		// With more rows above, a page ends earlier: the operations are on one page, or a page ends between any two of
		// them.
		for (let above = 0; above < 12; above++) {
			const others = (from: number) =>
				Array.from({ length: above }, (_, index) => ({ ...leg('EXPENSE', 9), id: `${from + index}` }));
			const bank: Row[] = [...others(0), ...before, ...others(100)];
			const { poll, cursor } = poller(bank);
			await poll(noon);
			bank.splice(above, before.length, ...after);
			const found = await poll(noon + hour, { asEvents: shown });
			expect([...found].sort()).toEqual([...expected].sort());
			expect(await poll(noon + 2 * hour)).toEqual([]);
			expect(cursor()?.pass).toBeUndefined();
		}
	});

	test('a change of status is emitted, though the first pass left open whether the operation existed at publishing', async () => {
		const others = (from: number) =>
			Array.from({ length: 12 }, (_, index) => ({ ...leg('EXPENSE', 9), id: `${from + index}` }));
		const changing = leg('EXPENSE', 5, { title: 'B', status: 'HOLD' });
		const bank: Row[] = [leg('EXPENSE', 5, { title: 'A' }), ...others(0), changing, ...others(100)];
		const { poll, asked } = poller(bank);
		const change = () => {
			if (Number(asked.at(-1)?.offset) > 13) changing.status = 'SUCCESS';
		};
		expect(await poll(noon, { change, asEvents: shown })).toEqual(['EXPENSE 5 SUCCESS B status HOLD undefined']);
		expect(await poll(noon + hour)).toEqual([]);
	});

	test('60 in processing under one identifier, then 30 more that are done, are 90', async () => {
		const held = Array.from({ length: 60 }, (_, index) => leg('EXPENSE', 100 + index, { id: '0', status: 'HOLD' }));
		const done = Array.from({ length: 30 }, (_, index) => leg('EXPENSE', 100 + index, { id: `real-${index}` }));
		const bank: Row[] = [];
		const { poll } = poller(bank, { startDay: '2026-03-01' });
		await poll(noon);
		bank.push(...held, ...done);
		expect(await poll(noon + hour)).toHaveLength(90);
		expect(await poll(noon + 2 * hour)).toEqual([]);
		const ids = new Set(held.map((operation) => eventIdOf(operation as unknown as BankOperation)));
		expect(ids.size).toBe(60);
	});
});

describe('unusual lists', () => {
	test.each([
		[1, ['late']],
		[2, ['late']],
		// The operation is older than the days that the cursor remembers, so it is not new.
		[3, []],
	])('may have an operation %i days after its own day, since time zones are 26 hours apart', (days, expected) => {
		const late = row('late', `${shiftDay('2026-03-09', -days)}T23:30:00-12:00`);
		const tracker = new OperationsTracker(undefined, { ...options, startDay: '2026-03-09' });
		tracker.takeLatest([late] as BankOperation[]);
		expect(told(tracker.events)).toEqual(expected);
	});

	test('identifiers may be numbers, reserved words or missing', async () => {
		const bank: Row[] = [row('a', noon)];
		const { poll } = poller(bank);
		await poll(noon);
		const nameless = (at: number, status: string) => ({ dateTime: new Date(at).toISOString(), status }) as Row;
		bank.push({ ...row('', noon), id: 7 as never }, row('__proto__', noon), row('constructor', noon));
		bank.push(nameless(noon, 'HOLD'), nameless(noon + 1, 'HOLD'), null as never);
		expect(await poll(noon + hour)).toHaveLength(6);
		expect(await poll(noon + 2 * hour)).toEqual([]);
		bank[4] = nameless(noon, 'SUCCESS');
		expect(await poll(noon + 3 * hour)).toEqual(['undefined HOLD>SUCCESS']);
	});

	test('operations with future or unreadable dates neither stop the window nor are emitted twice', async () => {
		const bank: Row[] = [row('ahead', '2030-01-01T00:00:00Z'), row('now', noon)];
		const { poll, cursor } = poller(bank);
		expect(await poll(noon)).toEqual([]);
		bank.push(row('a', noon), row('odd', '9999-99-99'), row('odd too', '9999-02-30'));
		expect((await poll(noon + hour)).sort()).toEqual(['a', 'odd', 'odd too']);
		for (let days = 1; days < 6; days++) {
			bank.push(row(`of day ${days}`, noon + days * day));
			expect(await poll(noon + days * day)).toEqual([`of day ${days}`]);
			expect(await poll(noon + days * day + hour)).toEqual([]);
		}
		expect(cursor()?.floor).toBe('2026-03-14');
	});
});

describe('too many operations', () => {
	test('shorten the window by whole days, and nothing is emitted twice', async () => {
		const bank: Row[] = [];
		const { poll, cursor } = poller(bank, { bound: 35, overlapDays: 5 });
		await poll(noon);
		const emitted: string[] = [];
		for (let days = 0; days < 10; days++) {
			for (let index = 0; index < 10; index++) bank.unshift(row(`${days}-${index}`, noon + days * day + index));
			for (const hours of days % 2 ? [0, 1, 2] : []) emitted.push(...(await poll(noon + days * day + hours * hour)));
			expect(cursor()?.seen.size).toBeLessThanOrEqual(35);
		}
		expect([emitted.length, new Set(emitted).size, cursor()?.floor]).toEqual([100, 100, '2026-03-17']);
	});

	test('of one day are all remembered: a day cannot be shortened', async () => {
		const bank = [row('old', noon)];
		const { poll } = poller(bank, { bound: 25 });
		await poll(noon);
		for (let index = 0; index < 60; index++) bank.push(row(`${index}`, noon));
		expect(await poll(noon + hour)).toHaveLength(60);
		bank.push(row('one more', noon + hour));
		expect(await poll(noon + 3 * hour)).toEqual(['one more']);
	});
});

test('a cursor survives serialization, and the cursor of another bank is ignored', () => {
	const tracker = new OperationsTracker(undefined, options);
	const rows = rowsUpTo(3) as BankOperation[];
	const next = { offset: 3, limit: 3 };
	tracker.takeOfPass(tracker.pass, { rows, fresh: rows, start: 0, next, isMoved: false }, true);
	const { cursor } = tracker;
	expect(readCursor(writeCursor(cursor), source)).toEqual(cursor);
	expect(readCursor(writeCursor(cursor), 'https://sandbox.test')).toBeUndefined();
	expect([readCursor(undefined, source), readCursor('', source)]).toEqual([undefined, undefined]);
});

test('events come oldest first; of the same time, in the reverse order of the list', () => {
	const tracker = new OperationsTracker(undefined, { ...options, startDay: '2026-03-01' });
	const rows = [row('of no time', ''), row('a', noon), ...['d', 'c', 'b'].map((id) => row(id, noon + 1))];
	tracker.takeLatest(rows as BankOperation[]);
	expect(told(tracker.events)).toEqual(['a', 'b', 'c', 'd', 'of no time']);
});
