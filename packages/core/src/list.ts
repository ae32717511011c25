import { jsonOrText } from './json.ts';

/** Digits of the numbers that people write in groups: `40702 810 9 00000000001`, `2200 0000 0000 0017`. */
const lengths = { account: { least: 20, most: 20 }, card: { least: 16, most: 19 } };
export type GroupedNumber = keyof typeof lengths;

/** What the values of a list are. An identifier holds no space, so a space separates two of them; a name may hold some. */
export type ListedValue = 'identifier' | 'name' | GroupedNumber;

const isGrouped = (of: ListedValue): of is GroupedNumber => Object.hasOwn(lengths, of);

/**
 * The values of what people give where a list is wanted: an array, however deep, text with separators, or JSON of a list as text.
 * A value that is not text stays as it is, and one of an array that is empty keeps its place, for whoever checks them one by one.
 */
export function valuesIn(given: unknown, of: ListedValue): unknown[] {
	if (Array.isArray(given)) return given.flatMap((element: unknown) => valuesIn(element, of));
	if (typeof given !== 'string' || given.trim() === '') return [given];
	const json = given.trim().startsWith('[') ? jsonOrText(given) : given;
	if (Array.isArray(json)) return valuesIn(json, of);
	return given
		.split(/[\r\n,;]+/)
		.map((value) => bare(value, of))
		.flatMap((value) => (of === 'name' ? [value] : identifiersIn(value, of)))
		.filter((value) => value !== '');
}

/** Groups of digits that do not make up numbers of the right length stay as they are: see `groupFault`. */
function identifiersIn(text: string, of: Exclude<ListedValue, 'name'>): string[] {
	const tokens = text.split(/\s+/).map((token) => bare(token, of));
	if (!isGrouped(of) || tokens.length < 2 || !tokens.every((token) => /^\d+$/.test(token))) return tokens;
	return joinGroups(tokens, of) ?? [tokens.join(' ')];
}

/** The numbers that groups of digits make up; undefined where there is no way to read them, or more than one. */
function joinGroups(groups: readonly string[], of: GroupedNumber): string[] | undefined {
	const { least, most } = lengths[of];
	if (groups.every(({ length }) => length >= least && length <= most)) return [...groups];
	/** In how many ways the groups from a place on can be read, and where the first number ends then. */
	const read: { ways: number; end: number }[] = [];
	read[groups.length] = { ways: 1, end: groups.length };
	for (let start = groups.length - 1; start >= 0; start--) {
		const found = { ways: 0, end: start };
		let digits = 0;
		for (let end = start + 1; end <= groups.length && digits <= most; end++) {
			digits += groups[end - 1]?.length ?? 0;
			const ways = digits >= least && digits <= most ? (read[end]?.ways ?? 0) : 0;
			if (ways > 0) found.end = end;
			found.ways = Math.min(2, found.ways + ways);
		}
		read[start] = found;
	}
	if (read[0]?.ways !== 1) return undefined;
	const numbers: string[] = [];
	for (let start = 0; start < groups.length; start = read[start]?.end ?? groups.length)
		numbers.push(groups.slice(start, read[start]?.end).join(''));
	return numbers;
}

/** What may stand in an error: of a long number only the last four digits. */
const masked = (value: string): string =>
	value.replace(/\D/g, '').length > 10 ? `****${value.replace(/\D/g, '').slice(-4)}` : value;

/** What is wrong with a value of `valuesIn` that groups of digits do not make up. */
export function groupFault(value: unknown, of: ListedValue): string | undefined {
	if (!isGrouped(of) || typeof value !== 'string' || !/^\d+(?:\s+\d+)+$/.test(value)) return undefined;
	const { least, most } = lengths[of];
	const digits = least === most ? String(least) : `${least} to ${most}`;
	return `is "${masked(value)}": these groups of digits do not make up ${of} numbers of ${digits} digits. Separate numbers by commas`;
}

/** The same as text, without what is empty. */
export function splitList(given: unknown, of: ListedValue): string[] {
	return valuesIn(given, of)
		.map((value) => String(value ?? '').trim())
		.filter((value) => value !== '');
}

/** Without the brackets and quotes of a list that is not quite JSON, such as `['a', 'b']`. Those of `a[0].b` stay. */
function bare(value: string, of: ListedValue): string {
	const unbracketed = value
		.trim()
		.replace(/^\[+([^\]]*)\]*$/, '$1')
		.replace(/^([^[\]]*)\]+$/, '$1')
		.trim();
	return of === 'name'
		? unbracketed.replace(/^(["'])(.*)\1$/, '$2').trim()
		: unbracketed.replace(/^["']+|(?<!["'])["']+$/g, '');
}
