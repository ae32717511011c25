import { jsonOrText } from './json.ts';

/** What the values of a list are. An identifier holds no space, so a space parts two of them; a name may hold some. */
export type ListedValue = 'identifier' | 'name';

const separators: Record<ListedValue, RegExp> = { identifier: /[\s,;]+/, name: /[\r\n,;]+/ };

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
		.split(separators[of])
		.map((value) => bare(value, of))
		.filter((value) => value !== '');
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
	return of === 'identifier'
		? unbracketed.replace(/^["']+|(?<!["'])["']+$/g, '')
		: unbracketed.replace(/^(["'])(.*)\1$/, '$2').trim();
}
