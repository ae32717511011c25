import { verbatim } from '@bank/core';

/**
 * The value of a field that holds one line. People paste it with line breaks, characters without a width and spaces around it, which they
 * do not see. Not for passphrases, where they can be meant.
 */
export const lineOf = (value: unknown): string => verbatim(value).replace(invisible, '').trim();

const invisible = /[\r\n\u2028\u2029\u200b-\u200f\u2060\ufeff]+/g;

/** `lineOf` as part of an expression that n8n evaluates. */
export const lineExpression = (value: string): string =>
	`String(${value} ?? "").replace(${String(invisible)}, "").trim()`;

/** What `lineOf` would remove from a value, in words, such as "a space at its end". */
export function hiddenIn(value: unknown): string | undefined {
	const text = verbatim(value);
	const found = text.search(hidden);
	if (found < 0) return undefined;
	const name = hiddenNames[text.charAt(found)] ?? 'an invisible character';
	return `${name}${found === 0 ? ' at its beginning' : found === text.length - 1 ? ' at its end' : ''}`;
}

const hidden = new RegExp(`^\\s|\\s$|${invisible.source.replace(/\+$/, '')}`);

const hiddenNames: Readonly<Record<string, string>> = {
	' ': 'a space',
	'\t': 'a tab',
	'\n': 'a line break',
	'\r': 'a line break',
	'\u00a0': 'a no-break space',
};
