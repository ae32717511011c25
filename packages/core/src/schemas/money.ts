import * as v from 'valibot';

import { isRecord } from '../json.ts';
import { type Hints, responseObject, text, whole } from './fields.ts';

/** Money amount of operations and limits (2.1): `value` in minor units, `minorUnits` per unit of `currency`. */
export const amount = responseObject({
	value: whole('Value', 'Amount as a whole number of minor units'),
	currency: text('Currency', 'Currency code'),
	minorUnits: whole('Minor Units', 'Minor units in one unit of the currency'),
});

/**
 * Converts `1000,50`, `1 000,50` and `1 000.50` to `1000.50`, and `1 000` to `1000`. Other commas stay, because `1,000`
 * is ambiguous.
 */
export const withPoint = (text: string): string =>
	text
		.trim()
		.replace(/^[+-]?[1-9]\d{0,2}(?:\p{Zs}\d{3})+(?=[.,]|$)/u, (units) => units.replace(/\p{Zs}/gu, ''))
		.replace(/^([+-]?\d+),(\d{1,2})$/, '$1.$2');

/**
 * Whether a text can be two amounts: `1.500` may be 1500 or 1.5. `1500.000` and `0.500` come from a database, and can
 * be nothing but decimals.
 */
export const isAmbiguous = (amount: string): boolean => /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(amount.trim());

/**
 * Converts a decimal amount to hundredths; undefined if it is ambiguous, or not a plain number with at most two decimals.
 * BigInt, because sums of floats are inexact (0.1 + 0.2).
 */
export function hundredths(value: number | string): bigint | undefined {
	const text = String(value);
	const match = isAmbiguous(text) ? null : /^([+-]?)(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(withPoint(text));
	if (!match) return undefined;
	const [, sign, units = '0', decimals = ''] = match;
	const size = BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0') || '0');
	return sign === '-' ? -size : size;
}

/** Converts hundredths to a number that JSON writes with the same digits (the API takes `number(float)`, 2.2). */
export function toNumber(size: bigint): number {
	return Number(hundredthsText(size));
}

export function hundredthsText(size: bigint): string {
	const digits = (size < 0n ? -size : size).toString().padStart(3, '0');
	const decimals = digits.slice(-2).replace(/0+$/, '');
	return `${size < 0n ? '-' : ''}${digits.slice(0, -2)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** A payment amount or total: positive, at most two decimals, at most 15 digits, which JSON numbers hold exactly. */
export const payable = (title: string, description: string) =>
	v.pipe(
		v.number(),
		v.check(
			(value) => value < 1e13 && hundredths(value) !== undefined,
			'must have at most two decimals and 13 digits before them (round computed amounts)',
		),
		v.minValue(0.01, 'must be more than zero'),
		v.title(title),
		v.description(description),
		v.metadata({ placeholder: 'e.g. 1500.50', kind: 'amount' } satisfies Hints),
	);

/** `value / minorUnits` as an exact decimal number; undefined if one is missing. */
export function decimalValue(money: unknown): number | undefined {
	if (!isRecord(money)) return undefined;
	const { value, minorUnits } = money;
	if (typeof value !== 'number' || typeof minorUnits !== 'number' || minorUnits <= 0) return undefined;
	return value / minorUnits;
}
