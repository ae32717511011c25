import { jsonOrText } from './json.ts';
import { plainNumber } from './text.ts';

/** Length of numbers that are often written in groups: `40702 810 9 00000000001`, `2200 0000 0000 0017`. */
const lengths = { account: { least: 20, most: 20 }, card: { least: 16, most: 19 } };
export type GroupedNumber = keyof typeof lengths;

/** `identifier`: a space separates two of them. `name`: a name may contain spaces. */
export type ListedValue = 'identifier' | 'name' | GroupedNumber;

const isGrouped = (of: ListedValue): of is GroupedNumber => Object.hasOwn(lengths, of);

/**
 * Reads a list from an array (also nested), separated text, or JSON text. Values that are not text are returned
 * unchanged. Empty array elements are kept, so that callers can report their positions.
 */
export function parseList(given: unknown, of: ListedValue): unknown[] {
	if (Array.isArray(given)) return given.flatMap((element: unknown) => parseList(element, of));
	if (typeof given !== 'string' || given.trim() === '') return [given];
	const json = given.trim().startsWith('[') ? jsonOrText(given) : given;
	if (Array.isArray(json)) return parseList(json, of);
	return given
		.split(/[\r\n,;]+/)
		.map((value) => bare(value, of))
		.flatMap((value) => (of === 'name' ? [value] : identifiersIn(value, of)))
		.filter((value) => value !== '');
}

/**
 * Groups of digits are one number, or stay one value: see `groupedNumberProblem`. Where one number ends and the next
 * begins is ambiguous, so grouped numbers must be separated by commas or lines.
 */
function identifiersIn(text: string, of: Exclude<ListedValue, 'name'>): string[] {
	const tokens = text.split(/\s+/).map((token) => bare(token, of));
	if (!isGrouped(of) || tokens.length < 2 || !tokens.every((token) => /^\d+$/.test(token))) return tokens;
	const { least, most } = lengths[of];
	const isNumber = (digits: string) => digits.length >= least && digits.length <= most;
	if (tokens.every(isNumber)) return tokens;
	return isNumber(tokens.join('')) ? [tokens.join('')] : [tokens.join(' ')];
}

/**
 * Accounts and cards are sent and compared in this form. A number that a spreadsheet has shortened stays recognizable.
 */
function bareNumber(text: string): string {
	const number = plainNumber(text).replace(/^["']+|(?<!["'])["']+$/g, '');
	return /^[\d.]+e\+\d+$/i.test(number) ? number : number.replace(/(?<=\d)[-._/](?=\d)/g, '');
}

const masked = (value: string): string =>
	value.replace(/\D/g, '').length > 10 ? `****${value.replace(/\D/g, '').slice(-4)}` : value;

/** The error message for a number that lost digits, or whose groups `parseList` could not join; undefined for other values. */
export function groupedNumberProblem(value: unknown, of: ListedValue): string | undefined {
	if (!isGrouped(of) || typeof value !== 'string') return undefined;
	if (/^[\d.,]+e\+\d+$/i.test(value))
		return `is "${value}": a spreadsheet cut off its digits. Format the column as text`;
	if (!/^\d+(?:\s+\d+)+$/.test(value)) return undefined;
	const { least, most } = lengths[of];
	const digits = least === most ? String(least) : `${least} to ${most}`;
	return `is "${masked(value)}": these groups of digits do not make up ${of} numbers of ${digits} digits. Separate numbers by commas`;
}

/** The non-empty values of `parseList` as trimmed text. */
export function splitList(given: unknown, of: ListedValue): string[] {
	return parseList(given, of)
		.map((value) => String(value ?? '').trim())
		.filter((value) => value !== '');
}

/** An account as it is sent and compared, from any spelling; the trimmed text if it is not one number. */
export function accountNumber(text: string): string {
	const [number, ...others] = splitList(text, 'account');
	return number === undefined || others.length > 0 ? text.trim() : number;
}

/** Removes characters without a width, and the brackets and quotes of almost-JSON such as `['a', 'b']`, but not those of `a[0].b`. */
function bare(value: string, of: ListedValue): string {
	const unbracketed = value
		.trim()
		.replace(/^\[+([^[\]][^\]]*|)\]*$/, '$1')
		.replace(/^([^[\]]*)\]+$/, '$1')
		.trim();
	if (isGrouped(of)) return bareNumber(unbracketed);
	return of === 'name'
		? unbracketed.replace(/^(["'])(.*)\1$/, '$2').trim()
		: unbracketed.replace(/^["']+|(?<!["'])["']+$|[\u00ad\u200b-\u200f\u2060\ufeff]/g, '');
}
