/** A poll of a day with thousands of operations asks little, and tells all. */
import {
	advance,
	advanceByGlance,
	type BankOperation,
	type CursorOptions,
	glance,
	type OperationsCursor,
	planRead,
	readCursor,
	writeCursor,
} from '../src/index.ts';

const source = 'https://bank.test';
const noon = Date.parse('2026-03-10T12:00:00Z');
const options = (now: number): CursorOptions => ({ source, now, today: '2026-03-10', overlapDays: 1, pendingDays: 7 });

interface Row {
	id: string;
	dateTime: string;
	status: string | null;
}
const row = (id: string, at: number, status: string | null = null): Row => ({
	id,
	dateTime: new Date(at).toISOString(),
	status,
});

/** A bank with so many operations of this day, the newest first or last, that gives so many at once. */
function day(count: number, { first = 1, cap = Infinity }: { first?: 1 | -1; cap?: number } = {}) {
	const rows = Array.from({ length: count }, (_, index) => row(`op-${index}`, noon - index * 1000));
	const sort = () => rows.sort((one, other) => (one.dateTime < other.dateTime ? first : -first));
	sort();
	const asked: Array<[number, number]> = [];
	const page = async (offset: number, limit: number) => {
		asked.push([offset, limit]);
		return rows.slice(offset, offset + Math.min(limit, cap)) as BankOperation[];
	};
	let cursor: OperationsCursor | undefined;
	let now = noon;
	return {
		rows,
		sort,
		asked,
		held: () => planRead(cursor, options(now)).listed?.held,
		/** The events of a poll, and whether a glance did. */
		async poll(after = 60_000) {
			now += after;
			asked.length = 0;
			const plan = planRead(cursor, options(now));
			const seen = cursor && plan.listed && (await glance(cursor, plan.listed, 50, page));
			const { events, cursor: next } =
				cursor !== undefined && seen !== undefined
					? advanceByGlance(cursor, seen, options(now))
					: advance(cursor, plan, rows as BankOperation[], options(now));
			cursor = readCursor(writeCursor(next), source);
			return {
				told: events.map(({ event, operation }) => `${event} ${String(operation?.id)}`),
				glanced: seen !== undefined,
			};
		},
	};
}

describe.each([
	['newest first', 1],
	['newest last', -1],
] as const)('5,000 operations, %s', (_order, first) => {
	test.each([5000, 4999, 5001, 4950])('take three requests where nothing is new (%i)', async (count) => {
		const bank = day(count, { first });
		await bank.poll();
		for (let poll = 0; poll < 3; poll++) {
			expect(await bank.poll()).toEqual({ told: [], glanced: true });
			expect(bank.asked.length).toBeLessThanOrEqual(3);
			for (const [offset, limit] of bank.asked) expect([offset % limit, limit <= 50]).toEqual([0, true]);
		}
	});

	test('take no more where the bank lists some that are older than what is remembered', async () => {
		const bank = day(5000, { first });
		bank.rows.push(row('ancient', noon - 30 * 24 * 60 * 60 * 1000));
		bank.sort();
		await bank.poll();
		expect(await bank.poll()).toEqual({ told: [], glanced: true });
	});

	test('take about as many where some are new, poll after poll', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		for (const news of [1, 3, 49, 2]) {
			const ids = Array.from({ length: news }, (_, index) => `new-${news}-${index}`);
			for (const id of ids) bank.rows.push(row(id, noon + bank.rows.length * 1000));
			bank.sort();
			const { told, glanced } = await bank.poll();
			expect([told.toSorted(), glanced]).toEqual([ids.map((id) => `created ${id}`).toSorted(), true]);
			expect(bank.asked.length).toBeLessThanOrEqual(5);
		}
		expect(await bank.poll()).toEqual({ told: [], glanced: true });
	});

	test('are found where more are new than a page holds', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		for (let index = 0; index < 170; index++) bank.rows.push(row(`new-${index}`, noon + (index + 1) * 1000));
		bank.sort();
		const { told, glanced } = await bank.poll();
		expect([told.length, glanced]).toEqual([170, true]);
	});

	test('are all read, after some twenty requests, where more have come than those show', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		for (let index = 0; index < 2000; index++) bank.rows.push(row(`new-${index}`, noon + (index + 1) * 1000));
		bank.sort();
		const { told, glanced } = await bank.poll();
		expect([told.length, glanced, bank.asked.length <= 22]).toEqual([2000, false, true]);
	});

	test('are all read where one comes late, into the middle', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		bank.rows.push(row('late', noon - 2_500_500));
		bank.sort();
		expect(await bank.poll()).toEqual({ told: ['created late'], glanced: false });
		expect(bank.asked.length).toBeLessThanOrEqual(2);
		expect(await bank.poll()).toEqual({ told: [], glanced: true });
	});

	test('are all read where one has gone for another', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		bank.rows.splice(2500, 1);
		bank.rows.push(row('in its place', noon + 1000));
		bank.sort();
		expect(await bank.poll()).toEqual({ told: ['created in its place'], glanced: false });
	});

	test('are all read where the one in processing is no longer in its place', async () => {
		const bank = day(5000, { first });
		const [one, other] = [bank.rows[1000], bank.rows[3000]] as [Row, Row];
		one.status = 'HOLD';
		await bank.poll();
		[one.dateTime, other.dateTime] = [other.dateTime, one.dateTime];
		bank.sort();
		expect((await bank.poll()).glanced).toBe(false);
	});

	test('show each that is in processing in its turn, also when others have come', async () => {
		const bank = day(5000, { first });
		// At the beginning, in the middle and at the end of a page.
		for (const index of [1000, 2020, 3038, 3049]) (bank.rows[index] as Row).status = 'HOLD';
		const held = bank.rows.filter(({ status }) => status === 'HOLD');
		// The two that stand first or last do not say which end is the newer one.
		for (const [one, other] of [bank.rows.slice(0, 2), bank.rows.slice(-2)] as [Row, Row][])
			one.dateTime = other.dateTime;
		await bank.poll();
		// More than a page, so that all others move.
		for (let index = 0; index < 61; index++)
			bank.rows.push(row(`new-${index}`, noon + (index + 1) * 1000, index === 0 ? 'HOLD' : null));
		bank.sort();
		expect(await bank.poll()).toMatchObject({ told: { length: 61 }, glanced: true });
		for (const operation of held) operation.status = 'SUCCESS';
		const told: string[] = [];
		for (let poll = 0; poll < 6; poll++) {
			const { told: events, glanced } = await bank.poll();
			expect([glanced, bank.asked.length <= 3]).toEqual([true, true]);
			// Banks may take no other offsets.
			for (const [offset, limit] of bank.asked) expect(offset % limit).toBe(0);
			told.push(...events);
		}
		expect(told.toSorted()).toEqual(held.map(({ id }) => `changed ${id}`).toSorted());
	});

	test('are all read about once an hour', async () => {
		const bank = day(5000, { first });
		await bank.poll();
		(bank.rows[2500] as Row).status = 'FAILED';
		for (let poll = 0; poll < 2; poll++) expect(await bank.poll(20 * 60 * 1000)).toEqual({ told: [], glanced: true });
		expect(await bank.poll(20 * 60 * 1000)).toMatchObject({
			told: [expect.stringContaining('changed')],
			glanced: false,
		});
	});

	test('take few requests of a bank that gives fewer at once', async () => {
		const bank = day(5000, { first, cap: 20 });
		await bank.poll();
		expect(await bank.poll()).toEqual({ told: [], glanced: true });
		expect(bank.asked.length).toBeLessThanOrEqual(3);
		for (let index = 0; index < 30; index++) bank.rows.push(row(`new-${index}`, noon + (index + 1) * 1000));
		bank.sort();
		expect(await bank.poll()).toMatchObject({ told: { length: 30 }, glanced: true });
	});

	test('take no more on what stands on the first page anyway', async () => {
		const bank = day(5000, { first });
		(bank.rows[10] as Row).status = 'HOLD';
		await bank.poll();
		expect(await bank.poll()).toEqual({ told: [], glanced: true });
		expect(bank.asked).toHaveLength(2);
	});

	test('are remembered to be in processing up to 500, so that the cursor stays small', async () => {
		const bank = day(600, { first });
		for (const operation of bank.rows) operation.status = 'HOLD';
		await bank.poll();
		expect(bank.held()).toHaveLength(500);
	});
});

test.each([
	['one that gives one at once', 1],
	['one that gives nothing', 0],
])('a bank cannot be glanced at: %s', async (_what, cap) => {
	const bank = day(200, { cap });
	await bank.poll();
	expect((await bank.poll()).glanced).toBe(false);
});

test('what fits on a page is read as it is', async () => {
	const bank = day(50);
	await bank.poll();
	bank.rows.unshift(row('new', noon + 1000));
	expect(await bank.poll()).toEqual({ told: ['created new'], glanced: false });
	expect(bank.asked).toEqual([]);
});

describe('a read whose time was up', () => {
	const rows = Array.from({ length: 30 }, (_, index) => row(`op-${index}`, noon - index * 1000)) as BankOperation[];

	test.each([
		['emits what it found', '2026-03-09', 30],
		['of what was there before emits nothing', undefined, 0],
	])('%s, and is gone on with', (_what, startDay, emitted) => {
		const settings = { ...options(noon), ...(startDay === undefined ? {} : { startDay }) };
		const told: number[] = [];
		let cursor: OperationsCursor | undefined;
		for (let offset = 0; offset < 30; offset += 10) {
			const plan = planRead(cursor, settings);
			expect(plan.offset).toBe(offset);
			const next = advance(
				cursor,
				plan,
				rows.slice(offset, offset + 10),
				settings,
				offset === 20 ? {} : { stoppedAt: offset + 10 },
			);
			cursor = readCursor(writeCursor(next.cursor), source);
			told.push(next.events.length);
		}
		expect(told.reduce((sum, count) => sum + count)).toBe(emitted);
		expect(planRead(cursor, settings)).toMatchObject({ offset: 0 });
		expect(cursor?.seen.size).toBe(30);
	});

	test('of operations in processing has gone back to them at its end: the next one need not', () => {
		const now = noon + 5 * 24 * 60 * 60 * 1000;
		const cursor: OperationsCursor = {
			source,
			since: '2026-03-15',
			next: '2026-03-15',
			floor: '2026-03-01',
			keep: '2026-02-27',
			seen: new Map([['held', { day: '2026-03-10', status: 'HOLD' }]]),
			pendingReadAt: 0,
		};
		const plan = planRead(cursor, options(now));
		expect(plan).toMatchObject({ from: '2026-03-09', pending: true });
		const stopped = advance(cursor, plan, [], options(now), { stoppedAt: 7 });
		const goesOn = planRead(stopped.cursor, options(now));
		expect(goesOn).toEqual({ from: '2026-03-09', pending: true, offset: 7 });
		const { cursor: next } = advance(stopped.cursor, goesOn, [], options(now));
		expect(planRead(next, options(now + 1))).toMatchObject({ from: '2026-03-14', pending: false });
	});

	test('has come as far as the latest day of all its parts: what is read later need not begin before', () => {
		const settings = { ...options(noon), startDay: '2026-03-01' };
		const days = Array.from({ length: 10 }, (_, index) => row(`day-${index}`, noon - index * 24 * 60 * 60 * 1000));
		let cursor: OperationsCursor | undefined;
		for (const [part, end] of [[days.slice(0, 5), { stoppedAt: 5 }], [days.slice(5)], [days]] as const) {
			const read = advance(cursor, planRead(cursor, settings), part as BankOperation[], settings, end);
			cursor = readCursor(writeCursor(read.cursor), source);
		}
		expect(planRead(cursor, settings).from).toBe('2026-03-09');
	});
});
