import type { ValidationIssue } from '../../validation.ts';
import { isRecord, jsonOrText } from '../../json.ts';
import { hundredths, toNumber } from '../../schemas/money.ts';
import type { UnsignedBody } from './package.ts';

/** The exact sum of amounts with at most two decimals; undefined if one of them is invalid. */
export function exactTotal(amounts: readonly (number | string)[]): number | undefined {
	let sum = 0n;
	for (const amount of amounts) {
		const size = hundredths(amount);
		if (size === undefined) return undefined;
		sum += size;
	}
	return toNumber(sum);
}

/** The total is the sum of the payments (2.2). */
export function totalIssues({ total, payments }: UnsignedBody): ValidationIssue[] {
	const sum = exactTotal(payments.map((payment) => payment.amount));
	return sum === total ? [] : [{ path: 'total', message: `is ${total}, but the payments add up to ${sum}` }];
}

/** Recipients from an array or JSON text; undefined if it is neither. */
export function readRecipients(given: unknown): Record<string, unknown>[] | undefined {
	const list = typeof given === 'string' ? jsonOrText(given) : given;
	return Array.isArray(list) && list.every(isRecord) ? list : undefined;
}
