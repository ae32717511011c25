import { isRecord } from '../json.ts';
import type { CheckedInput, Operation, OperationInput } from '../operation.ts';
import { call, type CallOptions, type Send } from './call.ts';
import { prepare, type PrepareOptions } from './prepare.ts';

export interface PageOptions extends PrepareOptions, CallOptions {
	/** How many to return at most; absent for all. */
	limit?: number;
	/** How many to ask for at a time. The description shows neither a default nor a maximum. */
	pageSize: number;
	/** How many pages to have under way at once while pages come back full. */
	ahead?: number;
	/**
	 * Told where the list went on changing while it was read, so that rows may be missing. Without it nobody looks whether rows have
	 * vanished: that costs a few requests.
	 */
	unsettled?: () => void;
}

/** Pages without anything new after which a bank that keeps repeating itself is no longer asked. */
const fruitlessPages = 3;

/** How often a list is read in all, where rows vanish while it is read. */
const mostReadings = 3;

type Page<Row> = (offset: number, limit: number) => Promise<readonly Row[]>;

/** Reads a list page by page, in order, to its end or to `limit`: see `readRows`. */
export async function readAll<Row>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
): Promise<Row[]> {
	return await readRows(operation, input, send, options, (row) => row);
}

/**
 * Reads a list page by page. Each row is made into what is kept of it as soon as its page is there: of 100,000 rows the answers need not
 * be kept as well.
 *
 * One rule for what comes twice, in one page or on two: what has the same identifier is one row, given once, as it came first. Rows
 * without an identifier are told apart by all they hold.
 */
export async function readRows<Row, Made>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
	made: (row: Row) => Made,
): Promise<Made[]> {
	const { key = '', offset: offsetField, limit: limitField } = operation.list ?? {};
	const asked = async (paging: Record<string, unknown>): Promise<readonly Row[]> => {
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, send, options);
		// `call` has seen that it is a list; of its elements the type says nothing but names.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	if (offsetField === undefined || limitField === undefined) {
		const reading = new Reading(made);
		reading.take(await asked({}));
		return reading.found.slice(0, options.limit);
	}
	const { query } = prepare(operation, input, options).input;
	const start = Number(query[offsetField] ?? 0);
	const page: Page<Row> = atMost(
		options.ahead ?? 1,
		async (offset, limit) => await asked({ [offsetField]: offset, [limitField]: limit }),
	);
	for (let readings = 1; ; readings++) {
		const reading = new Reading(made);
		await readOnce(reading, page, start, options);
		const { unsettled } = options;
		if (unsettled === undefined || !(await hasLostRows(reading, page))) return reading.found;
		if (readings === mostReadings) {
			unsettled();
			return reading.found;
		}
	}
}

/** What was found of a list, going through it once. */
class Reading<Row, Made> {
	readonly found: Made[] = [];
	/** Whether the list was read to its end. */
	isWhole = false;
	/** Whether any page held as many rows as the bank gives. */
	hadFullPage = false;
	/** Where each page ended: the place of its last row in the list, and which row that was. */
	readonly ends: { at: number; row: string }[] = [];
	readonly #seen = new Map<string, number>();
	readonly #made: (row: Row) => Made;

	constructor(made: (row: Row) => Made) {
		this.#made = made;
	}

	/** @returns how many of the rows are new */
	take(rows: readonly Row[], most = Infinity): number {
		const before = this.#seen.size;
		for (const row of rows) {
			const identity = identityOf(row);
			if (this.#seen.has(identity) || this.found.length >= most) continue;
			this.#seen.set(identity, this.#seen.size);
			this.found.push(this.#made(row));
		}
		return this.#seen.size - before;
	}

	/** Whether a row comes behind another one, or was never seen. */
	isBehind(row: string, other: string): boolean {
		return (this.#seen.get(row) ?? Infinity) > (this.#seen.get(other) ?? Infinity);
	}
}

/**
 * Once through the list, in order.
 *
 * The end is the first empty page: a short page proves nothing, because the bank may cap the page size, and rows may
 * have gone while paging. After a short page the next offset is where it ended, with a page size that divides the offset, since some
 * banks accept only such offsets. When new operations arrive on top while paging, old ones come again.
 */
async function readOnce<Row, Made>(
	reading: Reading<Row, Made>,
	page: Page<Row>,
	start: number,
	{ limit = Infinity, pageSize, ahead: most = 1 }: PageOptions,
): Promise<void> {
	const size = Math.min(pageSize, limit);
	// What a short page makes one believe to be the most that the bank gives, until a longer one comes.
	let cap = size;
	const limitAt = (offset: number) => Math.max(greatestCommonDivisor(offset, size), greatestCommonDivisor(offset, cap));
	const underWay = new Map<number, Promise<readonly Row[]>>();
	let offset = start;
	let fruitless = 0;
	let ahead = 1;
	while (reading.found.length < limit) {
		const wanted = limitAt(offset);
		const rows = await (underWay.get(offset) ?? page(offset, wanted));
		underWay.delete(offset);
		reading.isWhole = rows.length === 0;
		if (reading.isWhole) return;
		fruitless = reading.take(rows, limit) === 0 ? fruitless + 1 : 0;
		if (fruitless === fruitlessPages) return;

		const isFull = rows.length === cap && wanted >= cap;
		if (rows.length < Math.min(wanted, cap)) cap = rows.length;
		else if (rows.length > cap) cap = size;
		offset += rows.length;
		reading.ends.push({ at: offset - 1, row: identityOf(rows.at(-1)) });
		reading.hadFullPage ||= isFull;
		if (!isFull) underWay.clear();
		// Twice as far ahead with every full page, so that a short list costs few requests past its end.
		ahead = isFull ? Math.min(2 * ahead, most) : 1;
		if (!isFull) continue;
		const left = limit - reading.found.length;
		for (let next = offset; next < offset + cap * ahead && next - offset < left; next += cap) {
			if (underWay.has(next)) continue;
			const promise = page(next, limitAt(next));
			// A page fetched ahead may fail and then not be needed; its failure counts only when its turn comes.
			promise.catch(() => undefined);
			underWay.set(next, promise);
		}
	}
}

/**
 * Whether rows have vanished while the list was read: those behind have moved up then, and some of them past the end of the pages that
 * were read already. Looks at a few ends of pages again, one row each. That rows have arrived on top loses none.
 */
async function hasLostRows<Row, Made>(reading: Reading<Row, Made>, page: Page<Row>): Promise<boolean> {
	const { ends, isWhole, hadFullPage } = reading;
	// Behind one short page nothing stood.
	if (!isWhole || ends.length === 0 || (ends.length === 1 && !hadFullPage)) return false;
	const count = Math.min(ends.length, Math.max(10, Math.ceil(ends.length / 25)));
	const step = (ends.length - 1) / Math.max(1, count - 1);
	const looked = Array.from({ length: count }, (_, index) => ends[Math.round(index * step)] ?? []).flat();
	const lost = await Promise.all(
		looked.map(async (end) => {
			// A bank that gives no single rows tells nothing of it.
			const rows = await page(end.at, 1).catch(() => undefined);
			return rows !== undefined && (rows.length === 0 || reading.isBehind(identityOf(rows[0]), end.row));
		}),
	);
	return lost.includes(true);
}

/** The same page by page, but never more than `most` under way at once. */
function atMost<Row>(most: number, page: Page<Row>): Page<Row> {
	let free = most;
	const waiting: (() => void)[] = [];
	return async (offset, limit) => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await page(offset, limit);
		} finally {
			const next = waiting.shift();
			if (next === undefined) free++;
			else next();
		}
	};
}

function identityOf(row: unknown): string {
	const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : JSON.stringify(row);
}

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
