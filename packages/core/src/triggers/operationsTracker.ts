import { isStatusMoved } from '../rows.ts';
import { omitUndefined } from '../omitUndefined.ts';
import type { Page, PageRange } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import {
	dayOf,
	earlierDay,
	knownOf,
	laterDay,
	type OperationsCursor,
	type Pass,
	shiftDay,
	timeOf,
} from './operationsCursor.ts';
import { type KnownOperation, KnownOperations, stateIdOf } from './knownOperations.ts';

export interface CursorOptions {
	source: string;
	/** The current day in the user's time zone. */
	today: string;
	/** Milliseconds since 1970, when the poll began. */
	now: number;
	/** The time now. Default: `now`. */
	clock?: () => number;
	/** Days to read again before the latest one. At least 1, because the bank's day may end at another hour. */
	overlapDays: number;
	/** Days to look back for operations in processing (3.2). */
	pendingDays: number;
	/** First day whose operations are new on the first poll. Absent: no existing operation is new. */
	startDay?: string;
	/** Maximum number of identifiers to remember. */
	bound?: number;
}

/** A range to read: all operations since a day. There is no end date, because some operations are dated ahead. */
export interface ReadPlan {
	from: string;
	isWhole: boolean;
	/** Where to continue an unfinished pass. */
	range?: PageRange;
}

export interface OperationEvent {
	/**
	 * Identifies the event. An event that is emitted again has the same ID; another status or amount gives another ID.
	 */
	eventId: string;
	event: 'created' | 'changed';
	/** What has changed since the operation was read before. */
	changes?: Array<'status' | 'amount'>;
	previousStatus?: string | null;
	previousAmount?: number;
	operation: BankOperation;
}

/** An event that this poll has found. */
interface Found {
	operation: BankOperation;
	/** The operation as it was before this poll; absent if it is new. */
	before?: KnownOperation;
}

export const eventIdOf = (operation: BankOperation): string => stateIdOf(knownOf(operation, ''));

function eventOf({ operation, before }: Found): OperationEvent {
	const now = knownOf(operation, '');
	if (before === undefined) return { eventId: stateIdOf(now), event: 'created', operation };
	const changes = (['status', 'amount'] as const).filter((name) => before[name] !== now[name]);
	const amount = Number.parseFloat(before.amount);
	return omitUndefined({
		eventId: `${before.id} ${before.status ?? ''}>${now.status ?? ''} ${now.digest}`,
		event: 'changed' as const,
		changes,
		previousStatus: before.status,
		previousAmount: changes.includes('amount') && !Number.isNaN(amount) ? amount : undefined,
		operation,
	});
}

const defaultBound = 50_000;
/**
 * The cursor holds undecided operations between two polls. Beyond this size they count as new: if thousands of operations share an
 * identifier, it does not show which one has changed.
 */
const maxUndecidedCharacters = 1024 * 1024;
const lengthOf = (operation: BankOperation): number => JSON.stringify(operation)?.length ?? 0;
const minute = 60 * 1000;
const longestPassInterval = 60 * minute;
/** Passes during which operations may have moved before one of them decides which operations have changed. */
const maxMovedPasses = 6;
/** Maximum difference in days between `dateTime` and the day of the bank's filter, because time zones differ. */
const zoneMargin = 2;
/** Days that the first poll looks back, in steps, until it finds an operation: the local clock may be wrong. */
const lookBacks = [7, 31, 366];

/**
 * Detects new and changed operations in the operation history (P6), and changes the cursor accordingly.
 *
 * P6 has no cursor. It filters by whole days, documents no order, and rows may appear, disappear and move while pages
 * are read. So only what identifies an operation decides what is new; positions only say where to continue:
 * - Most polls read pages until one contains nothing new or changed.
 * - Periodically, a pass reads the whole list, over several polls if necessary. Each page must begin with an operation that the
 * pass has read; otherwise the pass steps back a page, because the list has moved up.
 * - The first pass finds the operations that existed at publishing. What is dated after publishing, or is read later, is new.
 * - Several operations may share an identifier. A row that is not known is a change of a known operation only if that operation is not
 * in the list any more, which shows at the end of a pass. If the list has moved during the pass, the known operation may be where the
 * pass has not read. If the pass has met both on different pages, the known operation may have changed in between. In both cases the
 * next pass decides.
 */
export class OperationsTracker {
	readonly cursor: OperationsCursor;
	readonly #options: CursorOptions;
	readonly #found = new Map<KnownOperation, Found>();
	#eventCharacters = 0;
	#metCount = 0;
	/** State IDs of the undecided operations of the pass. */
	readonly #undecided = new Set<string>();
	#undecidedCharacters = 0;
	/** Whether an operation was read that only a pass can recognize. */
	#isUndecided = false;
	/** Present if there were too many operations to remember: the first day that is still read. */
	firstDayKept: string | undefined;

	constructor(cursor: OperationsCursor | undefined, options: CursorOptions) {
		this.#options = options;
		this.cursor = cursor ?? this.#startAt(options.startDay ?? shiftDay(options.today, -options.overlapDays));
		for (const operation of this.cursor.pass?.undecided ?? [])
			this.#countUndecided(operation, this.#knownOf(operation));
	}

	/** The events of this poll, oldest first. */
	get events(): OperationEvent[] {
		return oldestFirst([...this.#found.values()].map(eventOf));
	}

	/** Number of characters of the operations that this poll holds to emit them. */
	get eventCharacters(): number {
		return this.#eventCharacters;
	}

	/** Number of operations that passes have met in this poll. */
	get metCount(): number {
		return this.#metCount;
	}

	/** The read of the latest operations. It ends at a page without anything new. */
	get latestPlan(): ReadPlan {
		return { from: this.#near, isWhole: false };
	}

	get #near(): string {
		return laterDay(this.cursor.floor, shiftDay(this.cursor.since, -this.#options.overlapDays));
	}

	/** The first day of a pass: early enough for operations that have been in processing for up to `pendingDays`. */
	get #firstDay(): string {
		const { seen, since, floor } = this.cursor;
		const limit = shiftDay(since, -this.#options.pendingDays);
		const pending = [...seen].filter(({ day, status }) => status === 'HOLD' && day >= limit);
		return laterDay(floor, pending.map(({ day }) => shiftDay(day, -1)).reduce(earlierDay, this.#near));
	}

	/** Whether it is unknown yet which operations existed at publishing. */
	get hasOpenBaseline(): boolean {
		return this.cursor.baseline !== undefined;
	}

	/** Whether the next pass decides about operations of the last one. */
	get hasSuspects(): boolean {
		return this.cursor.suspects !== undefined;
	}

	/** Whether there is an unfinished pass that reaches new operations only at its end. */
	get continuesPass(): boolean {
		return this.cursor.pass !== undefined && !this.hasOpenBaseline;
	}

	get isPassDue(): boolean {
		const { nextPassAt } = this.cursor;
		const { now } = this.#options;
		// A planned time that is too far ahead was set before the clock was corrected.
		return nextPassAt <= now || nextPassAt > now + longestPassInterval;
	}

	/** Makes the next poll run a full pass. */
	requirePass(): void {
		this.cursor.nextPassAt = 0;
	}

	/** Starts a full pass, or continues the unfinished one at its last row. */
	get pass(): ReadPlan {
		const { pass } = this.cursor;
		if (pass !== undefined) {
			const { offset, limit } = pass.range;
			return { from: pass.from, isWhole: true, range: { offset: Math.max(0, offset - 1), limit } };
		}
		return { from: this.#firstDay, isWhole: true };
	}

	/**
	 * Takes a page of the latest operations.
	 * @param met the operations that this read has met
	 * @returns whether a row is new or changed
	 */
	takeLatest(rows: readonly BankOperation[], met = new Set<KnownOperation>()): boolean {
		return this.#take(
			rows,
			(known) => met.has(known),
			(known) => met.add(known),
			() => (this.#isUndecided = true),
		);
	}

	/**
	 * Takes a page of a pass.
	 * @param isFirst whether it is the first page that this poll reads of the pass
	 * @returns false if operations may be missing before this page: the pass must be read again from `pass`
	 */
	takeOfPass({ from }: ReadPlan, { rows, start, next, isMoved }: Page<BankOperation>, isFirst: boolean): boolean {
		const { pass, baseline } = this.cursor;
		if (pass === undefined) {
			for (const known of this.cursor.seen) known.isMet = false;
			this.#undecided.clear();
			this.#undecidedCharacters = 0;
			const newest = Math.max(...rows.map((row) => timeOf(row) ?? 0));
			if (baseline !== undefined && newest > this.#clock) Object.assign(baseline, { after: newest, isAhead: true });
		} else if (start > 0 && (isFirst || isMoved) && !this.#isMet(rows[0])) {
			return false;
		}
		let latest = pass?.latest ?? '';
		for (const row of rows) latest = laterDay(latest, dayOf(row) ?? this.#options.today);
		// The status of an operation may have changed since the pass has read it.
		const statuses = new Map(rows.map((row) => this.#knownOf(row)).map((row) => [suspectIdOf(row), row.status]));
		const undecided = (pass?.undecided ?? []).filter((operation) => {
			const row = this.#knownOf(operation);
			const status = statuses.get(suspectIdOf(row));
			return status === undefined || !isStatusMoved(row.status, status);
		});
		this.#take(
			rows,
			({ isMet }) => isMet === true,
			(known) => {
				if (known.isMet !== true) this.#metCount++;
				known.isMet = true;
			},
			(operation, row) => {
				if (this.#undecided.has(stateIdOf(row))) return true;
				if (this.#undecidedCharacters + lengthOf(operation) > maxUndecidedCharacters) return false;
				undecided.push(operation);
				this.#countUndecided(operation, row);
				return true;
			},
		);
		const timeAt = (index: number) => timeOf(rows.at(index)) ?? 0;
		// A short last page says nothing about the page size of the bank.
		const range = { ...next, limit: Math.max(next.limit, pass?.range.limit ?? 0) };
		this.cursor.pass = {
			from,
			range,
			latest,
			// Operations may have moved unnoticed between two polls.
			isMoved: isMoved || (pass !== undefined && (isFirst || pass.isMoved)),
			head: pass?.head ?? timeAt(0),
			tail: timeAt(-1),
			undecided,
		};
		return true;
	}

	/** Makes an unfinished pass continue at an earlier row. */
	stepBack(offset: number): void {
		const { pass } = this.cursor;
		if (pass === undefined) return;
		pass.range = { ...pass.range, offset: Math.max(0, offset) };
		pass.isMoved = true;
	}

	/** Call after the last page. */
	endPass(): void {
		const { pass, baseline } = this.cursor;
		const earlier = pass === undefined && baseline !== undefined ? this.#earlierFloor() : undefined;
		if (earlier !== undefined) {
			Object.assign(this.cursor, this.#windowFrom(earlier));
			return;
		}
		this.#decide(pass);
		this.cursor.pass = undefined;
		this.cursor.baseline = undefined;
		this.#advance(pass);
	}

	/**
	 * Advances by the latest operation and not by the clock: accounts with few operations stay cheap to read, and the
	 * clocks may differ.
	 */
	#advance(pass: Pass | undefined): void {
		const { now, today } = this.#options;
		const { next } = this.cursor;
		this.cursor.since = next;
		this.cursor.next = laterDay(next, earlierDay(pass?.latest ?? '', today));
		const { range, head, tail } = pass ?? { range: { offset: 1, limit: 1 }, head: 0, tail: 0 };
		const pages = Math.ceil(range.offset / range.limit);
		// Longer lists are read less often. If the newest operations are not on top, only a pass finds them.
		this.cursor.nextPassAt =
			head >= tail && !this.#isUndecided && !this.hasSuspects
				? now + Math.min(pages * minute, longestPassInterval)
				: now;
		this.#isUndecided = false;
		this.#prune();
	}

	/**
	 * @param postpone called with each row that may be a change of an operation that was not met yet; if it returns false, the row is
	 * another operation
	 * @returns whether a row is new or changed
	 */
	#take(
		rows: readonly BankOperation[],
		isMet: (known: KnownOperation) => boolean,
		meet: (known: KnownOperation) => void,
		postpone: (operation: BankOperation, row: KnownOperation) => boolean,
	): boolean {
		let isNews = false;
		const onPage = new Set<KnownOperation>();
		const others = new Map<string, readonly [BankOperation, KnownOperation]>();
		for (const operation of rows) {
			const row = this.#knownOf(operation);
			const same = this.cursor.seen.equalTo(row);
			if (same === undefined) {
				others.set(stateIdOf(row), [operation, row]);
				continue;
			}
			same.day = row.day;
			meetOnPage(same);
		}
		for (const [operation, row] of others.values()) {
			const rivals = this.cursor.seen
				.withId(row)
				.filter((known) => known.direction === row.direction && !onPage.has(known));
			const same = rivals.find(
				(known) => known.digest === row.digest && (!isMet(known) || isStatusMoved(known.status, row.status)),
			);
			const isUnclear = same === undefined && rivals.some((known) => !isMet(known) || isAlike(known, row));
			if (isUnclear && postpone(operation, row)) continue;
			isNews = this.#put(operation, row, same) || isNews;
			meetOnPage(same ?? row);
		}
		return isNews;

		function meetOnPage(known: KnownOperation) {
			onPage.add(known);
			meet(known);
		}
	}

	/**
	 * At the end of a pass: a row is a change of an operation that is not in the list any more if its amount or its time is the same,
	 * or if both have changed and no other operation has the identifier. Otherwise it is new.
	 */
	#decide({ undecided = [], isMoved = false }: Partial<Pass> = {}): void {
		const rows = undecided.map((operation) => [operation, this.#knownOf(operation)] as const);
		const before = this.cursor.suspects ?? {};
		const suspects: NonNullable<OperationsCursor['suspects']> = {};
		const nameOf = ({ id, direction }: KnownOperation) => `${direction} ${id}`;
		const counts = Map.groupBy(rows, ([, row]) => nameOf(row));
		const rivalsOf = (row: KnownOperation) =>
			this.cursor.seen.withId(row).filter(({ direction }) => direction === row.direction);
		const isOnly = (row: KnownOperation) =>
			rivalsOf(row).length === 1 && counts.get(nameOf(row))?.length === 1 && row.status !== 'HOLD';
		const signs: Array<(known: KnownOperation, row: KnownOperation) => boolean> = [
			isSame,
			(known, row) => known.time === row.time,
			(known, row) => known.amount === row.amount,
			(_, row) => isOnly(row),
		];
		let open = rows.filter(([, row]) => this.cursor.seen.equalTo(row) === undefined);
		const postpone = (certainAfter: number, isUnclear: (row: KnownOperation) => boolean) => {
			open = open.filter(([operation, row]) => {
				const { isNew = this.#isNew(operation), passes = 0 } = before[suspectIdOf(row)] ?? {};
				if (passes >= certainAfter || !isUnclear(row)) return true;
				suspects[suspectIdOf(row)] = { isNew, passes: passes + 1, known: row };
				return false;
			});
		};
		const missing = (row: KnownOperation, isChanged: (typeof signs)[number]) =>
			rivalsOf(row).find((known) => known.isMet !== true && isChanged(known, row));
		if (isMoved) postpone(maxMovedPasses, (row) => signs.some((sign) => missing(row, sign) !== undefined));
		for (const sign of signs)
			open = open.filter(([operation, row]) => {
				const changed = missing(row, sign);
				if (changed === undefined) return true;
				this.#put(operation, row, changed);
				changed.isMet = true;
				return false;
			});
		postpone(1, (row) => rivalsOf(row).some((known) => known.isMet === true && isAlike(known, row)));
		for (const [operation, row] of open) {
			this.#put(operation, row, undefined);
			row.isMet = true;
		}
		// This pass has missed the operations that have moved.
		const read = new Set(rows.map(([, row]) => suspectIdOf(row)));
		for (const [id, { isNew, known }] of Object.entries(before))
			if (!isNew && !read.has(id) && this.cursor.seen.equalTo(known) === undefined) this.cursor.seen.add(known);
		this.cursor.suspects = Object.keys(suspects).length > 0 ? suspects : undefined;
	}

	/**
	 * @param known the operation that has become this row; undefined if the row is another operation
	 * @returns whether that is an event
	 */
	#put(operation: BankOperation, row: KnownOperation, known: KnownOperation | undefined): boolean {
		if (known === undefined) {
			if (row.day < this.cursor.keep) return false;
			const suspect = this.cursor.suspects?.[suspectIdOf(row)];
			if (suspect?.isNew === false && suspect.known.status !== row.status) {
				this.cursor.seen.add(suspect.known);
				return this.#put(operation, row, suspect.known);
			}
			const isNew = suspect?.isNew ?? this.#isNew(operation);
			this.cursor.seen.add(row);
			if (isNew) this.#hold(row, { operation });
			return isNew;
		}
		const found = this.#found.get(known);
		const before = found === undefined ? { ...known } : found.before;
		this.cursor.seen.change(known, row);
		if (before === undefined) this.#hold(known, { operation });
		else if (before.status === row.status && before.amount === row.amount) this.#found.delete(known);
		else this.#hold(known, { operation, before });
		return this.#found.has(known);
	}

	#countUndecided(operation: BankOperation, row: KnownOperation): void {
		this.#undecided.add(stateIdOf(row));
		this.#undecidedCharacters += lengthOf(operation);
	}

	#hold(known: KnownOperation, found: Found): void {
		this.#found.set(known, found);
		this.#eventCharacters += lengthOf(found.operation);
	}

	#knownOf(operation: BankOperation): KnownOperation {
		return knownOf(operation, this.#options.today);
	}

	/** Whether the pass has read the operation. */
	#isMet(operation: BankOperation | undefined): boolean {
		if (operation === undefined) return false;
		const row = this.#knownOf(operation);
		return (
			// The row is too old to be remembered, so nothing would show that it was read.
			row.day < this.cursor.keep ||
			this.cursor.seen.withId(row).some((known) => known.isMet === true && isSame(known, row)) ||
			(this.cursor.pass !== undefined && this.#undecided.has(stateIdOf(row)))
		);
	}

	get #clock(): number {
		return this.#options.clock?.() ?? this.#options.now;
	}

	/** Whether an operation that is not known was added after publishing. */
	#isNew(operation: BankOperation): boolean {
		const { baseline } = this.cursor;
		if (baseline === undefined) return true;
		const time = timeOf(operation) ?? 0;
		return time > baseline.after && (baseline.isAhead || time <= this.#clock);
	}

	#startAt(floor: string): OperationsCursor {
		const { source, startDay, now } = this.#options;
		const cursor = { source, ...this.#windowFrom(floor), seen: new KnownOperations(), nextPassAt: 0 };
		return startDay === undefined ? { ...cursor, baseline: { after: now, isAhead: false } } : cursor;
	}

	#windowFrom(floor: string): Pick<OperationsCursor, 'since' | 'next' | 'floor' | 'keep'> {
		const since = shiftDay(floor, this.#options.overlapDays);
		return { since, next: since, floor, keep: shiftDay(floor, -zoneMargin) };
	}

	#earlierFloor(): string | undefined {
		const { floor } = this.cursor;
		return lookBacks.map((days) => shiftDay(this.#options.today, -days)).find((day) => day < floor);
	}

	/** Forgets operations of days that are not read again. */
	#prune(): void {
		const cursor = this.cursor;
		let floor = this.#firstDay;
		let keep = laterDay(cursor.keep, shiftDay(floor, -zoneMargin));
		const perDay = new Map<string, number>();
		const known = [...cursor.seen];
		for (const { day } of known) perDay.set(day, (perDay.get(day) ?? 0) + 1);

		// If there are too many operations to remember, fewer days are read, because forgotten operations would be emitted
		// again.
		let count = known.length;
		for (const day of [...perDay.keys()].sort()) {
			if (count <= (this.#options.bound ?? defaultBound) || day >= cursor.next) break;
			count -= perDay.get(day) ?? 0;
			keep = laterDay(keep, shiftDay(day, 1));
			if (keep > floor) this.firstDayKept = floor = keep;
		}
		const seen = new KnownOperations(known.filter(({ day }) => day >= keep));
		Object.assign(cursor, { floor, keep, seen });
	}
}

/** Identifies an operation whose status may change until the next pass decides about it. */
const suspectIdOf = ({ id, digest }: KnownOperation): string => `${id} ${digest}`;

/** Whether two rows with the same `id` differ in nothing but the status and what does not identify an operation. */
const isSame = (one: KnownOperation, other: KnownOperation): boolean =>
	one.direction === other.direction && one.amount === other.amount && one.time === other.time;

/** Whether two rows may be one operation whose amount or time has changed. */
const isAlike = (one: KnownOperation, other: KnownOperation): boolean =>
	one.amount === other.amount || one.time === other.time;

/** Sorted by time, oldest first. */
export function oldestFirst<T extends { operation: BankOperation }>(events: readonly T[]): T[] {
	const time = ({ operation }: T) => timeOf(operation) ?? Number.MAX_SAFE_INTEGER;
	// Banks list the newest first, so reversing puts operations with equal times in order.
	return [...events].reverse().sort((one, other) => time(one) - time(other));
}
