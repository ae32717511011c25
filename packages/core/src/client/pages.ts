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
}

/** Pages without anything new after which a bank that keeps repeating itself is no longer asked. */
const fruitlessPages = 3;

/**
 * Reads a list page by page, in order, to its end or to `limit`.
 *
 * The end is the first empty page: a short page proves nothing, because the bank may cap the page size, and rows may
 * have gone while paging. After a short page the next offset is where it ended, with a page size that divides
 * the offset, since some banks accept only such offsets. Rows seen on an earlier page are left out: when new operations
 * arrive on top while paging, old ones come again.
 */
export async function readAll<Row>(
	operation: Operation<CheckedInput, unknown, Row>,
	input: OperationInput,
	send: Send,
	options: PageOptions,
): Promise<Row[]> {
	const {
		key,
		offset: offsetField,
		limit: limitField,
	} = operation.list ?? { key: '', offset: undefined, limit: undefined };
	const page = async (offset: number | undefined, limit: number): Promise<readonly Row[]> => {
		const paging =
			offsetField !== undefined && limitField !== undefined ? { [offsetField]: offset, [limitField]: limit } : {};
		const prepared = prepare(operation, { ...input, query: { ...input.query, ...paging } }, options);
		const { data } = await call(operation, prepared, send, options);
		// `call` has seen that it is a list; of its elements the type says nothing but names.
		return ((isRecord(data) ? data[key] : undefined) as readonly Row[] | undefined) ?? [];
	};
	if (offsetField === undefined || limitField === undefined) return (await page(undefined, 0)).slice(0, options.limit);

	const wanted = options.limit ?? Infinity;
	const size = Math.min(options.pageSize, wanted);
	const found: Row[] = [];
	const seen = new Set<string>();
	const { query } = prepare(operation, input, options).input;
	let offset = Number(query[offsetField] ?? 0);
	let fruitless = 0;
	let fullPages = 0;
	const underWay = new Map<number, Promise<readonly Row[]>>();

	while (found.length < wanted) {
		const limit = greatestCommonDivisor(offset, size);
		const rows = await (underWay.get(offset) ?? page(offset, limit));
		underWay.delete(offset);
		if (rows.length === 0) break;

		const fresh = rows.filter((row) => !seen.has(identity(row)));
		for (const row of rows) seen.add(identity(row));
		for (const row of fresh) found.push(row);
		fruitless = fresh.length === 0 ? fruitless + 1 : 0;
		if (fruitless === fruitlessPages) break;

		const full = rows.length === size && limit === size;
		offset += rows.length;
		fullPages = full ? fullPages + 1 : 0;
		if (!full) underWay.clear();
		// Further ahead with every full page, so that a short list costs few requests past its end.
		const ahead = Math.min(options.ahead ?? 1, fullPages);
		for (let next = offset; next < offset + size * ahead && next - offset < wanted - found.length; next += size) {
			if (underWay.has(next)) continue;
			const promise = page(next, size);
			// A page fetched ahead may fail and then not be needed; its failure counts only when its turn comes.
			promise.catch(() => undefined);
			underWay.set(next, promise);
		}
	}
	return found.slice(0, options.limit);
}

/** Rows of one page may repeat an identifier rightly; across pages it is the identifier that tells. */
function identity(row: unknown): string {
	const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : JSON.stringify(row);
}

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
