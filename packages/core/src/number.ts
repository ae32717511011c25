import { InputError } from './faults.ts';

/** What a form or an expression gives for a whole number of at least `min`; undefined where it is none. */
export function wholeNumber(given: unknown, min: number): number | undefined {
	const isGiven = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
	const number = isGiven ? Number(given) : Number.NaN;
	return Number.isSafeInteger(number) && number >= min ? number : undefined;
}

/**
 * Several at once. Taken for 0 or nothing, a list would come back empty, as if there were nothing.
 * @throws InputError with all that are wrong
 */
export function wholeNumbers<Name extends string>(
	wanted: Readonly<Record<Name, { value: unknown; min: number }>>,
): Record<Name, number> {
	const read = Object.entries<{ value: unknown; min: number }>(wanted).map(([path, { value, min }]) => ({
		path,
		number: wholeNumber(value, min),
		message: `must be a whole number of at least ${min}`,
	}));
	const faults = read.filter(({ number }) => number === undefined);
	if (faults.length > 0) throw new InputError(faults.map(({ path, message }) => ({ path, message })));
	// The names are those of `wanted`, and none is without its number any more.
	return Object.fromEntries(read.map(({ path, number }) => [path, number])) as Record<Name, number>;
}
