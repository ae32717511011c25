import { InputError } from '@bank/core';

/**
 * Whole numbers of a form, where an expression may give anything: taken for 0 or nothing, a list would come back empty, as if there
 * were nothing.
 * @throws InputError with all that are wrong
 */
export function wholeNumbers<Name extends string>(
	wanted: Readonly<Record<Name, { value: unknown; min: number }>>,
): Record<Name, number> {
	const entries = Object.entries<{ value: unknown; min: number }>(wanted).map(([path, { value, min }]) => ({
		path,
		number: Number(value),
		min,
	}));
	const wrong = entries.filter(({ number, min }) => !Number.isSafeInteger(number) || number < min);
	if (wrong.length > 0)
		throw new InputError(
			wrong.map(({ path, min }) => ({ path, message: `must be a whole number of at least ${min}` })),
		);
	return Object.fromEntries(entries.map(({ path, number }) => [path, number])) as Record<Name, number>;
}
