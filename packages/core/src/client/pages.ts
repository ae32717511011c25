import { createFailure } from '../errors/bankErrors.ts';
import { isRecord } from '../json.ts';
import type { Page, PageRange } from '../page.ts';
import type { CheckedInput, Operation, OperationInput } from '../operation.ts';
import { call, type CallOptions, type Send } from './call.ts';
import { prepare, type PrepareOptions } from './prepare.ts';
import { Throttle } from './throttle.ts';

export interface PageOptions extends PrepareOptions, CallOptions {
	/** Maximum number of rows to return; absent for all. */
	limit?: number;
	/** Rows to request at a time. The API description shows neither a default nor a maximum. */
	pageSize: number;
	/** Maximum number of parallel requests. */
	prefetch?: number;
	/** Shared by all lists of a run. */
	budget?: ListBudget;
	/** Called when the bank returns the same rows again and again, so that others may be missing. */
	onUnstable?: () => void;
}

/** Limits the memory that lists may use, so that an endless list ends with an error before the process runs out of memory. */
export class ListBudget {
	readonly #maxRows: number;
	readonly #maxMegabytes: number;
	#rows = 0;
	#characters = 0;

	constructor(maxRows: number, maxMegabytes: number) {
		this.#maxRows = maxRows;
		this.#maxMegabytes = maxMegabytes;
	}

	/** @throws BankFailure */
	spend(operation: Operation, { rows = 0, characters = 0 }: { rows?: number; characters?: number }): void {
		this.#rows += rows;
		this.#characters += characters;
		const hasTooManyRows = this.#rows > this.#maxRows;
		if (!hasTooManyRows && this.#characters <= this.#maxMegabytes * 1024 * 1024) return;
		const most = hasTooManyRows ? `${this.#maxRows} rows` : `${this.#maxMegabytes} MB`;
		throw createFailure(operation, 'nothingChanged', `the list is larger than ${most}`, {
			kind: 'noAnswer',
			code: 'LIST_TOO_LARGE',
			next: ['narrowList'],
		});
	}
}

/** Reads a list to its end or to `limit`. Rows are mapped page by page, so that the responses need not be kept. */
export async function readRows<Row, Mapped>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
	mapRow: (row: Row) => Mapped,
): Promise<Mapped[]> {
	const { limit = Infinity } = options;
	const mapped: Mapped[] = [];
	for await (const { fresh } of readPages(operation, input, send, options))
		for (const row of fresh) if (mapped.length < limit) mapped.push(mapRow(row));
	return mapped;
}

const maxRepeatedPages = 3;

/**
 * Reads a list page by page, in ascending order. A row is recognized by its identifier, wherever it is. The list ends with an empty page:
 * a short one proves nothing, because the bank may cap the page size, and rows may disappear meanwhile.
 */
export async function* readPages<Row>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
): AsyncGenerator<Page<Row>, void> {
	const { limit = Infinity, budget, onUnstable } = options;
	const shared = { throttle: new Throttle(), ...options };
	const { key = '', offset: offsetField, limit: limitField } = operation.list ?? {};
	const measuredSend: Send = async (request) => {
		const response = await send(request);
		if ('status' in response) budget?.spend(operation, { characters: response.text.length });
		return response;
	};
	const isPaged = offsetField !== undefined && limitField !== undefined;
	const request = async (range: PageRange): Promise<readonly Row[]> => {
		const paging = isPaged ? { [offsetField]: range.offset, [limitField]: range.limit } : {};
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, measuredSend, shared);
		// `call` has checked that this is a list. The type of its elements is not checked.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	const start = isPaged ? Number(prepare(operation, input, options).input.query[offsetField] ?? 0) : 0;
	const known = new Set<string>();
	let pages = 0;
	let repeatedPages = 0;
	let last = '';
	if (limit <= 0) return;
	for await (const { rows, next } of pagesFrom(start, request, isPaged ? options : { ...options, prefetch: 1 })) {
		const fresh = rows.filter((row) => {
			const { size } = known;
			return known.add(identityOf(row)).size > size;
		});
		budget?.spend(operation, { rows: fresh.length });
		pages++;
		repeatedPages = fresh.length > 0 ? 0 : repeatedPages + 1;
		const isSamePage = identityOf(rows.at(-1)) === last;
		last = identityOf(rows.at(-1));
		yield { rows, fresh, next };
		if (!isPaged || known.size >= limit) return;
		if (repeatedPages >= maxRepeatedPages && (isSamePage || repeatedPages > pages / 2)) return onUnstable?.();
	}
}

/** Requests the pages of a list in order up to an empty one, some of them ahead while the pages are full. */
async function* pagesFrom<Row>(
	start: number,
	request: (range: PageRange) => Promise<readonly Row[]>,
	{ limit = Infinity, pageSize, prefetch = 1 }: PageOptions,
): AsyncGenerator<Pick<Page<Row>, 'rows' | 'next'>, void> {
	const size = Math.min(pageSize, limit);
	/** The bank's maximum page size, as far as known. */
	let cap = size;
	let longest = 0;
	const inFlight = new Map<string, Promise<readonly Row[]>>();
	const rangeAt = (offset: number): PageRange => ({
		offset,
		limit: Math.max(greatestCommonDivisor(offset, size), greatestCommonDivisor(offset, cap)),
	});
	for (let offset = start, pages = 1; ; pages++) {
		const range = rangeAt(offset);
		const rows = await (inFlight.get(keyOf(range)) ?? request(range));
		inFlight.delete(keyOf(range));
		if (rows.length === 0) return;
		const isFull = rows.length === Math.min(range.limit, cap);
		offset += rows.length;
		longest = Math.max(longest, rows.length);
		if (rows.length < range.limit || cap < size) cap = Math.min(size, longest);
		if (!isFull) {
			// The pages behind begin elsewhere. Their requests end before others begin, so that there are never too many.
			await Promise.allSettled(inFlight.values());
			inFlight.clear();
		}
		// Grows by one per ten pages, so at most a tenth of the requests goes past the end of the list.
		const depth = isFull && prefetch > 1 ? Math.min(prefetch, 1 + Math.ceil(pages / 10)) : 0;
		for (let at = offset, count = 0; count < depth && at - start < limit; count++) {
			const ahead = rangeAt(at);
			at += Math.min(ahead.limit, cap);
			if (inFlight.has(keyOf(ahead))) continue;
			const page = request(ahead);
			// A failed prefetch is an error only if its page is needed.
			page.catch(() => undefined);
			inFlight.set(keyOf(ahead), page);
		}
		yield { rows, next: { offset, limit: cap } };
	}
}

const keyOf = ({ offset, limit }: PageRange): string => `${offset} ${limit}`;

/** The identifier, or the whole row as JSON if it has none. */
function identityOf(row: unknown): string {
	const id = isRecord(row) ? row.id : undefined;
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : JSON.stringify(row);
}

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
