import { InputError } from './validation.ts';

/** Reads a whole number of at least `min` from a number or text; undefined if it is not one. */
export function wholeNumber(given: unknown, min: number): number | undefined {
	const isGiven = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
	const number = isGiven ? Number(given) : Number.NaN;
	return Number.isSafeInteger(number) && number >= min ? number : undefined;
}

/** @throws InputError listing all invalid values: as 0 they would silently return an empty list */
export function wholeNumbers<Name extends string>(
	wanted: Readonly<Record<Name, { value: unknown; min: number }>>,
): Record<Name, number> {
	const read = Object.entries<{ value: unknown; min: number }>(wanted).map(([path, { value, min }]) => ({
		path,
		number: wholeNumber(value, min),
		message: `must be a whole number of at least ${min}`,
	}));
	const issues = read.filter(({ number }) => number === undefined);
	if (issues.length > 0) throw new InputError(issues.map(({ path, message }) => ({ path, message })));
	// All keys of `wanted` have a number here.
	return Object.fromEntries(read.map(({ path, number }) => [path, number])) as Record<Name, number>;
}
