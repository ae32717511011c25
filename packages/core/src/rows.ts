import { isRecord } from './json.ts';
import { decimalValue } from './schemas/money.ts';
import { textOrNumber } from './text.ts';

/**
 * What identifies an operation (2.6). Its `id` alone does not: banks use one for both legs of a transfer, for a payment and its
 * reversal, or for everything that is still in processing.
 */
export interface RowKey {
	id: string;
	direction: string;
	/** The amount as decimal value with currency. */
	amount: string;
	time: string;
	/** 3.2: null means an incoming operation or an undefined status. A missing status is treated like null. */
	status: string | null;
}

export function rowKeyOf(row: unknown): RowKey {
	const { id, direction, amount, dateTime, status } = isRecord(row) ? row : {};
	const { currency } = isRecord(amount) ? amount : {};
	const value = decimalValue(amount);
	return {
		id: textOrNumber(id),
		direction: textOrNumber(direction),
		amount: value === undefined ? (JSON.stringify(amount) ?? '') : `${value} ${textOrNumber(currency)}`.trim(),
		time: textOrNumber(dateTime),
		status: textOrNumber(status) || null,
	};
}

/** Whether an operation can change from one status to the other. A final status never changes. */
export const isStatusMoved = (from: string | null, to: string | null): boolean =>
	from !== to && (from === null || from === 'HOLD');

/** Whether two rows, read one after the other, are certainly the same row: nothing but the status has changed. */
export function isSameRow(earlier: unknown, later: unknown): boolean {
	if (JSON.stringify(earlier) === JSON.stringify(later)) return true;
	const [from, to] = [rowKeyOf(earlier), rowKeyOf(later)];
	return (
		from.id !== '' &&
		from.id === to.id &&
		isStatusMoved(from.status, to.status) &&
		JSON.stringify(withoutStatus(earlier)) === JSON.stringify(withoutStatus(later))
	);
}

/** What stays the same if only the status of an operation changes. */
export function withoutStatus(row: unknown): Record<string, unknown> {
	const { status: _, ...rest } = Object(row) as Record<string, unknown>;
	return rest;
}

// A local name: in Jest, looking up a global takes longer than the multiplication.
const { imul } = Math;

/** Digest of a row, so that the rows of a long list need not be kept. */
export function digestOfRow(row: unknown): string {
	const text = JSON.stringify(row) ?? '';
	let [a, b] = [0xdeadbeef, 0x41c6ce57];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		a = imul(a ^ code, 2654435761);
		b = imul(b ^ code, 1597334677);
	}
	a = imul(a ^ (a >>> 16), 2246822507) ^ imul(b ^ (b >>> 13), 3266489909);
	b = imul(b ^ (b >>> 16), 2246822507) ^ imul(a ^ (a >>> 13), 3266489909);
	return ((b >>> 0) * 2 ** 21 + ((a >>> 0) & 0x1fffff)).toString(36);
}

/** Identifies a row as a whole. */
export const rowId = (row: unknown): string => `${digestOfRow(row)} ${isRecord(row) ? textOrNumber(row.id) : ''}`;
