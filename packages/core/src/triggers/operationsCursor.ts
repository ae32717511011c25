import * as v from 'valibot';

import type { PageRange } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { isRealDay } from '../schemas/fields.ts';

/** What a poller of the operations history (P6) remembers between two polls. See `OperationsTracker`. */
export interface OperationsCursor {
	/** Where the operations come from. Another bank, or its sandbox, shares none of them. */
	source: string;
	/** Reads start this day less the overlap. */
	since: string;
	/** `since` after one more pass: a pass may miss operations, so no day is left behind after only one. */
	next: string;
	/** No read starts before this day. */
	floor: string;
	/** Unknown operations of an earlier day are not new: they were never read, or have been forgotten. */
	keep: string;
	/** By identifier. */
	seen: Map<string, Seen>;
	/** When to read the whole list again, in milliseconds since 1970. */
	nextPassAt: number;
	/** A pass over the whole list that the next poll continues. */
	pass?: Pass | undefined;
	/** Until it is known which operations existed when the workflow was published. */
	baseline?: Baseline | undefined;
}

export interface Seen {
	day: string;
	status: string | null;
}

export interface Pass {
	from: string;
	/** Where to continue. Rows may have moved meanwhile, so it says nothing about which rows were read. */
	range: PageRange;
	/** The latest day of an operation. */
	latest: string;
	/** The times of the first and the last operation, which tell the order of the list. */
	head: number;
	tail: number;
}

export interface Baseline {
	/** When the workflow was published. */
	publishedAt: number;
	/** How many passes came to their end. */
	passes: number;
	/** The operations of the present pass that are not dated after publishing, in the order in which they came. */
	met: string[];
	/** Those of the pass before. */
	previous?: string[] | undefined;
}

/** The cursor as text, since there may be tens of thousands of operations: whoever stores it may watch every object. */
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

const writtenCursor = v.object({
	source: v.string(),
	since: v.string(),
	next: v.string(),
	floor: v.string(),
	keep: v.string(),
	seen: v.array(v.tuple([v.string(), v.nullable(v.string()), v.array(v.string())])),
	nextPassAt: v.number(),
	pass: v.optional(
		v.object({
			from: v.string(),
			range: v.object({ offset: v.number(), limit: v.number() }),
			latest: v.string(),
			head: v.number(),
			tail: v.number(),
		}),
	),
	baseline: v.optional(
		v.object({
			publishedAt: v.number(),
			passes: v.number(),
			met: v.array(v.string()),
			previous: v.optional(v.array(v.string())),
		}),
	),
});

/**
 * Undefined where there is none yet, or where it is of another source.
 * @throws where the text is not that of a cursor: to start over would leave out what happened meanwhile
 */
export function readCursor(text: unknown, source: string): OperationsCursor | undefined {
	if (typeof text !== 'string' || text === '') return undefined;
	const { seen, ...rest } = v.parse(writtenCursor, JSON.parse(text));
	if (rest.source !== source) return undefined;
	return {
		...rest,
		seen: new Map(seen.flatMap(([day, status, ids]) => ids.map((id): [string, Seen] => [id, { day, status }]))),
	};
}

/** The identifier is required (2.6). Where it is missing the operation itself serves, without its status, which changes. */
export function identityOf(operation: BankOperation): string {
	const id = operation?.id;
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify(operation, (key, value: unknown) => (key === 'status' ? undefined : value)) ?? '';
}

/** 3.2: null stands for an incoming operation or an undefined status; so does an absent one. */
export function statusOf(operation: BankOperation): string | null {
	const status = operation?.status;
	return typeof status === 'string' && status !== '' ? status : null;
}

export function dayOf(operation: BankOperation): string | undefined {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(String(operation?.dateTime))?.[0];
	return day !== undefined && isRealDay(day) ? day : undefined;
}

/** Undefined where it cannot be read. */
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
