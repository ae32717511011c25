import * as v from 'valibot';

import { isRecord } from '../json.ts';
import { digestOfRow, rowKeyOf, withoutStatus } from '../rows.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { isRealDay } from '../schemas/fields.ts';
import { type KnownOperation, KnownOperations } from './knownOperations.ts';

const pass = v.object({
	from: v.string(),
	/** Where to continue. Rows may have moved meanwhile, so it does not show which rows were read. */
	range: v.object({ offset: v.number(), limit: v.number() }),
	/** Latest day of an operation in this pass. */
	latest: v.string(),
	/** Whether operations may have moved meanwhile, so that some that are in the list may not have been read. */
	isMoved: v.boolean(),
	/** Times of the first and last operation in the list, which show whether it starts with the newest. */
	head: v.number(),
	tail: v.number(),
	/** Operations that are either new or changes of known operations. The end of the pass decides which. */
	undecided: v.pipe(v.custom<BankOperation[]>(Array.isArray)),
});
export type Pass = v.InferOutput<typeof pass>;

const baseline = v.object({
	/** Operations dated later came after publishing. In milliseconds since 1970. */
	after: v.number(),
	/** Whether the times of operations are ahead of the local clock. */
	isAhead: v.boolean(),
});

type StoredOperation = [
	...[id: string, day: string, status: string | null, direction: string, amount: string, time: string, digest: string],
	isMet?: 1,
];

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
	/** Known operations by identifier, which several may share. Not validated one by one, which takes long with tens of thousands. */
	seen: v.pipe(
		v.custom<StoredOperation[]>(Array.isArray),
		v.transform(
			(stored) =>
				new KnownOperations(
					stored.map(([id, day, status, direction, amount, time, digest, isMet]) => {
						return { id, day, status, direction, amount, time, digest, isMet: isMet === 1 };
					}),
				),
		),
	),
	/** Time of the next full pass, in milliseconds since 1970. */
	nextPassAt: v.number(),
	/** Continued by the next poll. */
	pass: v.optional(pass),
	/** Operations of the last pass that may be changes of others. If they are not, they are new or existed at publishing. */
	suspects: v.optional(
		v.record(
			v.string(),
			v.object({ isNew: v.boolean(), passes: v.number(), known: v.custom<KnownOperation>(isRecord) }),
		),
	),
	/** Present until the operations that existed at publishing are known. */
	baseline: v.optional(baseline),
});

export type OperationsCursor = v.InferOutput<typeof operationsCursor>;

/** Serializes to text, because stores that track every object are slow with tens of thousands of entries. */
export function writeCursor({ seen, ...rest }: OperationsCursor): string {
	const stored = [...seen].map(({ id, day, status, direction, amount, time, digest, isMet }) => {
		const operation: StoredOperation = [id, day, status, direction, amount, time, digest];
		return rest.pass !== undefined && isMet === true ? [...operation, 1] : operation;
	});
	return JSON.stringify({ ...rest, seen: stored });
}

/**
 * The stored cursor; undefined if nothing is stored, or if the cursor belongs to another source.
 * @throws if the text is not a cursor: starting over would silently skip operations
 */
export function readCursor(text: unknown, source: string): OperationsCursor | undefined {
	if (typeof text !== 'string' || text === '') return undefined;
	const cursor = v.parse(operationsCursor, JSON.parse(text));
	return cursor.source === source ? cursor : undefined;
}

/** What identifies the operation. The identifier is required (2.6); if it is missing, the digest replaces it. */
export function knownOf(operation: BankOperation, today: string): KnownOperation {
	const digest = digestOfRow(withoutStatus(operation));
	const key = rowKeyOf(operation);
	return { ...key, id: key.id || digest, day: dayOf(operation) ?? today, digest };
}

export function dayOf(operation: BankOperation): string | undefined {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(String(operation?.dateTime))?.[0];
	return day !== undefined && isRealDay(day) ? day : undefined;
}

/** The time of an operation in milliseconds since 1970; undefined if it is unreadable. */
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
