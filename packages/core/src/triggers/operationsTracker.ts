import type { Page, PageRange } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import {
	dayOf,
	earlierDay,
	identityOf,
	laterDay,
	type OperationsCursor,
	type Pass,
	shiftDay,
	statusOf,
	timeOf,
} from './operationsCursor.ts';

export interface CursorOptions {
	source: string;
	/** The current day in the user's time zone. */
	today: string;
	/** Milliseconds since 1970. */
	now: number;
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
	/** The same if an event is emitted again; another status gives another ID. */
	eventId: string;
	event: 'created' | 'changed';
	/** Previous status of a `changed` event. */
	previousStatus?: string | null;
	operation: BankOperation;
}

const defaultBound = 50_000;
const minute = 60 * 1000;
const longestPassInterval = 60 * minute;
/** Maximum difference in days between `dateTime` and the day of the bank's filter, because time zones differ. */
const zoneMargin = 2;
/** Days that the first poll looks back, in steps, until it finds an operation: the local clock may be wrong. */
const lookBacks = [7, 31, 366];

/**
 * Detects new and changed operations in the operation history (P6), and changes the cursor accordingly.
 *
 * P6 has no cursor. It filters by whole days, documents no order, and rows may appear, disappear and move while pages
 * are read. So only identifiers decide what is new; positions only say where to continue:
 * - Most polls read pages until one contains nothing new or changed.
 * - Periodically, a pass reads the whole list, over several polls if necessary. Later passes find what it missed.
 * - The operations that existed at publishing are known when two successive passes meet the same old operations in the
 * same order; otherwise rows may have been missed. Until then only operations dated after publishing are new.
 */
export class OperationsTracker {
	readonly cursor: OperationsCursor;
	readonly #options: CursorOptions;
	readonly #events = new Map<string, OperationEvent>();
	/** Whether this is the first pass of the first poll, which finds only old operations. */
	#isFirstPass: boolean;
	/** Present if there were too many operations to remember: the first day that is still read. */
	shrunkTo: string | undefined;

	constructor(cursor: OperationsCursor | undefined, options: CursorOptions) {
		this.#options = options;
		this.#isFirstPass = cursor === undefined;
		this.cursor = cursor ?? this.#startAt(options.startDay ?? shiftDay(options.today, -options.overlapDays));
	}

	/** Oldest first. */
	get events(): OperationEvent[] {
		return oldestFirst([...this.#events.values()]);
	}

	get eventCount(): number {
		return this.#events.size;
	}

	/** The read of the latest operations, which ends at a page without anything new. */
	get news(): ReadPlan {
		return { from: this.#near, isWhole: false };
	}

	get #near(): string {
		return laterDay(this.cursor.floor, shiftDay(this.cursor.since, -this.#options.overlapDays));
	}

	/** The first day of a pass: early enough for operations that have been in processing for up to `pendingDays`. */
	get #firstDay(): string {
		const { seen, since, floor } = this.cursor;
		const limit = shiftDay(since, -this.#options.pendingDays);
		const pending = [...seen.values()].filter(({ day, status }) => status === 'HOLD' && day >= limit);
		return laterDay(floor, pending.map(({ day }) => shiftDay(day, -1)).reduce(earlierDay, this.#near));
	}

	/** Whether another pass is needed to know which operations existed at publishing. */
	get hasOpenBaseline(): boolean {
		return this.cursor.baseline !== undefined;
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

	/** Starts a full pass, or continues the unfinished one. */
	get pass(): ReadPlan {
		const { pass } = this.cursor;
		if (pass !== undefined) return { from: pass.from, isWhole: true, range: pass.range };
		return { from: this.#firstDay, isWhole: true };
	}

	/** @returns whether a row is new or changed */
	take(rows: readonly BankOperation[]): boolean {
		const { size } = this.#events;
		for (const row of rows) this.#take(row);
		return this.#events.size > size;
	}

	takeOfPass({ from }: ReadPlan, { rows, fresh, next }: Page<BankOperation>): void {
		const { pass, baseline } = this.cursor;
		let latest = pass?.latest ?? '';
		for (const row of rows) latest = laterDay(latest, dayOf(row) ?? this.#options.today);
		for (const row of rows) if (!this.#isAfterPublishing(row)) baseline?.met.add(identityOf(row));
		this.take(fresh);
		const timeAt = (index: number) => timeOf(rows.at(index)) ?? 0;
		this.cursor.pass = { from, range: next, latest, head: pass?.head ?? timeAt(0), tail: timeAt(-1) };
	}

	/** Call after the last page. */
	endPass(): void {
		const { pass, baseline } = this.cursor;
		const earlier = pass === undefined && baseline !== undefined ? this.#earlierFloor() : undefined;
		if (earlier !== undefined) {
			Object.assign(this.cursor, this.#windowFrom(earlier));
			return;
		}
		this.cursor.pass = undefined;
		this.#isFirstPass = false;
		const met = [...(baseline?.met ?? [])];
		if (baseline !== undefined && baseline.previous?.join('\n') !== met.join('\n')) {
			this.cursor.baseline = { ...baseline, met: new Set(), previous: met };
			return;
		}
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
		this.cursor.nextPassAt = head >= tail ? now + Math.min(pages * minute, longestPassInterval) : now;
		this.#prune();
	}

	#take(operation: BankOperation): void {
		const { seen, keep } = this.cursor;
		const id = identityOf(operation);
		const status = statusOf(operation);
		const day = dayOf(operation) ?? this.#options.today;
		const known = seen.get(id);
		if (known === undefined && day < keep) return;
		seen.set(id, { day, status });
		const earlier = this.#events.get(id);
		if (known === undefined ? this.#isNew(operation) : earlier?.event === 'created')
			this.#events.set(id, { eventId: status === null ? id : `${id} ${status}`, event: 'created', operation });
		else if (known !== undefined) {
			const previousStatus = earlier === undefined ? known.status : (earlier.previousStatus ?? null);
			const eventId = `${id} ${previousStatus ?? ''}>${status ?? ''}`;
			if (previousStatus === status) this.#events.delete(id);
			else this.#events.set(id, { eventId, event: 'changed', previousStatus, operation });
		}
	}

	#isNew(operation: BankOperation): boolean {
		const { baseline } = this.cursor;
		return baseline === undefined || (!this.#isFirstPass && this.#isAfterPublishing(operation));
	}

	#isAfterPublishing(operation: BankOperation): boolean {
		return (timeOf(operation) ?? 0) > (this.cursor.baseline?.publishedAt ?? 0);
	}

	#startAt(floor: string): OperationsCursor {
		const { source, startDay, now } = this.#options;
		const cursor = { source, ...this.#windowFrom(floor), seen: new Map(), nextPassAt: 0 };
		return startDay === undefined ? { ...cursor, baseline: { publishedAt: now, met: new Set() } } : cursor;
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
		for (const { day } of cursor.seen.values()) perDay.set(day, (perDay.get(day) ?? 0) + 1);

		// If there are too many operations to remember, fewer days are read, because forgotten operations would be emitted
		// again.
		let count = cursor.seen.size;
		for (const day of [...perDay.keys()].sort()) {
			if (count <= (this.#options.bound ?? defaultBound) || day >= cursor.next) break;
			count -= perDay.get(day) ?? 0;
			keep = laterDay(keep, shiftDay(day, 1));
			if (keep > floor) this.shrunkTo = floor = keep;
		}
		const seen = new Map([...cursor.seen].filter(([, { day }]) => day >= keep));
		Object.assign(cursor, { floor, keep, seen });
	}
}

/** Sorted by time, oldest first. */
export function oldestFirst<T extends { operation: BankOperation }>(events: readonly T[]): T[] {
	const time = ({ operation }: T) => timeOf(operation) ?? Number.MAX_SAFE_INTEGER;
	// Banks list the newest first, so reversing puts operations with equal times in order.
	return [...events].reverse().sort((one, other) => time(one) - time(other));
}
