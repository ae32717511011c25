import * as v from 'valibot';

import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { isRealDay } from '../schemas/fields.ts';
import { textOrNumber } from '../text.ts';

/** An unfinished pass. */
const pass = v.object({
	from: v.string(),
	/** Where to continue. Rows may have moved meanwhile, so it does not show which rows were read. */
	range: v.object({ offset: v.number(), limit: v.number() }),
	/** Latest day of an operation in this pass. */
	latest: v.string(),
	/** Times of the first and last operation in the list, which show whether it starts with the newest. */
	head: v.number(),
	tail: v.number(),
});
export type Pass = v.InferOutput<typeof pass>;

const baseline = v.object({
	/** Time of publishing, in milliseconds since 1970. */
	publishedAt: v.number(),
	/** Operations of this pass not dated after publishing, each once, in list order. */
	met: v.pipe(
		v.array(v.string()),
		v.transform((ids) => new Set(ids)),
	),
	/** The same for the previous pass. */
	previous: v.optional(v.array(v.string())),
});

/** The state of polling the operation history (P6) between two polls, as stored. See `OperationsTracker`. */
const operationsCursor = v.object({
	/** Bank or sandbox that the operations come from. */
	source: v.string(),
	/** Reads start on this day minus the overlap. */
	since: v.string(),
	/** The next value of `since`. It lags by one pass, because a single pass may miss operations. */
	next: v.string(),
	/** No read starts before this day. */
	floor: v.string(),
	/** Unknown operations before this day are not new: they were never read, or have been forgotten. */
	keep: v.string(),
	/** Known operations, by identifier. Not validated one by one, which takes long with tens of thousands. */
	seen: v.pipe(
		v.custom<Array<[id: string, day: string, status: string | null]>>(Array.isArray),
		v.transform((operations) => new Map(operations.map(([id, day, status]) => [id, { day, status }]))),
	),
	/** Time of the next full pass, in milliseconds since 1970. */
	nextPassAt: v.number(),
	/** Continued by the next poll. */
	pass: v.optional(pass),
	/** Present until it is known which operations existed at publishing. */
	baseline: v.optional(baseline),
});

export type OperationsCursor = v.InferOutput<typeof operationsCursor>;

/** Serializes to text, because stores that track every object are slow with tens of thousands of entries. */
export function writeCursor({ seen, baseline, ...rest }: OperationsCursor): string {
	return JSON.stringify({
		...rest,
		seen: Array.from(seen, ([id, { day, status }]) => [id, day, status]),
		baseline: baseline && { ...baseline, met: [...baseline.met] },
	});
}

/**
 * The stored cursor; undefined if there is none, or if it belongs to another source.
 * @throws if the text is not a cursor: starting over would silently skip operations
 */
export function readCursor(text: unknown, source: string): OperationsCursor | undefined {
	if (typeof text !== 'string' || text === '') return undefined;
	const cursor = v.parse(operationsCursor, JSON.parse(text));
	return cursor.source === source ? cursor : undefined;
}

/** The identifier is required (2.6). If it is missing, the operation without its changing status is used. */
export function identityOf(operation: BankOperation): string {
	const withoutStatus = (key: string, value: unknown) => (key === 'status' ? undefined : value);
	return textOrNumber(operation?.id) || (JSON.stringify(operation, withoutStatus) ?? '');
}

/** 3.2: null means an incoming operation or an undefined status. A missing status is treated like null. */
export function statusOf(operation: BankOperation): string | null {
	const status = operation?.status;
	return typeof status === 'string' && status !== '' ? status : null;
}

export function dayOf(operation: BankOperation): string | undefined {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(String(operation?.dateTime))?.[0];
	return day !== undefined && isRealDay(day) ? day : undefined;
}

/** Undefined if the time is unreadable. */
export function timeOf(operation: BankOperation): number | undefined {
	const time = Date.parse(String(operation?.dateTime));
	return Number.isNaN(time) ? undefined : time;
}

export function shiftDay(day: string, days: number): string {
	const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
	return new Date(Date.UTC(year, month - 1, dayOfMonth + days)).toISOString().slice(0, 10);
}

export const laterDay = (one: string, other: string): string => (one > other ? one : other);
export const earlierDay = (one: string, other: string): string => (one < other ? one : other);
