import * as v from 'valibot';

import { isRecord } from '../json.ts';
import { answer, type Hints } from './fields.ts';

/** The money amount object of operations and limits (2.1): `value` in minor units of `currency`, `minorUnits` of them in one unit. */
export const amount = answer({
	value: v.pipe(v.number(), v.integer(), v.title('Value'), v.description('Amount as a whole number of minor units')),
	currency: v.pipe(v.string(), v.title('Currency'), v.description('Currency code')),
	minorUnits: v.pipe(
		v.number(),
		v.integer(),
		v.title('Minor Units'),
		v.description('Minor units in one unit of the currency'),
	),
});

/**
 * `1000,50` and `1 000,50`, as sheets have it where a comma stands before the decimals, as `1000.50`. One or two digits after a single
 * comma can be nothing else; `1,000` can, and stays as it is.
 */
export function withPoint(text: string): string {
	const [, units, decimals] = /^([+-]?(?:\d+|\d{1,3}(?:[ \u00A0\u202F]\d{3})+)),(\d{1,2})$/.exec(text.trim()) ?? [];
	return units === undefined ? text.trim() : `${units.replace(/[ \u00A0\u202F]/g, '')}.${decimals}`;
}

/**
 * A decimal amount of money as hundredths, exactly, or undefined when it is not a plain decimal number with at most
 * two decimals. BigInt, because sums of floats are not exact: 0.1 + 0.2.
 */
export function hundredths(value: number | string): bigint | undefined {
	if (typeof value === 'number' && Math.abs(value) < 1e13) {
		// A number with so few digits is the nearest one to a single text with two decimals: it comes back, or it is none such.
		const rounded = Math.round(value * 100);
		return rounded / 100 === value ? BigInt(rounded) : undefined;
	}
	const match = /^([+-]?)(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(withPoint(String(value)));
	if (!match) return undefined;
	const [, sign, units = '0', decimals = ''] = match;
	const size = BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0') || '0');
	return sign === '-' ? -size : size;
}

/** Hundredths as the number that JSON writes back digit for digit (the API takes `number(float)`, 2.2). */
export function toNumber(size: bigint): number {
	return Number(hundredthsText(size));
}

export function hundredthsText(size: bigint): string {
	const digits = (size < 0n ? -size : size).toString().padStart(3, '0');
	const decimals = digits.slice(-2).replace(/0+$/, '');
	return `${size < 0n ? '-' : ''}${digits.slice(0, -2)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** A payment amount or total: more than zero, at most two decimals, at most 15 digits so that JSON carries it exactly. */
export const payable = (title: string, description: string, hints: Hints = {}) =>
	v.pipe(
		v.number(),
		v.check(
			(value) => value < 1e13 && hundredths(value) !== undefined,
			'must have at most two decimals and 13 digits before them (round computed amounts)',
		),
		v.minValue(0.01, 'must be more than zero'),
		v.title(title),
		v.description(description),
		v.metadata({ placeholder: 'e.g. 1500.50', ...hints }),
	);

/** `value / minorUnits` as an exact decimal number, where both are given. */
export function decimalValue(money: unknown): number | undefined {
	if (!isRecord(money)) return undefined;
	const { value, minorUnits } = money;
	if (typeof value !== 'number' || typeof minorUnits !== 'number' || minorUnits <= 0) return undefined;
	return value / minorUnits;
}
