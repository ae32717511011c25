import type { Fault } from '../../faults.ts';
import { isRecord, jsonOrText } from '../../json.ts';
import { hundredths, toNumber } from '../../schemas/money.ts';
import type { UnsignedBody } from './package.ts';

/** The exact sum of amounts with at most two decimals, or undefined when one of them is none. */
export function exactTotal(amounts: readonly (number | string)[]): number | undefined {
	let sum = 0n;
	for (const amount of amounts) {
		const size = hundredths(amount);
		if (size === undefined) return undefined;
		sum += size;
	}
	return toNumber(sum);
}

/** Rules over a whole package (2.2): the total is the sum of the payments, a sequence identifies one payment. */
export function packageFaults({ total, payments }: UnsignedBody): Fault[] {
	const faults: Fault[] = [];
	const sum = exactTotal(payments.map((payment) => payment.amount));
	if (sum !== undefined && sum !== total) {
		const message = `is ${total}, and the payments add up to ${sum}: see which payment is wrong, missing or there twice`;
		faults.push({ path: 'total', message });
	}
	const first = new Map<string, number>();
	payments.forEach(({ sequence }, index) => {
		const earlier = first.get(sequence);
		if (earlier === undefined) first.set(sequence, index);
		else
			faults.push({
				path: `payments[${index}].sequence`,
				message: `repeats the one of payments[${earlier}]: each payment of a package needs its own`,
			});
	});
	return faults;
}

/** A list of recipients as an array, or as JSON text; undefined when it is neither. */
export function readRecipients(given: unknown): Record<string, unknown>[] | undefined {
	const list = typeof given === 'string' ? jsonOrText(given) : given;
	return Array.isArray(list) && list.every(isRecord) ? list : undefined;
}
