import { InputError, wholeNumber, wholeNumbers } from '../src/index.ts';

test.each([0, 7, '7', ' 12 ', '1e3', Number.MAX_SAFE_INTEGER])('%j is a whole number', (given) =>
	expect(wholeNumber(given, 0)).toBe(Number(given)),
);

test.each([1.5, '1.5', -1, NaN, Infinity, 2 ** 53, '', ' ', 'x', null, undefined, true, [], [5], {}, 7n])(
	'%p is not',
	(given) => expect(wholeNumber(given, 0)).toBeUndefined(),
);

test('several numbers are read at once, and all invalid ones are reported', () => {
	expect(wholeNumbers({ a: { value: '3', min: 1 }, b: { value: 0, min: 0 } })).toEqual({ a: 3, b: 0 });
	const read = () => wholeNumbers({ a: { value: 0, min: 1 }, b: { value: 1, min: 1 }, c: { value: [], min: 0 } });
	expect(read).toThrow(InputError);
	expect(read).toThrow('a must be a whole number of at least 1; c must be a whole number of at least 0');
});
