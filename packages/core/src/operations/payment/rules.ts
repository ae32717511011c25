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

/** Rules of 2.2: the total is the sum of the payments, and each sequence occurs once. */
export function packageIssues({ total, payments }: UnsignedBody): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	const sum = exactTotal(payments.map((payment) => payment.amount));
	if (sum !== undefined && sum !== total) {
		const message = `is ${total}, and the payments add up to ${sum}: see which payment is wrong, missing or there twice`;
		issues.push({ path: 'total', message });
	}
	const first = new Map<string, number>();
	payments.forEach(({ sequence }, index) => {
		const earlier = first.get(sequence);
		if (earlier === undefined) first.set(sequence, index);
		else
			issues.push({
				path: `payments[${index}].sequence`,
				message: `repeats the one of payments[${earlier}]: each payment of a package needs its own`,
			});
	});
	return issues;
}

/** Recipients from an array or JSON text; undefined if it is neither. */
export function readRecipients(given: unknown): Record<string, unknown>[] | undefined {
	const list = typeof given === 'string' ? jsonOrText(given) : given;
	return Array.isArray(list) && list.every(isRecord) ? list : undefined;
}
