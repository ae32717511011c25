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
