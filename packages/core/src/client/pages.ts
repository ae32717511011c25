import { isRecord } from '../json.ts';
import type { CheckedInput, Operation, OperationInput } from '../operation.ts';
import { call, type CallOptions, type Send } from './call.ts';
import { prepare, type PrepareOptions } from './prepare.ts';
import { Throttle } from './throttle.ts';

export interface PageOptions extends PrepareOptions, CallOptions {
	/** How many to return at most; absent for all. */
	limit?: number;
	/** How many to ask for at a time. The description shows neither a default nor a maximum. */
	pageSize: number;
	/** How many pages to have under way at once while pages come back full. */
	ahead?: number;
	/**
	 * Told where rows may be missing, because the list went on changing while it was read, or the bank repeats its pages. Without it
	 * nobody looks whether rows have vanished: that costs requests.
	 */
	unsettled?: () => void;
	/** Whether to stop at this page: what was found is given, and the caller goes on there another time. Three pages are always read. */
	isOver?: () => boolean;
	/** Told where it was over, or a page failed, before the end: at which place. Without it a failure loses what was found. */
	stopped?: (stop: Stop) => void;
}

export interface Stop {
	/** Behind the last row that was read. */
	at: number;
	/** Absent where it was over. */
	failure?: unknown;
}

/** As many as it takes to get further, or to see the end, from the last row of an earlier read: it, one joined to it, one behind both. */
const leastPages = 3;

/** Pages without anything new after which a bank that keeps repeating itself is no longer asked. */
const fruitlessPages = 3;

/** How often a list is read in all, where it changes while it is read. */
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
	const shared = { throttle: new Throttle(), ...options };
	const { key = '', offset: offsetField, limit: limitField } = operation.list ?? {};
	const asked = async (paging: Record<string, unknown>): Promise<readonly Row[]> => {
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, send, shared);
		// `call` has seen that it is a list; of its elements the type says nothing but names.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	if (offsetField === undefined || limitField === undefined) {
		const reading = new Reading(made, 0);
		reading.take(0, await asked({}), options.limit ?? Infinity);
		return reading.found;
	}
	const { query } = prepare(operation, input, options).input;
	const start = Number(query[offsetField] ?? 0);
	const page: Page<Row> = atMost(
		options.ahead ?? 1,
		async (offset, limit) => await asked({ [offsetField]: offset, [limitField]: limit }),
	);
	const { unsettled, stopped } = options;
	/** What of a failure is not lost: without anybody to go on, nothing. */
	const orElse = <Result>(result: (failure: unknown) => Result) => {
		return (failure: unknown): Result => {
			if (stopped === undefined) throw failure;
			return result(failure);
		};
	};
	for (let readings = 1, before: Reading<Row, Made> | undefined; ; readings++) {
		const reading = new Reading(made, start);
		const walk = new Walk(reading, page, options);
		const stop = await walk.toTheEnd().catch(orElse((failure): Stop => ({ at: walk.offset, failure })));
		if (stop !== undefined) {
			// An earlier reading came to the end.
			if (before === undefined) stopped?.(stop);
			if (before !== undefined || reading.hasDoubts) unsettled?.();
			return (before ?? reading).found;
		}
		if (unsettled === undefined || before?.isLike(reading) === true) return reading.found;
		if (await isSettled(reading, page, options).catch(orElse(() => false))) return reading.found;
		if (reading.isCircling || readings === mostReadings) {
			unsettled();
			return reading.found;
		}
		before = reading;
	}
}

/** Rows that have arrived on top make others move down: where they explain all that has moved, nothing else has happened. */
async function isSettled<Row, Made>(
	reading: Reading<Row, Made>,
	page: Page<Row>,
	{ pageSize }: PageOptions,
): Promise<boolean> {
	if (reading.hasDoubts || reading.isCircling) return false;
	if (reading.risen === 0 || !reading.isWhole) return true;
	const rows = await page(reading.start, greatestCommonDivisor(reading.start, pageSize));
	const known = rows.findIndex((row) => reading.has(row));
	if (known !== reading.risen) return false;
	reading.takeOnTop(rows.slice(0, known));
	return true;
}

/** What was found of a list, going through it once. */
class Reading<Row, Made> {
	readonly found: Made[] = [];
	readonly start: number;
	/** Whether the list was read to its end. */
	isWhole = false;
	/** Whether the bank gave the same page over and over, whatever was asked for. */
	isCircling = false;
	/** By how many places rows that were known have moved down in all. */
	risen = 0;
	/** Whether rows may have been passed over: pages could not be joined, or a row came again where none was due. */
	hasDoubts = false;
	/** Where each row stood when it was seen last. */
	readonly #places = new Map<string, number>();
	/** Those of the last page. */
	#last: readonly string[] = [];
	readonly #made: (row: Row) => Made;

	constructor(made: (row: Row) => Made, start: number) {
		this.#made = made;
		this.start = start;
	}

	has(row: Row): boolean {
		return this.#places.has(identityOf(row));
	}

	/** @returns how many of the rows are new */
	take(offset: number, rows: readonly Row[], most: number): number {
		const identities = rows.map(identityOf);
		this.#compare(offset, identities);
		const before = this.#places.size;
		for (const [index, row] of rows.entries()) {
			const identity = identities[index] ?? identityOf(row);
			const isNew = !this.#places.has(identity);
			if (isNew && this.found.length >= most) continue;
			this.#places.set(identity, offset + index);
			if (isNew) this.found.push(this.#made(row));
		}
		this.#last = identities;
		return this.#places.size - before;
	}

	takeOnTop(rows: readonly Row[]): void {
		this.found.unshift(...rows.map(this.#made));
	}

	endsAsBefore(rows: readonly Row[]): boolean {
		return identityOf(rows.at(-1)) === this.#last.at(-1);
	}

	isLike(other: Reading<Row, Made>): boolean {
		const others = [...other.#places.keys()];
		return others.length === this.#places.size && [...this.#places.keys()].every((row, index) => row === others[index]);
	}

	/** Rows that come again must stand where they stood, and before all new ones. */
	#compare(offset: number, rows: readonly string[]): void {
		this.risen += Math.max(0, offset - (this.#places.get(rows[0] ?? '') ?? offset));
		const firstNew = rows.findIndex((row) => !this.#places.has(row));
		this.hasDoubts ||= firstNew >= 0 && rows.slice(firstNew).some((row) => this.#places.has(row));
	}
}

/** A page as it is asked for. */
interface Span {
	offset: number;
	limit: number;
}

/**
 * Once through the list, in order.
 *
 * The end is the first empty page: a short page proves nothing, because the bank may cap the page size, and rows may have gone while
 * paging. A page has a size that divides its offset, since some banks accept only such offsets.
 *
 * Where somebody wants to hear of lost rows, each page begins among the rows of the one before. What stands between two rows of one
 * answer is in it: so, whatever arrives or vanishes meanwhile, no row is passed over that keeps its place among the others. A page without
 * any known row shows that rows have vanished, and the walk goes back until it meets one. When rows arrive on top, old ones come again.
 */
class Walk<Row, Made> {
	readonly #reading: Reading<Row, Made>;
	readonly #page: Page<Row>;
	readonly #size: number;
	readonly #limit: number;
	readonly #most: number;
	readonly #isOver: () => boolean;
	readonly #underWay = new Map<string, Promise<readonly Row[]>>();
	#isJoining: boolean;
	/** Behind the last row that is known. */
	#offset: number;
	/** What a short page makes one believe to be the most that the bank gives. */
	#cap: number;
	#longest = 0;
	/** Whether the last page was shorter than it would be with another one behind it. */
	#isEnd = false;
	#ahead = 1;
	#pages = 0;
	#fruitless = 0;
	/** How far it went back. */
	#back = 0;

	constructor(
		reading: Reading<Row, Made>,
		page: Page<Row>,
		{ limit = Infinity, pageSize, ahead = 1, unsettled, isOver = () => false }: PageOptions,
	) {
		this.#reading = reading;
		this.#page = page;
		this.#limit = limit;
		this.#most = ahead;
		this.#isOver = isOver;
		this.#size = this.#cap = Math.min(pageSize, limit);
		this.#isJoining = unsettled !== undefined;
		this.#offset = reading.start;
	}

	/** Behind the last row that was read. */
	get offset(): number {
		return this.#offset;
	}

	/** @returns undefined, unless it was over before the end */
	async toTheEnd(): Promise<Stop | undefined> {
		const reading = this.#reading;
		let span: Span | undefined;
		/** Where a joined page brought nothing new. */
		let stuckAt = -1;
		while (reading.found.length < this.#limit && !reading.isCircling) {
			if (this.#isOver() && this.#pages >= leastPages) return { at: this.#offset };
			const isJoined = span !== undefined;
			const asked: Span = span ?? this.#behind(this.#offset);
			const rows = await this.#rowsAt(asked);
			const isStart = asked.offset <= reading.start;
			reading.isWhole = rows.length === 0 && (isStart || !isJoined);
			if (reading.isWhole) {
				reading.hasDoubts ||= await this.#hasMovedUp();
				return undefined;
			}
			if (this.#isJoining && this.#pages > 0 && !rows.some((row) => reading.has(row))) {
				if (isJoined && !isStart) {
					span = this.#further(asked);
					continue;
				}
				this.#learn(asked, rows);
				const joining = this.#joining();
				// Behind a short page stands more: the two are to be joined first.
				if (!isJoined && joining !== undefined && stuckAt !== this.#offset) {
					span = joining;
					continue;
				}
				// What was passed over, if anything, is not known.
				this.#isJoining = isJoined;
				reading.hasDoubts ||= !isJoined || reading.start > 0;
			}
			const end = asked.offset + rows.length;
			if (isJoined && end <= this.#offset) stuckAt = end;
			span = this.#take(asked, rows) ? this.#joining() : undefined;
		}
		return undefined;
	}

	/** @returns whether the page held as many rows as the bank gives */
	#take({ offset, limit }: Span, rows: readonly Row[]): boolean {
		const reading = this.#reading;
		const isAsBefore = reading.endsAsBefore(rows);
		const before = Math.max(0, reading.start - offset);
		const isNew = reading.take(offset + before, rows.slice(before), this.#limit) > 0;
		this.#pages++;
		this.#fruitless = isNew ? 0 : this.#fruitless + 1;
		const isCircling = this.#fruitless >= fruitlessPages && (isAsBefore || this.#fruitless > this.#pages / 2);
		reading.isCircling = isCircling;
		this.#offset = offset + rows.length;
		this.#back = 0;
		this.#isEnd = rows.length < Math.min(limit, this.#longest);
		const isFull = rows.length === Math.min(limit, this.#cap);
		this.#learn({ offset, limit }, rows);
		this.#askAhead(isFull);
		return isFull;
	}

	/**
	 * Whether what was read last no longer stands where it stood: then rows have vanished, and behind a page that may have been all that the
	 * bank gives at a time the next ones have moved up. Where it has given more before, a shorter page was the end.
	 */
	async #hasMovedUp(): Promise<boolean> {
		if (!this.#isJoining || this.#pages === 0 || this.#isEnd) return false;
		const { offset, limit } = this.#behind(this.#offset - 1);
		return !this.#reading.endsAsBefore((await this.#page(offset, limit)).slice(0, 1));
	}

	#learn({ limit }: Span, { length }: readonly Row[]): void {
		this.#longest = Math.max(this.#longest, length);
		if (length < limit || this.#cap < this.#size) this.#cap = Math.min(this.#size, this.#longest);
	}

	async #rowsAt(span: Span): Promise<readonly Row[]> {
		const key = keyOf(span);
		const promise = this.#underWay.get(key) ?? this.#page(span.offset, span.limit);
		this.#underWay.delete(key);
		return await promise;
	}

	#askAhead(isFull: boolean): void {
		if (!isFull) this.#underWay.clear();
		// Twice as far ahead with every full page, so that a short list costs few requests past its end.
		this.#ahead = isFull ? Math.min(2 * this.#ahead, this.#most) : 1;
		if (!isFull) return;
		const left = this.#limit - this.#reading.found.length;
		for (let at = this.#offset, pages = 0; pages < this.#ahead && at - this.#offset < left; pages++) {
			const span = this.#joining(at) ?? this.#behind(at);
			at = span.offset + Math.min(span.limit, this.#cap);
			if (this.#underWay.has(keyOf(span))) continue;
			const promise = this.#page(span.offset, span.limit);
			// A page fetched ahead may fail and then not be needed; its failure counts only when its turn comes.
			promise.catch(() => undefined);
			this.#underWay.set(keyOf(span), promise);
		}
	}

	/** The page that begins at a place. */
	#behind(at: number): Span {
		return {
			offset: at,
			limit: Math.max(greatestCommonDivisor(at, this.#size), greatestCommonDivisor(at, this.#cap)),
		};
	}

	/** The page that reaches furthest of those that hold the row before a place; absent where none holds another row besides. */
	#joining(at = this.#offset): Span | undefined {
		const last = at - 1;
		let best: Span | undefined;
		let reach = at;
		for (let limit = this.#isJoining ? this.#cap : 0; last + limit > reach; limit--) {
			const offset = last - (last % limit);
			if (offset + limit <= reach) continue;
			best = { offset, limit };
			reach = offset + limit;
		}
		return best;
	}

	/** A page further up, twice as far each time. */
	#further({ offset }: Span): Span {
		this.#underWay.clear();
		this.#back = Math.max(this.#cap, 2 * this.#back);
		const at = Math.max(this.#reading.start, offset - this.#back);
		return { offset: at - (at % this.#cap), limit: this.#cap };
	}
}

const keyOf = ({ offset, limit }: Span): string => `${offset} ${limit}`;

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
