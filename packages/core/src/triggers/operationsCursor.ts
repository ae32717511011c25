import * as v from 'valibot';

import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { isRealDay } from '../schemas/fields.ts';

/**
 * What a poller of P6 remembers between two reads, and what it makes of a read. Pure: nothing here asks the bank, looks at a
 * clock or changes what it is given, so a read that fails leaves everything as it was.
 *
 * P6 has no cursor of its own. It filters by whole days, inclusive, and shows neither the order of its answer nor when an
 * operation appears in it. So every read goes back over days that were read before, and identifiers tell what is new.
 */
export interface OperationsCursor {
	/** Where the operations come from. Another bank, or its sandbox, shares none of them. */
	readonly source: string;
	/** The day from which a read goes back by the overlap. */
	readonly since: string;
	/** `since` after one more complete read: rows may go while paging, so no day is left behind after only one read of it. */
	readonly next: string;
	/** No read begins before this day: what lies before was never read, or is no longer remembered. */
	readonly floor: string;
	/** Operations of this day and later are remembered. What is older and unknown may have been forgotten, and is not new. */
	readonly keep: string;
	/** By identifier. */
	readonly seen: ReadonlyMap<string, Seen>;
	/** When operations in processing that are older than the overlap were last looked at. */
	readonly pendingReadAt: number;
	/** What the last read of the whole list found, so that a glance at it can tell whether anything has come. */
	readonly listed?: Listing;
	/** A read that did not come to its end: the next one goes on. */
	readonly unfinished?: Unfinished;
	/**
	 * Until a read of the whole list is settled. What is met till then for the first time may have been passed over, because the list
	 * moved while it was read: it is old, unless it is dated later than the first read began.
	 */
	readonly beginning?: Beginning;
}

/** The list of operations since a day, as P6 gave it. */
export interface Listing {
	readonly from: string;
	readonly count: number;
	/** Else the newest comes last. New ones are added at that end, so places are counted from the other. */
	readonly newestFirst: boolean;
	/** Operations in processing: identifier and place, the one first that was not looked at for the longest time. */
	readonly held: ReadonlyArray<readonly [string, number]>;
	readonly readAt: number;
}

interface Unfinished {
	readonly from: string;
	readonly offset: number;
	/** What was read last: a read that meets it again goes on without a gap. */
	readonly last: string;
	/** The latest day of what has been read. */
	readonly latest: string;
	readonly pending: boolean;
	/** Whether a part of it may have passed over rows. */
	readonly isUnsettled: boolean;
}

interface Beginning {
	/** When the first read began. */
	readonly at: number;
	/** How often the whole list was read. */
	readonly reads: number;
}

/** How a read ended. */
export interface ReadEnd {
	/** How many operations had been read when it was over or failed; absent when the read came to its end. */
	stoppedAt?: number;
	/** The list went on changing while it was read: rows may have been passed over. */
	isUnsettled?: boolean;
}

export interface Seen {
	readonly day: string;
	readonly status: string | null;
}

export interface CursorOptions {
	source: string;
	/** The present day where the caller lives. */
	today: string;
	/** Milliseconds since 1970. */
	now: number;
	/** How many days to read again before the latest one. At least 1, because the bank's day may end at another hour. */
	overlapDays: number;
	/** How many days to go back to operations in processing (3.2), about once an hour. 0 for not at all. */
	pendingDays: number;
	/** Of the first read: the day whose operations are new to us. Absent: everything there is already is old. */
	startDay?: string;
	/** How many identifiers to remember. */
	bound?: number;
}

export interface OperationEvent {
	event: 'created' | 'changed';
	/** Of `changed`: what the status was. */
	previousStatus?: string | null;
	operation: BankOperation;
}

export interface Advance {
	cursor: OperationsCursor;
	/** Oldest first. */
	events: OperationEvent[];
	/** Set when there were too many operations to remember: reads now begin at this day. */
	shrunkTo?: string;
}

export interface ReadPlan {
	/** First day to read, with no end: what is dated ahead is read as well. */
	from: string;
	/** Goes back to operations in processing. */
	pending: boolean;
	/** How many operations to skip: they have been read. */
	offset: number;
	/** Where a glance may do. */
	listed?: Listing;
}

const defaultBound = 50_000;
const pendingEvery = 60 * 60 * 1000;
/** A glance counts; what goes while as much comes is found by reading all. */
const wholeEvery = 60 * 60 * 1000;
/** A list that moves in each of its reads is taken as it is at last: nothing that comes late would be told otherwise. */
const mostBeginnings = 5;
const mostHeld = 500;
/** How far the day in `dateTime` may lie from the day under which the bank files the operation: they may be of different time zones. */
const zoneMargin = 2;

/** What to read next. */
export function planRead(cursor: OperationsCursor | undefined, options: CursorOptions): ReadPlan {
	if (cursor === undefined)
		return { from: options.startDay ?? shiftDay(options.today, -overlapOf(options)), pending: false, offset: 0 };
	const { unfinished, listed } = cursor;
	if (unfinished !== undefined)
		return { from: unfinished.from, pending: unfinished.pending, offset: unfinished.offset };
	const near = laterDay(cursor.floor, shiftDay(cursor.since, -overlapOf(options)));
	const oldest = oldestPending(cursor, options);
	const pending = oldest !== undefined && oldest < near && options.now - cursor.pendingReadAt >= pendingEvery;
	if (pending) return { from: laterDay(cursor.floor, oldest), pending, offset: 0 };
	const mayGlance = cursor.beginning === undefined && listed?.from === near && options.now - listed.readAt < wholeEvery;
	return { from: near, pending, offset: 0, ...(mayGlance ? { listed } : {}) };
}

/** What a read tells, and what to remember of it. `rows` are operations (2.6) in any order. */
export function advance(
	cursor: OperationsCursor | undefined,
	plan: ReadPlan,
	rows: readonly BankOperation[],
	options: CursorOptions,
	{ stoppedAt, ...end }: ReadEnd = {},
): Advance {
	const { unfinished, listed, beginning, ...base } = cursor ?? begin(plan, options);
	const isFirst = cursor === undefined;
	const isJoined = unfinished === undefined || rows.some((row) => identityOf(row) === unfinished.last);
	const isUnsettled = end.isUnsettled === true || unfinished?.isUnsettled === true || !isJoined;
	const { seen, found, latest: latestRow } = takeIn(base, rows, options);
	const latest = laterDay(latestRow, unfinished?.latest ?? '');
	const isNew = ({ event, operation }: OperationEvent) => {
		if (beginning === undefined) return true;
		const time = timeOf(operation);
		return !isFirst && (event === 'changed' || (time > beginning.at && time !== noTime));
	};
	const events = oldestFirst(found.filter(isNew));
	if (stoppedAt !== undefined) {
		const { from, pending } = plan;
		const row = rows.at(-1);
		const last = row === undefined ? '' : identityOf(row);
		const goesOn = { from, pending, latest, last, offset: stoppedAt, isUnsettled };
		return { cursor: { ...base, ...(beginning === undefined ? {} : { beginning }), seen, unfinished: goesOn }, events };
	}
	const reads = (beginning?.reads ?? 0) + 1;
	const isBegun = beginning === undefined || !isUnsettled || reads >= mostBeginnings;

	// The day of the latest operation, not that of the clock: a quiet account costs nothing to read, and clocks may differ.
	const reached = earlierDay(latest, options.today);
	const since = base.next;
	const now = unfinished === undefined ? listingOf(plan, rows, listed, options) : undefined;
	const unpruned: OperationsCursor = {
		...base,
		since,
		next: laterDay(since, reached),
		seen,
		pendingReadAt: plan.pending ? options.now : base.pendingReadAt,
		...(now === undefined ? {} : { listed: now }),
		...(isBegun ? {} : { beginning: { at: beginning.at, reads } }),
	};
	const pruned = prune(unpruned, options);
	return { ...pruned, events };
}

/** What a glance tells. No day is left behind after it: that takes a read of the whole. */
export function advanceByGlance(
	cursor: OperationsCursor,
	{ rows, listed }: { rows: readonly BankOperation[]; listed: Listing },
	options: CursorOptions,
): Advance {
	const { seen, found } = takeIn(cursor, rows, options);
	return { cursor: { ...cursor, seen, listed }, events: oldestFirst(found) };
}

/** The cursor before anything was read. */
function begin({ from }: ReadPlan, options: CursorOptions): OperationsCursor {
	const since = shiftDay(from, overlapOf(options));
	return {
		...(options.startDay === undefined ? { beginning: { at: options.now, reads: 0 } } : {}),
		source: options.source,
		since,
		next: since,
		floor: from,
		keep: shiftDay(from, -zoneMargin),
		seen: new Map(),
		pendingReadAt: options.now,
	};
}

function takeIn(
	{ keep, seen: before }: Pick<OperationsCursor, 'keep' | 'seen'>,
	rows: readonly BankOperation[],
	{ today }: CursorOptions,
) {
	const seen = new Map(before);
	const found: OperationEvent[] = [];
	const inThisRead = new Set<string>();
	let latest = '';
	for (const operation of rows) {
		const id = identityOf(operation);
		// Where an identifier stands twice in one read, the second place would look like a change, and change back.
		if (inThisRead.has(id)) continue;
		inThisRead.add(id);
		const status = statusOf(operation);
		const day = dayOf(operation) ?? today;
		latest = laterDay(latest, day);
		const known = seen.get(id);
		if (known === undefined && day < keep) continue;
		// An operation may be dated anew when it is carried out.
		seen.set(id, { day: laterDay(known?.day ?? '', day), status });
		if (known === undefined) found.push({ event: 'created', operation });
		else if (known.status !== status) found.push({ event: 'changed', previousStatus: known.status, operation });
	}
	return { seen, found, latest };
}

/** A read that went further back has read all of the nearer list as well. */
function listingOf(
	{ from, pending }: ReadPlan,
	rows: readonly BankOperation[],
	before: Listing | undefined,
	{ now: readAt }: CursorOptions,
): Listing | undefined {
	if (pending) return before && { ...before, readAt };
	const [first, last] = [rows.at(0), rows.at(-1)];
	const newestFirst = first === undefined || last === undefined || timeOf(first) >= timeOf(last);
	const count = rows.length;
	return { from, count, newestFirst, held: heldIn(rows.entries(), count, newestFirst).slice(0, mostHeld), readAt };
}

/** The operations in processing among these, with their places as a listing counts them. */
export function heldIn(
	rows: Iterable<[number, BankOperation]>,
	count: number,
	newestFirst: boolean,
): Array<readonly [string, number]> {
	return [...rows].flatMap(([index, operation]) =>
		statusOf(operation) === 'HOLD' ? [[identityOf(operation), newestFirst ? count - 1 - index : index] as const] : [],
	);
}

/** Forgets the days that no later read can come back to. */
function prune(cursor: OperationsCursor, options: CursorOptions): { cursor: OperationsCursor; shrunkTo?: string } {
	const near = shiftDay(cursor.since, -overlapOf(options));
	let floor = laterDay(cursor.floor, earlierDay(near, oldestPending(cursor, options) ?? near));
	let keep = laterDay(cursor.keep, shiftDay(floor, -zoneMargin));
	const perDay = new Map<string, number>();
	for (const { day } of cursor.seen.values()) perDay.set(day, (perDay.get(day) ?? 0) + 1);

	// Too much to remember: fewer days are read, rather than that identifiers within those days are forgotten and come again as new.
	let count = [...perDay.values()].reduce((sum, ofDay) => sum + ofDay, 0);
	let shrunkTo: string | undefined;
	for (const day of [...perDay.keys()].sort()) {
		if (count <= (options.bound ?? defaultBound) || day >= cursor.next) break;
		count -= perDay.get(day) ?? 0;
		keep = laterDay(keep, shiftDay(day, 1));
		if (keep > floor) shrunkTo = floor = keep;
	}
	const seen = new Map([...cursor.seen].filter(([, { day }]) => day >= keep));
	return { cursor: { ...cursor, floor, keep, seen }, ...(shrunkTo === undefined ? {} : { shrunkTo }) };
}

/**
 * The day to begin with in order to read the oldest operation in processing, where there is one that is not too old. With `pendingDays`
 * of 0 it is none before the overlap.
 */
function oldestPending({ seen, since }: OperationsCursor, { pendingDays }: CursorOptions): string | undefined {
	const limit = shiftDay(since, -pendingDays);
	let oldest: string | undefined;
	for (const { day, status } of seen.values())
		if (status === 'HOLD' && day >= limit && (oldest === undefined || day < oldest)) oldest = day;
	return oldest === undefined ? undefined : shiftDay(oldest, -1);
}

/** The cursor as text: what keeps it may watch every object that it holds, and there may be tens of thousands of operations. */
export function writeCursor({ seen, ...rest }: OperationsCursor): string {
	const groups = new Map<string, [string, string | null, string[]]>();
	for (const [id, { day, status }] of seen) {
		const key = `${day} ${status ?? ''}`;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [day, status, [id]]);
		else group[2].push(id);
	}
	return JSON.stringify({ ...rest, seen: [...groups.values()] });
}

/** What `writeCursor` writes. */
const writtenCursor = v.object({
	source: v.string(),
	since: v.string(),
	next: v.string(),
	floor: v.string(),
	keep: v.string(),
	pendingReadAt: v.number(),
	seen: v.array(v.tuple([v.string(), v.nullable(v.string()), v.array(v.string())])),
	listed: v.optional(
		v.object({
			from: v.string(),
			count: v.number(),
			newestFirst: v.boolean(),
			held: v.array(v.tuple([v.string(), v.number()])),
			readAt: v.number(),
		}),
	),
	unfinished: v.optional(
		v.object({
			from: v.string(),
			offset: v.number(),
			latest: v.string(),
			last: v.string(),
			pending: v.boolean(),
			isUnsettled: v.boolean(),
		}),
	),
	beginning: v.optional(v.object({ at: v.number(), reads: v.number() })),
});

/**
 * Undefined where there is none yet, or where it is of another source.
 * @throws where the text is not that of a cursor: to begin anew would leave out what happened meanwhile
 */
export function readCursor(text: unknown, source: string): OperationsCursor | undefined {
	if (typeof text !== 'string' || text === '') return undefined;
	const { seen: groups, listed, unfinished, beginning, ...rest } = v.parse(writtenCursor, JSON.parse(text));
	if (rest.source !== source) return undefined;
	return {
		...rest,
		...(listed === undefined ? {} : { listed }),
		...(unfinished === undefined ? {} : { unfinished }),
		...(beginning === undefined ? {} : { beginning }),
		seen: new Map(groups.flatMap(([day, status, ids]) => ids.map((id): [string, Seen] => [id, { day, status }]))),
	};
}

export function shiftDay(day: string, days: number): string {
	const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
	return new Date(Date.UTC(year, month - 1, dayOfMonth + days)).toISOString().slice(0, 10);
}

/** Operations by their time, oldest first. */
export function oldestFirst<T extends { operation: BankOperation }>(events: readonly T[]): T[] {
	// Banks list the newest first: turned round, those of the same time keep their order.
	return [...events].reverse().sort((one, other) => timeOf(one.operation) - timeOf(other.operation));
}

const laterDay = (one: string, other: string): string => (one > other ? one : other);
const earlierDay = (one: string, other: string): string => (one < other ? one : other);
const overlapOf = ({ overlapDays }: CursorOptions): number => Math.max(1, Math.trunc(overlapDays) || 1);

/** The identifier is required (2.6). Without it the operation itself must do, but for the status, which changes. */
export function identityOf(operation: BankOperation): string {
	const id = operation?.id;
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify(operation, (key, value: unknown) => (key === 'status' ? undefined : value)) ?? '';
}

/** 3.2: null stands for an incoming operation or an undefined status; so does an absent one. */
function statusOf(operation: BankOperation): string | null {
	const status = operation?.status;
	return typeof status === 'string' && status !== '' ? status : null;
}

export function dayOf(operation: BankOperation): string | undefined {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(String(operation?.dateTime))?.[0];
	return day !== undefined && isRealDay(day) ? day : undefined;
}

/** What has no readable time comes last. */
const noTime = Number.MAX_SAFE_INTEGER;

function timeOf(operation: BankOperation): number {
	const time = Date.parse(String(operation?.dateTime));
	return Number.isNaN(time) ? noTime : time;
}
