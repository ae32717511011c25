import { InputError } from './validation.ts';

/** Reads a whole number from `min` to `max` from a number or text; undefined if it is not one. */
export function wholeNumber(given: unknown, min: number, max = Number.MAX_SAFE_INTEGER): number | undefined {
	const isGiven = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
	const number = isGiven ? Number(given) : Number.NaN;
	return Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined;
}

/** @throws InputError listing all invalid values: as 0 they would silently return an empty list */
export function wholeNumbers<Name extends string>(
	wanted: Readonly<Record<Name, { value: unknown; min: number; max?: number }>>,
): Record<Name, number> {
	const read = Object.entries<{ value: unknown; min: number; max?: number }>(wanted).map(
		([path, { value, min, max }]) => ({
			path,
			number: wholeNumber(value, min, max),
			message: `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`,
		}),
	);
	const issues = read.filter(({ number }) => number === undefined);
	if (issues.length > 0) throw new InputError(issues.map(({ path, message }) => ({ path, message })));
	// All keys of `wanted` have a number here.
	return Object.fromEntries(read.map(({ path, number }) => [path, number])) as Record<Name, number>;
}
