import { existing } from '../../fixtures/src/existing.ts';
import { chance } from '../../fixtures/src/chance.ts';
import {
	type Advance,
	advance,
	advanceByGlance,
	type BankOperation,
	type CursorOptions,
	dayIn,
	definitions,
	glance,
	oldestFirst,
	type OperationEvent,
	type OperationsCursor,
	planRead,
	readAll,
	readCursor,
	type ReadEnd,
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
const noon = Date.parse('2026-03-10T12:00:00Z');
const settings = (now: number, more: Partial<CursorOptions> = {}): CursorOptions => ({
	source,
	now,
	today: dayIn(now, 'UTC'),
	overlapDays: 1,
	pendingDays: 7,
	...more,
});
const row = (id: string, at: number | string, status: string | null = null): Row => ({
	id,
	dateTime: typeof at === 'number' ? new Date(at).toISOString() : at,
	status,
});
const told = (events: readonly OperationEvent[]) =>
	events.map(({ event, previousStatus, operation }) => [
		event,
		(operation as Row).id,
		...(event === 'changed' ? [previousStatus, (operation as Row).status] : []),
	]);

/** A poller over the rows of a bank that filters by whole days. Its cursor goes through text, as in n8n. */
function poller(rows: Row[], more: Partial<CursorOptions> = {}) {
	let text: string | undefined;
	const asked: string[] = [];
	return {
		asked,
		cursor: () => readCursor(text, source) as OperationsCursor,
		poll(now: number, over: Partial<CursorOptions> = {}) {
			const options = settings(now, { ...more, ...over });
			const cursor = readCursor(text, source);
			const plan = planRead(cursor, options);
			asked.push(plan.from);
			const {
				events,
				cursor: next,
				shrunkTo,
			} = advance(
				cursor,
				plan,
				rows.filter(({ dateTime }) => dateTime.slice(0, 10) >= plan.from),
				options,
			);
			text = writeCursor(next);
			return { told: told(events), shrunkTo };
		},
	};
}

describe('the first read', () => {
	const rows = () => [row('now', noon), row('yesterday', noon - 24 * hour), row('long ago', noon - 300 * 24 * hour)];

	test('emits nothing old, and then only what is new', () => {
		const bank = rows();
		const { poll } = poller(bank);
		expect(poll(noon).told).toEqual([]);
		bank.unshift(row('new', noon + hour));
		expect(poll(noon + hour).told).toEqual([['created', 'new']]);
		expect(poll(noon + 2 * hour).told).toEqual([]);
	});

	test('that its time did not suffice for tells, when it goes on, what has come since it began', () => {
		const options = settings(noon);
		const begun = advance(undefined, planRead(undefined, options), [row('old', noon - hour)], options, {
			stoppedAt: 1,
		});
		const later = settings(noon + hour);
		const cursor = readCursor(writeCursor(begun.cursor), source);
		const found = [row('old too', noon), row('of no time', ''), row('new', noon + 1)];
		const { events } = advance(cursor, planRead(cursor, later), found, later);
		expect(told([...begun.events, ...events])).toEqual([['created', 'new']]);
	});

	test.each([
		[1, '2026-03-09'],
		[3, '2026-03-07'],
		[1.9, '2026-03-09'],
		[0, '2026-03-09'],
		[-2, '2026-03-09'],
		[NaN, '2026-03-09'],
	])('goes back by an overlap of %d, of one day at least', (overlapDays, from) => {
		expect(planRead(undefined, settings(noon, { overlapDays }))).toEqual({ from, pending: false, offset: 0 });
	});

	test('emits what there is since a day, where asked to, oldest first', () => {
		expect(poller(rows(), { startDay: '2026-03-09' }).poll(noon).told).toEqual([
			['created', 'yesterday'],
			['created', 'now'],
		]);
	});

	test('of an account without operations finds the first one, whenever it comes', () => {
		const bank: Row[] = [];
		const { poll } = poller(bank);
		poll(noon);
		poll(noon + 24 * hour);
		bank.push(row('first', noon + 200 * 24 * hour));
		expect(poll(noon + 200 * 24 * hour).told).toEqual([['created', 'first']]);
	});

	test('that finds nothing moves nothing: the day counts of the latest operation, not that of the clock', () => {
		const { poll, asked } = poller([]);
		for (const day of [0, 5, 6, 30]) poll(noon + day * 24 * hour);
		expect(asked).toEqual(['2026-03-09', '2026-03-09', '2026-03-09', '2026-03-09']);
	});

	test('does not take operations of days before it for new, when it later goes back to one in processing', () => {
		const bank = [row('held', noon - 24 * hour, 'HOLD'), row('old', noon - 48 * hour)];
		const { poll } = poller(bank);
		poll(noon);
		bank.unshift(row('days later', noon + 72 * hour));
		expect(poll(noon + 72 * hour).told).toEqual([['created', 'days later']]);
		expect(poll(noon + 75 * hour).told).toEqual([]);
	});
});

describe('a first read of a list that moves', () => {
	const moved: ReadEnd = { isUnsettled: true };
	const [old, older, oldest] = ['old', 'older', 'oldest'].map((id, hours) => row(id, noon - (hours + 1) * hour)) as [
		Row,
		Row,
		Row,
	];
	const passedOver = row('passed over', noon - 5 * hour);

	/** What reads tell, an hour after one another: what each of them finds, and how it ends. */
	function reads(...each: ReadonlyArray<readonly [rows: readonly Row[], end?: ReadEnd]>) {
		let text: string | undefined;
		let listed: boolean | undefined;
		const events = each.map(([rows, end], hours) => {
			const options = settings(noon + hours * hour);
			const cursor = readCursor(text, source);
			const read = advance(cursor, planRead(cursor, options), rows, options, end);
			text = writeCursor(read.cursor);
			listed = planRead(read.cursor, options).listed !== undefined;
			return told(read.events);
		});
		return { events, last: events.at(-1), listed };
	}

	test('takes for old what is found later, but for what is dated later, and tells changes', () => {
		const held = row('held', noon - hour, 'HOLD');
		const { events } = reads(
			[[held], moved],
			[[row('new', noon + 1), { ...held, status: 'SUCCESS' }, passedOver], moved],
		);
		expect(events).toEqual([
			[],
			[
				['changed', 'held', 'HOLD', 'SUCCESS'],
				['created', 'new'],
			],
		]);
	});

	test('has begun with the first that has come to rest: what is found after it is new', () => {
		expect(reads([[old], moved], [[old]], [[old, passedOver]]).last).toEqual([['created', 'passed over']]);
	});

	test.each([
		[4, []],
		[5, [['created', 'passed over']]],
	])('is taken as it is after five times: after %i', (times, expected) => {
		const again = Array.from({ length: times }, () => [[old], moved] as const);
		expect(reads(...again, [[old, passedOver], moved]).last).toEqual(expected);
	});

	test.each<[string, ReadEnd, Row[], unknown[]]>([
		['goes on from what was read last', { stoppedAt: 3 }, [oldest], [['created', 'passed over']]],
		['goes on behind it, where rows may be missing', { stoppedAt: 3 }, [], []],
		['had moved before', { stoppedAt: 3, ...moved }, [oldest], []],
	])('and whose time was up %s', (_how, end, met, expected) => {
		const rest = [...met, row('the rest', noon - 4 * hour)];
		expect(reads([[old, older, oldest], end], [rest], [[old, passedOver]]).last).toEqual(expected);
	});

	test('must be read whole again, as must one that was read in parts', () => {
		expect(reads([[old]]).listed).toBe(true);
		expect(reads([[old], moved]).listed).toBe(false);
		expect(reads([[old], { stoppedAt: 1 }], [[old, older]]).listed).toBe(false);
	});
});

describe('status', () => {
	test('a change is one event, with what it was', () => {
		const bank = [row('a', noon, 'HOLD')];
		const { poll } = poller(bank);
		poll(noon);
		bank[0] = row('a', noon, 'SUCCESS');
		expect(poll(noon + hour).told).toEqual([['changed', 'a', 'HOLD', 'SUCCESS']]);
		expect(poll(noon + 2 * hour).told).toEqual([]);
	});

	test('an absent, an empty and a null status are one and the same', () => {
		const bank = [row('a', noon)];
		const { poll } = poller(bank);
		poll(noon);
		delete existing(bank[0]).status;
		expect(poll(noon + hour).told).toEqual([]);
		existing(bank[0]).status = '';
		expect(poll(noon + 2 * hour).told).toEqual([]);
	});

	test('what is in processing is followed beyond the overlap, about once an hour, for some days', () => {
		const bank = [row('held', noon, 'HOLD')];
		const { poll, asked, cursor } = poller(bank);
		poll(noon);
		const later = noon + 5 * 24 * hour;
		bank.unshift(row('b', later));
		// Every day is read twice before the window leaves it.
		poll(later);
		poll(later + 1);
		poll(later + 2);
		poll(later + 3);
		poll(later + 4);
		poll(later + hour);
		expect(asked.slice(-4)).toEqual(['2026-03-09', '2026-03-14', '2026-03-14', '2026-03-14']);
		bank[1] = row('held', noon, 'SUCCESS');
		expect(poll(later + 2 * hour).told).toEqual([['changed', 'held', 'HOLD', 'SUCCESS']]);
		expect(asked.at(-1)).toBe('2026-03-09');
		// It has read all of the nearer list as well.
		expect(planRead(cursor(), settings(later + 2 * hour + 1)).listed).toMatchObject({ from: '2026-03-14' });
		poll(later + 4 * hour);
		expect(asked.at(-1)).toBe('2026-03-14');
	});

	test('what is in processing is followed by polls that come every hour, each time', () => {
		const bank = [row('held', noon, 'HOLD')];
		const { poll, asked } = poller(bank);
		poll(noon);
		const later = noon + 5 * 24 * hour;
		bank.unshift(row('b', later));
		for (let again = 0; again < 5; again++) poll(later + again * hour);
		expect(asked.slice(-2)).toEqual(['2026-03-09', '2026-03-09']);
	});

	/** A cursor that remembers operations in processing of these days. */
	const holding = (...days: string[]): OperationsCursor => ({
		source,
		since: '2026-03-20',
		next: '2026-03-20',
		floor: '2026-03-01',
		keep: '2026-02-27',
		seen: new Map(days.map((day) => [day, { day, status: 'HOLD' }])),
		pendingReadAt: 0,
	});

	test.each([
		[['2026-03-10', '2026-03-12', '2026-03-18'], 10, '2026-03-09'],
		[['2026-03-18', '2026-03-12', '2026-03-10'], 10, '2026-03-09'],
		[['2026-03-10', '2026-03-12'], 9, '2026-03-11'],
		[['2026-03-10', '2026-03-12'], 8, '2026-03-11'],
		[['2026-03-10', '2026-03-12'], 7, '2026-03-19'],
		[['2026-03-10', '2026-03-20', '2026-03-19'], 0, '2026-03-19'],
		[['2026-03-01'], 30, '2026-03-01'],
	])('of operations in processing of %j, not older than %d days, a read begins with %s', (days, pendingDays, from) => {
		expect(planRead(holding(...days), settings(noon + 10 * 24 * hour, { pendingDays }))).toMatchObject({ from });
	});

	test('nothing is followed for ever', () => {
		const bank = [row('held', noon, 'HOLD')];
		const { poll, asked, cursor } = poller(bank);
		poll(noon);
		const later = noon + 30 * 24 * hour;
		bank.unshift(row('b', later));
		poll(later);
		poll(later + hour);
		poll(later + 3 * hour);
		expect(asked.at(-1)).toBe('2026-04-08');
		expect([...cursor().seen.keys()]).toEqual(['b']);
	});

	test('an operation dated anew is the same operation', () => {
		const bank = [row('a', noon, 'HOLD')];
		const { poll } = poller(bank);
		poll(noon);
		bank[0] = row('a', noon + 24 * hour, 'SUCCESS');
		expect(poll(noon + 24 * hour).told).toEqual([['changed', 'a', 'HOLD', 'SUCCESS']]);
		for (let day = 2; day < 9; day++) expect(poll(noon + day * 24 * hour).told).toEqual([]);
	});

	/** Polls at noon of each of these days, twice, with a new operation of its day each time: the window moves on. */
	function daysPass(bank: Row[], poll: (now: number) => { told: unknown }, first: number, last: number): unknown[] {
		return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((day) => {
			bank.unshift(row(`of day ${day}`, noon + day * 24 * hour));
			return [poll(noon + day * 24 * hour), poll(noon + day * 24 * hour + hour)].flatMap(({ told: events }) => events);
		});
	}
	const ofDays = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, index) => ['created', `of day ${first + index}`]);

	test('an operation dated later is remembered for its new day, when its first one has long left the window', () => {
		const bank = [row('a', noon, 'HOLD')];
		const { poll } = poller(bank, { overlapDays: 3, pendingDays: 0 });
		poll(noon);
		bank[0] = row('a', noon + 5 * 24 * hour, 'SUCCESS');
		expect(poll(noon + 5 * 24 * hour).told).toEqual([['changed', 'a', 'HOLD', 'SUCCESS']]);
		expect(daysPass(bank, poll, 6, 8)).toEqual(ofDays(6, 8));
	});

	test('an operation dated back is remembered for the day that it had: it may come to it again', () => {
		const bank = [row('a', noon, 'HOLD')];
		const { poll } = poller(bank, { overlapDays: 3, pendingDays: 0 });
		poll(noon);
		bank[0] = row('a', noon - 3 * 24 * hour, 'HOLD');
		expect(daysPass(bank, poll, 1, 4)).toEqual(ofDays(1, 4));
		bank[bank.length - 1] = row('a', noon + 24 * hour, 'HOLD');
		expect(poll(noon + 4 * 24 * hour + 2 * hour).told).toEqual([]);
	});
});

describe('the day in which an operation says that it was made', () => {
	/** A read of these rows, with what it makes known. */
	function reading(cursor: OperationsCursor | undefined, rows: readonly Row[], now: number) {
		const options = settings(now, { overlapDays: 1, pendingDays: 0 });
		const plan = planRead(cursor, options);
		return { from: plan.from, ...advance(cursor, plan, rows, options) };
	}
	const daysBefore = (day: string, days: number) => `${shiftDay(day, -days)}T23:30:00-12:00`;

	test('may be two days before the one under which the bank files it: time zones lie 26 hours apart', () => {
		const first = reading(undefined, [], noon);
		expect(first.from).toBe('2026-03-09');
		for (const [days, expected] of [
			[1, [['created', 'late']]],
			[2, [['created', 'late']]],
			// That far back it can only be one that was there before, and was not remembered.
			[3, []],
		] as const)
			expect([
				days,
				told(reading(first.cursor, [row('late', daysBefore(first.from, days))], noon + hour).events),
			]).toEqual([days, expected]);
	});

	test('matters only of what is new: a known operation is followed, whatever day it says', () => {
		const { cursor } = reading(undefined, [row('a', noon, 'HOLD')], noon);
		expect(told(reading(cursor, [row('a', noon - 300 * 24 * hour, 'SUCCESS')], noon + hour).events)).toEqual([
			['changed', 'a', 'HOLD', 'SUCCESS'],
		]);
	});

	test('may still be so when the window has moved on', () => {
		const days = [0, 1, 2, 3, 4, 5].map((day) => row(`of day ${day}`, noon + day * 24 * hour));
		let cursor: OperationsCursor | undefined;
		for (let day = 0; day < days.length; day++)
			for (const later of [0, hour])
				cursor = reading(cursor, days.slice(0, day + 1), noon + day * 24 * hour + later).cursor;
		const now = noon + 5 * 24 * hour + 2 * hour;
		const { from } = reading(cursor, [], now);
		expect(from).toBe('2026-03-14');
		for (const [before, expected] of [
			[2, [['created', 'late']]],
			[3, []],
		] as const)
			expect([before, told(reading(cursor, [row('late', daysBefore(from, before))], now).events)]).toEqual([
				before,
				expected,
			]);
	});
});

describe('odd answers', () => {
	test('an identifier that stands twice in a read is one operation', () => {
		const bank: Row[] = [];
		const { poll } = poller(bank);
		poll(noon);
		bank.push(row('a', noon, 'HOLD'), row('a', noon, 'SUCCESS'));
		expect(poll(noon + 1).told).toEqual([['created', 'a']]);
		expect(poll(noon + 2).told).toEqual([]);
	});

	test('a bank that gives nothing any more is not asked for days that were left behind', () => {
		const bank = [row('new', noon), row('held', noon - 5 * 24 * hour, 'HOLD')];
		const { poll, asked } = poller(bank, { startDay: '2026-03-01' });
		const minute = hour / 60;
		for (const minutes of [0, 1, 2]) poll(noon + minutes * minute);
		bank.length = 0;
		for (const minutes of [3, 4, 5]) poll(noon + minutes * minute);
		expect(asked.slice(2)).toEqual(Array(4).fill('2026-03-09'));
	});

	test('numbers, reserved words and nothing at all serve as identifiers', () => {
		const bank: Row[] = [];
		const { poll } = poller(bank);
		poll(noon);
		bank.push(
			{ ...row('', noon), id: 7 as never },
			row('__proto__', noon),
			row('constructor', noon),
			{ dateTime: new Date(noon).toISOString() } as Row,
			null as never,
		);
		const seen = (now: number) => {
			const cursor = readCursor(writeCursor(state), source);
			const options = settings(now);
			const result = advance(cursor, planRead(cursor, options), bank, options);
			state = result.cursor;
			return result.events.length;
		};
		let state = advance(undefined, { from: '2026-03-09', pending: false, offset: 0 }, [], settings(noon)).cursor;
		expect([seen(noon + 1), seen(noon + 2)]).toEqual([5, 0]);
	});

	test.each([7, '7'])('an operation of the identifier %p is the same one when it is dated anew', (id) => {
		const bank: Row[] = [];
		const { poll } = poller(bank);
		poll(noon);
		bank.push({ ...row('', noon), id: id as never });
		expect(poll(noon + 1).told).toHaveLength(1);
		bank[0] = { ...row('', noon + hour), id: id as never };
		expect(poll(noon + hour).told).toEqual([]);
	});

	test.each([{}, { id: '' }, { id: null }])(
		'operations with %j for an identifier are told apart, and followed',
		(id) => {
			const bank: Row[] = [];
			const { poll } = poller(bank);
			poll(noon);
			const nameless = (at: number, status: string) => ({ dateTime: new Date(at).toISOString(), status, ...id }) as Row;
			bank.push(nameless(noon, 'HOLD'), nameless(noon + 1, 'HOLD'));
			expect(poll(noon + hour).told).toHaveLength(2);
			bank[0] = nameless(noon, 'SUCCESS');
			expect(poll(noon + 2 * hour).told).toMatchObject([['changed', id.id, 'HOLD', 'SUCCESS']]);
		},
	);

	test('a day is read only where the date begins with it', () => {
		const options = settings(noon);
		const { cursor } = advance(undefined, planRead(undefined, options), [], options);
		const said = row('a', 'valued 2020-01-01');
		expect(told(advance(cursor, planRead(cursor, options), [said], options).events)).toEqual([['created', 'a']]);
	});

	test('dates ahead or unreadable neither stop the window nor come twice', () => {
		const bank: Row[] = [row('ahead', '2030-01-01T00:00:00Z')];
		const all = () => {
			let state: OperationsCursor | undefined;
			return (now: number) => {
				const options = settings(now);
				const { cursor, events } = advance(state, planRead(state, options), bank, options);
				state = cursor;
				return told(events);
			};
		};
		const poll = all();
		expect(poll(noon)).toEqual([]);
		bank.push(row('a', noon), row('odd', 'yesterday'), row('odd too', '2026-02-30'));
		expect(poll(noon + 1)).toEqual([
			['created', 'odd too'],
			['created', 'a'],
			['created', 'odd'],
		]);
		expect(poll(noon + 2)).toEqual([]);
		bank.push(row('b', noon + 24 * hour));
		expect(poll(noon + 24 * hour)).toEqual([['created', 'b']]);
		for (let day = 2; day < 6; day++) expect(poll(noon + day * 24 * hour)).toEqual([]);
	});

	test('a bank that gives all its days whatever was asked repeats nothing', () => {
		const bank = Array.from({ length: 400 }, (_, day) => row(`day ${day}`, noon - day * 24 * hour));
		let state: OperationsCursor | undefined;
		for (let day = 0; day < 40; day++) {
			const options = settings(noon + day * 24 * hour);
			const { cursor, events } = advance(state, planRead(state, options), bank, options);
			expect(told(events)).toEqual(day === 0 ? [] : [['created', `new ${day}`]]);
			state = cursor;
			bank.unshift(row(`new ${day + 1}`, noon + (day + 1) * 24 * hour));
		}
		expect(state?.seen.size).toBeLessThan(10);
	});
});

test('a cursor of another bank is none: its operations are not ours', () => {
	const { cursor } = advance(
		undefined,
		{ from: '2026-03-09', pending: false, offset: 0 },
		[row('a', noon)],
		settings(noon),
	);
	expect(readCursor(writeCursor(cursor), source)).toEqual(cursor);
	expect(readCursor(writeCursor(cursor), 'https://sandbox.test')).toBeUndefined();
	expect([readCursor(undefined, source), readCursor('', source)]).toEqual([undefined, undefined]);
});

test('a cursor that went through text is the same', () => {
	const rows = [row('a', noon, 'HOLD'), row('b', noon, 'SUCCESS'), row('c', noon), row('d', noon, 'HOLD')];
	const { cursor } = advance(undefined, { from: '2026-03-09', pending: false, offset: 0 }, rows, settings(noon));
	expect([...(readCursor(writeCursor(cursor), source) as OperationsCursor).seen].sort()).toEqual(
		[...cursor.seen].sort(),
	);
});

test('putting events in order leaves the list as it was', () => {
	const events = [{ operation: row('late', noon + 1) }, { operation: row('early', noon) }];
	expect(oldestFirst(events).map(({ operation }) => operation.id)).toEqual(['early', 'late']);
	expect(events.map(({ operation }) => operation.id)).toEqual(['late', 'early']);
});

test('events of the same time come in the order in which they happened: banks list the newest first', () => {
	const events = ['third', 'second', 'first'].map((id) => ({ operation: row(id, noon) }));
	expect(oldestFirst(events).map(({ operation }) => operation.id)).toEqual(['first', 'second', 'third']);
});

test('a read changes nothing of the cursor it starts from', () => {
	const options = settings(noon);
	const { cursor } = advance(undefined, planRead(undefined, options), [row('a', noon, 'HOLD')], options);
	const before = writeCursor(cursor);
	advance(cursor, planRead(cursor, options), [row('a', noon, 'SUCCESS'), row('b', noon)], options);
	expect(writeCursor(cursor)).toBe(before);
});

describe('too many operations', () => {
	test('shorten the window by whole days, and nothing is emitted twice', () => {
		const bank: Row[] = [];
		const { poll, asked, cursor } = poller(bank, { bound: 25, overlapDays: 5 });
		poll(noon);
		const created: string[] = [];
		let shrunk: string | undefined;
		for (let day = 0; day < 10; day++) {
			for (let index = 0; index < 10; index++) bank.unshift(row(`${day}-${index}`, noon + day * 24 * hour + index));
			for (let again = 0; again < 3; again++) {
				const result = poll(noon + day * 24 * hour + again * hour);
				created.push(...result.told.map(([, id]) => String(id)));
				shrunk = result.shrunkTo ?? shrunk;
			}
			expect(cursor().seen.size).toBeLessThanOrEqual(25);
		}
		expect(created.length).toBe(100);
		expect(new Set(created).size).toBe(100);
		expect(shrunk).toBe('2026-03-18');
		expect(asked.at(-1)).toBe('2026-03-18');
	});

	test('of one day are all remembered: a day cannot be shortened', () => {
		const bank: Row[] = [];
		const { poll } = poller(bank, { bound: 25 });
		poll(noon);
		for (let index = 0; index < 60; index++) bank.push(row(`${index}`, noon));
		expect(poll(noon + 1).told).toHaveLength(60);
		expect(poll(noon + 2).told).toEqual([]);
		bank.push(row('one more', noon + hour));
		expect(poll(noon + 2 * hour).told).toEqual([['created', 'one more']]);
	});

	test('of a first read that goes far back shorten it from its oldest day on, in whatever order they come', () => {
		const bank = Array.from({ length: 80 }, (_, index) => row(`${index}`, noon - Math.floor(index / 8) * 24 * hour));
		for (const rows of [bank, [...bank].reverse()]) {
			const { poll, asked } = poller(rows, { bound: 25, startDay: '2026-03-01' });
			const { told: events, shrunkTo } = poll(noon);
			expect([events.length, shrunkTo]).toEqual([80, '2026-03-08']);
			expect(poll(noon + hour)).toEqual({ told: [], shrunkTo: undefined });
			expect(asked).toEqual(['2026-03-01', '2026-03-08']);
		}
	});

	test('are not too many as long as those fit that may come again', () => {
		const bank: Row[] = [];
		const { poll } = poller(bank, { bound: 12, pendingDays: 0 });
		poll(noon);
		for (let day = 0; day < 12; day++) {
			for (let index = 0; index < 4; index++) bank.unshift(row(`${day}-${index}`, noon + day * 24 * hour + index));
			for (const again of [0, 1]) expect(poll(noon + day * 24 * hour + again * hour).shrunkTo).toBeUndefined();
		}
	});

	test('of days before the first that is read cost no day that is', () => {
		const early = (count: number, days: number) =>
			Array.from({ length: count }, (_, index) =>
				row(`${days}-${index}`, `${shiftDay('2026-03-05', -days)}T23:00:00-12:00`),
			);
		const rows = [...early(10, 2), ...early(10, 1), ...early(5, 0)];
		const options = settings(noon, { bound: 10, startDay: '2026-03-05' });
		const { cursor, shrunkTo } = advance(undefined, planRead(undefined, options), rows, options);
		expect([shrunkTo, cursor.floor, cursor.seen.size]).toEqual([undefined, '2026-03-05', 5]);
	});
});

describe('any history', () => {
	const getMany = definitions.accountOperation.getMany;

	/**
	 * A month of a bank: operations that appear late, change their status, are listed in the middle; outages of hours and
	 * days; rows that come and go while pages are read; polls whose time is up, and those whose result is never saved because there were
	 * no events.
	 */
	test.each(Array.from({ length: 12 }, (_, seed) => seed))(
		'is told once: every operation and every change (%i)',
		async (seed) => {
			const { below, happens } = chance(seed * 7919 + 1);
			const zone = ['UTC', 'Europe/Moscow', 'Asia/Kamchatka'][seed % 3] as string;
			const rows: Row[] = [row('old', noon - 20 * 24 * hour), row('old too', noon - hour, 'HOLD')];
			const expected: unknown[] = [];
			const happened: unknown[] = [];
			let saved: string | undefined;
			let inMemory: string | undefined;
			let now = noon;
			let serial = 0;
			let glances = 0;
			let stops = 0;
			// Some banks list the newest last.
			const first = seed % 4 === 3 ? -1 : 1;
			const sort = () => rows.sort((one, other) => (one.dateTime < other.dateTime ? first : -first));
			const file = (late: number) => {
				const operation = row(`op-${++serial}`, now - late, happens(0.4) ? 'HOLD' : happens(0.5) ? 'SUCCESS' : null);
				rows.push(operation);
				sort();
				expected.push(`created ${operation.id}`);
			};

			const poll = async () => {
				const options = settings(now, { today: dayIn(now, zone) });
				const cursor = readCursor(inMemory, source);
				const plan = planRead(cursor, options);
				let visitor: Row | undefined;
				const rowsAt = (dateFrom: string, offset: number, limit: number) => {
					// A row of no account of ours comes on top and goes again: those below it move while pages are read.
					if (seed % 2 === 0 && happens(0.3)) {
						if (visitor !== undefined) rows.splice(rows.indexOf(visitor), 1);
						visitor = visitor === undefined ? row('old too', now, 'HOLD') : undefined;
						if (visitor !== undefined) rows.unshift(visitor);
					}
					// The bank's day is UTC's, whatever ours is.
					const matching = rows.filter(({ dateTime }) => dateTime.slice(0, 10) >= dateFrom);
					return matching.slice(offset, offset + limit);
				};
				const send: Send = async ({ prepared }) => {
					const { offset = '0', limit = '0', dateFrom = '' } = Object.fromEntries(queryOf(prepared));
					return json(200, { operations: rowsAt(dateFrom, Number(offset), Number(limit)) });
				};
				const pageSize = 3 + below(20);
				const look = async (offset: number, limit: number) => rowsAt(plan.from, offset, limit) as BankOperation[];
				const seen = cursor && plan.listed && (await glance(cursor, plan.listed, pageSize, look));
				const offset = Math.max(0, plan.offset - pageSize);
				const limit = happens(0.1) ? 2 * pageSize : 100_000;
				let read: Advance;
				if (cursor !== undefined && seen !== undefined) read = advanceByGlance(cursor, seen, options);
				else {
					const found = await readAll(getMany, { query: { dateFrom: plan.from, offset } }, send, { pageSize, limit });
					const stoppedAt = found.length < limit ? undefined : offset + found.length;
					if (stoppedAt !== undefined) stops++;
					read = advance(cursor, plan, found, options, stoppedAt === undefined ? {} : { stoppedAt });
				}
				if (seen !== undefined) glances++;
				if (visitor !== undefined) rows.splice(rows.indexOf(visitor), 1);
				const { events, cursor: next } = read;
				inMemory = writeCursor(next);
				// n8n saves when there are events, and at activation.
				if (events.length > 0 || saved === undefined) saved = inMemory;
				for (const [event, id, previous, status] of told(events))
					if (id !== 'old too')
						happened.push(
							[event, id, ...(event === 'changed' ? [`${String(previous)}>${String(status)}`] : [])].join(' '),
						);
			};

			await poll();
			while (now < noon + 30 * 24 * hour) {
				now += happens(0.03) ? below(6 * 24) * hour : 10 * 60 * 1000 + below(seed < 6 ? 3 * hour : hour / 2);
				for (let count = below(5); count > 0; count--)
					file(happens(0.2) && now > noon + 24 * hour ? below(14 * hour) : 0);
				if (happens(0.05)) inMemory = saved;
				await poll();
				const held = rows.filter(
					({ id, status, dateTime }) =>
						status === 'HOLD' && !id.startsWith('old') && Date.parse(dateTime) > now - 20 * hour,
				);
				for (const operation of held) {
					if (!happens(0.5) || !happened.includes(`created ${operation.id}`)) continue;
					operation.status = happens(0.8) ? 'SUCCESS' : 'FAILED';
					expected.push(`changed ${operation.id} HOLD>${operation.status}`);
				}
				if (happens(0.6)) await poll();
			}
			for (let last = 0; last < 3; last++) {
				now += 2 * hour;
				await poll();
			}
			expect([...happened].sort()).toEqual([...expected].sort());
			expect(serial).toBeGreaterThan(100);
			expect(stops).toBeGreaterThan(0);
			if (seed >= 6) expect(glances).toBeGreaterThan(20);
		},
	);
});

test.each([
	['2026-02-28', 1, '2026-03-01'],
	['2024-02-28', 1, '2024-02-29'],
	['2026-01-01', -1, '2025-12-31'],
	['2026-03-10', 0, '2026-03-10'],
])('%s and %i days are %s', (day, days, other) => {
	expect(shiftDay(day, days)).toBe(other);
});

test('the day depends on the time zone', () => {
	const instant = Date.parse('2026-03-10T22:30:00Z');
	expect([dayIn(instant, 'UTC'), dayIn(instant, 'Europe/Moscow'), dayIn(instant, 'America/New_York')]).toEqual([
		'2026-03-10',
		'2026-03-11',
		'2026-03-10',
	]);
});
