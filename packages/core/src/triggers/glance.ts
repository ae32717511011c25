import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { dayOf, heldIn, identityOf, type Listing, type OperationsCursor } from './operationsCursor.ts';

/** Requests that a glance may take where much has come. */
const mostPages = 20;

export interface Glance {
	/** What was looked at. */
	rows: BankOperation[];
	listed: Listing;
}

/**
 * Whether a long list still is what it was, in three requests: its first page, its end, and the page of an operation in processing,
 * another one each time. The list is known where as many operations have come as there are new ones on these pages. Undefined where
 * it is not: one has come late into the middle, one has gone, or the bank orders it anew each time. Then all of it has to be read.
 *
 * @param page reads operations from a place on, at most so many
 */
export async function glance(
	{ seen, keep }: OperationsCursor,
	listed: Listing,
	pageSize: number,
	page: (offset: number, limit: number) => Promise<readonly BankOperation[]>,
): Promise<Glance | undefined> {
	const { count, newestFirst } = listed;
	// What fits on a page costs no more to read.
	if (count <= pageSize) return undefined;
	const found = new Map<number, BankOperation>();
	const read = async (offset: number, limit: number): Promise<number> => {
		const rows = await page(offset, limit);
		for (const [index, row] of rows.entries()) found.set(offset + index, row);
		return rows.length;
	};
	const isNew = (row: BankOperation) => !seen.has(identityOf(row)) && (dayOf(row) ?? keep) >= keep;
	const fresh = () => new Set([...found.values()].filter(isNew).map(identityOf)).size;

	// There is more than one page, so a short one shows how many the bank gives at once.
	const size = Math.min(pageSize, await read(0, pageSize));
	const total = await endOf(count, size, read);
	if (total === undefined) return undefined;
	// All that is new may fill more than the first page.
	for (let top = size; fresh() < total - count && isFull(found, top - size, top, isNew); top += size)
		if ((await read(top, size)) < size) return undefined;
	if (fresh() !== total - count) return undefined;

	const ids = () => new Set([...found.values()].map(identityOf));
	const shown = ids();
	const [held] = listed.held.filter(([id]) => !shown.has(id));
	if (held !== undefined) {
		const [id, place] = held;
		const index = newestFirst ? total - 1 - place : place;
		await read(index - (index % size), size);
		if (!ids().has(id)) return undefined;
	}
	const looked = ids();
	const still = [...listed.held.filter(([id]) => !looked.has(id)), ...heldIn(found, total, newestFirst)];
	return { rows: [...found.values()], listed: { ...listed, count: total, held: still } };
}

/**
 * How long the list is. Asked for so that the last page was not full: a page that comes short then is the end, and shows that what was
 * there is still there. Banks may take an offset only where it is a multiple of the limit.
 */
async function endOf(
	count: number,
	size: number,
	read: (offset: number, limit: number) => Promise<number>,
): Promise<number | undefined> {
	let limit = size;
	while (limit > 1 && count % limit === 0) limit--;
	if (limit <= 1) return undefined;
	let offset = count - (count % limit);
	for (let pages = 0; pages < mostPages; pages++) {
		const rows = await read(offset, limit);
		offset += rows;
		if (rows < limit) return offset;
	}
	return undefined;
}

function isFull(
	found: ReadonlyMap<number, BankOperation>,
	from: number,
	to: number,
	isNew: (row: BankOperation) => boolean,
): boolean {
	for (let place = from; place < to; place++) {
		const row = found.get(place);
		if (row === undefined || !isNew(row)) return false;
	}
	return true;
}
