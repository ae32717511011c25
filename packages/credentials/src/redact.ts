import { digitsOfNumber, groupedDigits, type Redact } from '@bank/core';

import type { SensitiveValues } from './sensitiveValues.ts';

const mark = '[REDACTED]';

export const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** The spellings of a value in URLs, forms, JSON, base64 and hexadecimal text. */
function encodingsOf(value: string): string[] {
	// Lone surrogates are replaced, because encodeURIComponent rejects them.
	const text = Buffer.from(value).toString();
	const json = JSON.stringify(text).slice(1, -1);
	// Base64 depends on the offset of the value modulo 3; characters that share bits with neighbouring bytes are cut off.
	const base64 = ['', '.', '..'].map((before) =>
		Buffer.from(before + value)
			.toString('base64')
			.slice(before === '' ? 0 : before.length + 1)
			.replace(/.?=+$/, ''),
	);
	return [
		encodeURIComponent(text),
		formEncoded(text),
		json,
		json.replaceAll('/', '\\/'),
		json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
		...[
			...base64,
			...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
			Buffer.from(value).toString('hex'),
		].filter((form) => form.length >= 8),
	].filter((form) => form !== value);
}

const literal = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');

/** A pattern for one spelling. With `isWord` it does not match within a longer word or number. */
function patternOf([form, isWord]: [string, boolean]): string {
	const before = isWord && /^[\p{L}\p{N}_]/u.test(form) ? String.raw`(?<![\p{L}\p{N}_])` : '';
	const after = isWord && /[\p{L}\p{N}_]$/u.test(form) ? String.raw`(?![\p{L}\p{N}_])` : '';
	return `${before}${literal(form)}${after}`;
}

/**
 * The spellings of values in lower case, and whether each must be a whole word. Short values would also redact
 * unrelated text.
 */
function formsOf(secrets: readonly string[], personal: readonly string[]): Map<string, boolean> {
	const forms = new Map<string, boolean>();
	const add = (value: string, isWord: boolean) => {
		for (const form of encodingsOf(value)) forms.set(form.toLowerCase(), false);
		forms.set(value.toLowerCase(), isWord);
	};
	for (const value of personal) if (value.length >= 3) add(value, true);
	for (const secret of secrets) if (secret.length >= 4) add(secret, secret.length < 8);
	return forms;
}

/** Number of trailing digits that identify a number. */
const significantDigits = 8;

const anyNumber = new RegExp(groupedDigits(significantDigits), 'gu');

/** Redacts secrets anywhere, personal data as whole words, and all but the last four digits of numbers in any grouping. */
export function createRedactor(...values: readonly Partial<SensitiveValues>[]): Redact {
	const all = (kind: keyof SensitiveValues) => values.flatMap(({ [kind]: texts = [] }) => texts);
	const numbers = all('numbers').filter((number) => digitsOfNumber(number).length >= significantDigits);
	const endings = new Set(numbers.map((number) => digitsOfNumber(number).slice(-significantDigits)));
	const forms = formsOf(all('secrets'), [...all('personal'), ...numbers]);
	const isKnown = (digits: string) =>
		Array.from(digits, (_, at) => digits.slice(at, at + significantDigits)).some((part) => endings.has(part));

	return (text) => {
		const masked = text.replace(anyNumber, (run) =>
			isKnown(digitsOfNumber(run)) ? `****${digitsOfNumber(run).slice(-4)}` : run,
		);
		const lower = masked.toLowerCase();
		// Excludes most spellings quickly.
		const starts = new Set(Array.from({ length: lower.length }, (_, at) => lower.slice(at, at + 3)));
		const present = [...forms]
			.filter(([form]) => starts.has(form.slice(0, 3)) && lower.includes(form))
			.sort(([one], [other]) => other.length - one.length);
		if (present.length === 0) return masked;
		return masked.replace(new RegExp(present.map(patternOf).join('|'), 'giu'), mark);
	};
}

/** Redacts plain and encoded secrets in output data. Short or numeric secrets stay, because they would match ordinary data. */
export function scrubSecrets(secrets: readonly string[]): Redact {
	const all = [...new Set(secrets)].filter((secret) => secret.length >= 12 && /\D/.test(secret));
	if (all.length === 0) return (text) => text;
	const forms = all.flatMap((secret) => [secret, ...encodingsOf(secret)]);
	const anyForm = new RegExp(forms.map(literal).join('|'), 'g');
	return (text) => text.replace(anyForm, mark);
}
