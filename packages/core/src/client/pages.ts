import { createFailure, isBankFailure, createListChangedError } from '../errors/bankErrors.ts';
import { isRecord } from '../json.ts';
import type { Page, PageRange } from '../page.ts';
import type { CheckedInput, Operation, OperationInput } from '../operation.ts';
import { call, type CallOptions, type Send } from './call.ts';
import { prepare, type PrepareOptions } from './prepare.ts';
import { isSameRow, rowId } from '../rows.ts';
import { Throttle } from './throttle.ts';

export interface PageOptions extends PrepareOptions, CallOptions {
	/** Maximum number of rows to return; absent for all. */
	limit?: number;
	/** Rows to request at a time. The API description shows neither a default nor a maximum. */
	pageSize: number;
	/** Maximum number of parallel requests. */
	prefetch?: number;
	/** Limits that all lists of a run share. */
	budget?: ListBudget;
	/** Called when the bank returns the same rows again and again, so that others may be missing. */
	onUnstable?: () => void;
}

/** Defaults of *Maximum Rows* and *Maximum Size*: a process with a heap of 512 MB survives lists up to these. */
export const listLimits = { rows: 100_000, megabytes: 128 };

/** Limits the memory that lists may use, so that an endless list ends with an error before the process runs out of memory. */
export class ListBudget {
	readonly #maxRows: number;
	readonly #maxMegabytes: number;
	#rows = 0;
	#memory = 0;
	#whole: ListBudget | undefined;

	constructor(maxRows: number, maxMegabytes: number) {
		this.#maxRows = maxRows;
		this.#maxMegabytes = maxMegabytes;
	}

	/** A budget that also spends from this one, and can return to it what it has spent. */
	createPart(): ListBudget {
		const part = new ListBudget(Infinity, Infinity);
		part.#whole = this;
		return part;
	}

	/** Returns to the whole budget what this part has spent. For rows that are not kept. */
	returnSpent(operation: Operation): void {
		this.#whole?.spend(operation, { rows: -this.#rows, memory: -this.#memory });
	}

	/** @throws BankFailure */
	spend(operation: Operation, { rows = 0, memory = 0 }: { rows?: number; memory?: number }): void {
		this.#rows += rows;
		this.#memory += memory;
		this.#whole?.spend(operation, { rows, memory });
		const hasTooManyRows = this.#rows > this.#maxRows;
		if (!hasTooManyRows && this.#memory <= this.#maxMegabytes * 1024 * 1024) return;
		const most = hasTooManyRows ? `${this.#maxRows} rows` : `${this.#maxMegabytes} MB`;
		throw createFailure(operation, 'nothingChanged', `the list is larger than ${most}`, {
			kind: 'noAnswer',
			code: 'LIST_TOO_LARGE',
			next: ['narrowList'],
		});
	}
}

/** How often a list is read from the start before it counts as unreadable. */
const maxReads = 3;

/**
 * Reads a list to its end or to `limit`. Rows are mapped page by page, so that the responses need not be kept. If the list moves
 * meanwhile, it is read once more, one page at a time.
 * @throws BankFailure if the list moves during every read
 */
export async function readRows<Row, Mapped>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
	mapRow: (row: Row) => Mapped,
): Promise<Mapped[]> {
	const { limit = Infinity, budget } = options;
	for (let reads = 1; reads <= maxReads; reads++) {
		const mapped: Mapped[] = [];
		const part = budget?.createPart();
		let isMoved = false;
		const own = { ...(part && { budget: part }), ...(reads === 1 ? {} : { prefetch: 1 }) };
		for await (const page of readPages(operation, input, send, { ...options, ...own })) {
			isMoved = page.isMoved;
			if (isMoved) break;
			for (const row of page.fresh) if (mapped.length < limit) mapped.push(mapRow(row));
		}
		if (!isMoved) return mapped;
		part?.returnSpent(operation);
	}
	throw createListChangedError(operation, maxReads, 'readPastDays');
}

/** More pages than any list has. */
const farPages = 1_000_000;

/**
 * Reads a list page by page, in ascending order. Each page begins with rows of the page before: if they are elsewhere, the list has
 * moved meanwhile and rows may be missing. The list ends with a page that has no other rows: a short one proves nothing, because the
 * bank may cap the page size.
 */
export async function* readPages<Row>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
): AsyncGenerator<Page<Row>, void> {
	const { limit = Infinity, budget, onUnstable } = options;
	const spend = (memory: number) => budget?.spend(operation, { memory });
	const shared = { throttle: new Throttle(), ...options, spend };
	const { key = '', offset: offsetField, limit: limitField } = operation.list ?? {};
	const isPaged = offsetField !== undefined && limitField !== undefined;
	const request = async (range: PageRange): Promise<readonly Row[]> => {
		const paging = isPaged ? { [offsetField]: range.offset, [limitField]: range.limit } : {};
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, send, shared);
		// `call` has checked that this is a list. The type of its elements is not checked.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	const start = isPaged ? Number(prepare(operation, input, options).input.query[offsetField] ?? 0) : 0;
	/** The rows that were read. One that is equal to one of them as a whole is a repeat. */
	const known = new Set<string>();
	const isNew = (row: Row): boolean => {
		const { size } = known;
		return known.add(rowId(row)).size > size;
	};
	/** Whether the bank has returned other rows, or none, at an offset far behind the list. */
	let usesOffset = false;
	/** The last rows that were read, in the order of the list. */
	let tail: readonly Row[] = [];
	let isFirst = true;
	if (limit <= 0) return;
	for await (const page of pagesFrom(start, request, isPaged ? options : { ...options, prefetch: 1 })) {
		const { rows, overlap, isShort, next, isMoved: isPageBeforeMoved } = page;
		const before = overlap === 0 ? [] : tail.slice(-overlap);
		const first = overlap - before.length;
		const isInPlace = before.every((row, index) => isSameRow(row, rows[first + index]));
		const isMoved = isPageBeforeMoved || !isInPlace;
		const fresh = rows.slice(isInPlace ? overlap : 0).filter(isNew);
		// If rows keep arriving, the end of the list may move down as fast as it is read.
		const isEnd = rows.length <= overlap || (isMoved && isShort && fresh.length === 0);
		if (fresh.length === 0 && isPaged && !isEnd && !usesOffset) {
			// Either the list has moved or has equal rows, or the bank returns the same rows at any offset.
			const far = await request({ offset: farPages * next.limit, limit: next.limit }).catch((error: unknown) => {
				// The bank rejects the offset, so it evaluates it.
				if (isBankFailure(error) && [400, 404, 416, 422].includes(error.details.httpStatus ?? 0)) return [];
				throw error;
			});
			usesOffset = far.length === 0 || far.some((row) => !known.has(rowId(row)));
			if (!usesOffset) return onUnstable?.();
		}
		budget?.spend(operation, { rows: Math.max(0, rows.length - overlap) });
		tail = isInPlace ? [...tail, ...rows.slice(overlap)].slice(-options.pageSize) : rows;
		if (isFirst || isMoved || !isEnd) yield { rows, fresh, start: page.start, next, isMoved };
		if (!isPaged || isEnd || known.size >= limit) return;
		isFirst = false;
	}
}

interface RawPage<Row> extends Pick<Page<Row>, 'rows' | 'start' | 'next' | 'isMoved'> {
	/** Number of rows at the start of this page that also belong to earlier pages. */
	overlap: number;
	/** Whether the page has fewer rows than the bank could have returned, as far as known. */
	isShort: boolean;
}

/** Requests the pages of a list in order, some of them ahead while the pages are full. Ends at an empty page. */
async function* pagesFrom<Row>(
	start: number,
	request: (range: PageRange) => Promise<readonly Row[]>,
	{ limit = Infinity, pageSize, prefetch = 1 }: PageOptions,
): AsyncGenerator<RawPage<Row>, void> {
	const size = Math.min(pageSize, limit);
	/** The bank's maximum page size, as far as known. */
	let cap = size;
	let longest = 0;
	const inFlight = new Map<string, Promise<readonly Row[]>>();
	const rangeAt = (offset: number): PageRange => rangeAcross(offset, cap, size);
	let before: { range: PageRange; rows: readonly Row[] } | undefined;
	for (let offset = start, pages = 1; ; pages++) {
		const range = rangeAt(offset);
		const rows = await (inFlight.get(keyOf(range)) ?? request(range));
		inFlight.delete(keyOf(range));
		const overlap = offset - range.offset;
		let isMoved = false;
		if (overlap === 0 && before !== undefined && (rows.length > 0 || before.rows.length >= before.range.limit)) {
			// With this page size, no page can begin with rows of the page before. So the page before is read again.
			const again = await request(before.range);
			isMoved = again.length !== before.rows.length || !before.rows.every((row, at) => isSameRow(row, again[at]));
		}
		if (rows.length === 0 && overlap === 0 && !isMoved) return;
		const most = Math.min(range.limit, cap);
		longest = Math.max(longest, rows.length);
		const isCapped = rows.length < range.limit || cap < size;
		const hasOwnRows = before === undefined ? rows.length > overlap : rows.length >= overlap;
		if (isCapped && rows.length > 0 && !hasOwnRows && longest < cap) {
			// The bank returns fewer rows at a time than expected, so this page ends before the next rows.
			cap = longest;
			pages--;
			continue;
		}
		// An empty page says nothing about the bank's page size.
		if (isCapped && longest > 0) cap = Math.min(size, longest);
		before = { range, rows };
		offset = range.offset + rows.length;
		if (rows.length !== most) {
			// The pages that were requested ahead begin at wrong offsets. Waits for them before requesting others, so
			// that there are never too many requests.
			await Promise.allSettled(inFlight.values());
			inFlight.clear();
		}
		// Grows by one per ten pages, so at most a tenth of the requests goes past the end of the list.
		const depth = rows.length === most && prefetch > 1 ? Math.min(prefetch, 1 + Math.ceil(pages / 10)) : 0;
		for (let at = offset, count = 0; count < depth && at - start < limit; count++) {
			const ahead = rangeAt(at);
			if (ahead.offset === at) break;
			at = ahead.offset + Math.min(ahead.limit, cap);
			if (inFlight.has(keyOf(ahead))) continue;
			const page = request(ahead);
			// A failed prefetch is an error only if its page is needed.
			page.catch(() => undefined);
			inFlight.set(keyOf(ahead), page);
		}
		yield { rows, overlap, isShort: rows.length < most, start: range.offset, next: { offset, limit: cap }, isMoved };
	}
}

/**
 * The range that reads the most rows from `offset` on and begins with at least one row before it. If there is none, the
 * range that begins at `offset`.
 * @param cap maximum number of rows that the bank returns
 * @param size number of rows that may be requested
 */
function rangeAcross(offset: number, cap: number, size: number): PageRange {
	let best: PageRange | undefined;
	let most = 0;
	for (let limit = cap; limit > most; limit--) {
		const overlap = offset % limit;
		if (overlap === 0 || limit - overlap <= most) continue;
		most = limit - overlap;
		best = { offset: offset - overlap, limit };
	}
	const divisor = Math.max(greatestCommonDivisor(offset, size), greatestCommonDivisor(offset, cap));
	return best ?? { offset, limit: divisor };
}

const keyOf = ({ offset, limit }: PageRange): string => `${offset} ${limit}`;

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
