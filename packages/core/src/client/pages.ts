import { createListTooLargeError } from '../errors/bankErrors.ts';
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
		if (this.#rows > this.#maxRows) throw createListTooLargeError(operation, `${this.#maxRows} rows`);
		if (this.#characters > this.#maxMegabytes * 1024 * 1024)
			throw createListTooLargeError(operation, `${this.#maxMegabytes} MB`);
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
	const request = async (paging: Record<string, unknown>): Promise<readonly Row[]> => {
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, measuredSend, shared);
		// `call` has checked that this is a list. The type of its elements is not checked.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	const isPaged = offsetField !== undefined && limitField !== undefined;
	const paginator = isPaged
		? new Paginator(
				async (page) => await request({ [offsetField]: page.offset, [limitField]: page.limit }),
				Number(prepare(operation, input, options).input.query[offsetField] ?? 0),
				options,
			)
		: undefined;
	const known = new Set<string>();
	let pages = 0;
	let repeatedPages = 0;
	let last = '';
	while (known.size < limit) {
		const rows = await (paginator?.next() ?? request({}));
		if (rows.length === 0) return;
		const fresh = rows.filter((row) => {
			const { size } = known;
			return known.add(identityOf(row)).size > size;
		});
		budget?.spend(operation, { rows: fresh.length });
		const next = (await paginator?.advance(rows.length, limit - known.size)) ?? {
			offset: rows.length,
			limit: rows.length,
		};
		pages++;
		repeatedPages = fresh.length > 0 ? 0 : repeatedPages + 1;
		const isSamePage = identityOf(rows.at(-1)) === last;
		last = identityOf(rows.at(-1));
		yield { rows, fresh, next };
		if (paginator === undefined) return;
		if (repeatedPages >= maxRepeatedPages && (isSamePage || repeatedPages > pages / 2)) {
			onUnstable?.();
			return;
		}
	}
}

/** Requests the pages of a list in order, and prefetches some while the pages are full. */
class Paginator<Row> {
	readonly #request: (range: PageRange) => Promise<readonly Row[]>;
	readonly #maxInFlight: number;
	readonly #size: number;
	readonly #inFlight = new Map<string, Promise<readonly Row[]>>();
	#offset: number;
	/** The bank's maximum page size, as far as known. */
	#cap: number;
	#longest = 0;
	#pages = 0;

	constructor(
		request: (range: PageRange) => Promise<readonly Row[]>,
		offset: number,
		{ limit = Infinity, pageSize, prefetch = 1 }: PageOptions,
	) {
		this.#request = request;
		this.#maxInFlight = prefetch;
		this.#offset = offset;
		this.#size = this.#cap = Math.min(pageSize, limit);
	}

	async next(): Promise<readonly Row[]> {
		const range = this.#rangeAt(this.#offset);
		const page = this.#inFlight.get(keyOf(range)) ?? this.#request(range);
		this.#inFlight.delete(keyOf(range));
		return await page;
	}

	/**
	 * @param length number of rows on the page that `next` returned
	 * @param wanted number of rows still needed
	 */
	async advance(length: number, wanted: number): Promise<PageRange> {
		const { limit } = this.#rangeAt(this.#offset);
		const isFull = length === Math.min(limit, this.#cap);
		this.#offset += length;
		this.#pages++;
		this.#longest = Math.max(this.#longest, length);
		if (length < limit || this.#cap < this.#size) this.#cap = Math.min(this.#size, this.#longest);
		if (isFull) this.#prefetch(wanted);
		else {
			// The pages behind begin elsewhere. Their requests end before others begin, so that there are never too many.
			await Promise.allSettled(this.#inFlight.values());
			this.#inFlight.clear();
		}
		return { offset: this.#offset, limit: this.#cap };
	}

	/**
	 * The number of prefetched pages grows by one per ten pages, so at most a tenth of the requests goes past the end of
	 * the list.
	 */
	#prefetch(wanted: number): void {
		const depth = this.#maxInFlight === 1 ? 0 : Math.min(this.#maxInFlight, 1 + Math.ceil(this.#pages / 10));
		for (let at = this.#offset, count = 0; count < depth && at - this.#offset < wanted; count++) {
			const range = this.#rangeAt(at);
			at += Math.min(range.limit, this.#cap);
			if (this.#inFlight.has(keyOf(range))) continue;
			const page = this.#request(range);
			// A failed prefetch is an error only if its page is needed.
			page.catch(() => undefined);
			this.#inFlight.set(keyOf(range), page);
		}
	}

	#rangeAt(offset: number): PageRange {
		return {
			offset,
			limit: Math.max(greatestCommonDivisor(offset, this.#size), greatestCommonDivisor(offset, this.#cap)),
		};
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
