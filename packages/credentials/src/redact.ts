import type { Hide } from '@bank/core';

import type { SensitiveValues } from './sensitiveValues.ts';

const mark = '[REDACTED]';

/** URL, form and JSON encodings of a value that differ from it. */
function textEncodingsOf(value: string): string[] {
	if (/^\w*$/.test(value)) return [];
	// Replaces lone surrogates, which encodeURIComponent rejects.
	const text = Buffer.from(value).toString();
	const json = JSON.stringify(text).slice(1, -1);
	const forms = [
		encodeURIComponent(text),
		new URLSearchParams({ '': text }).toString().slice(1),
		json,
		json.replaceAll('/', '\\/'),
		json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	];
	return forms.filter((form) => form !== value);
}

/** Base64 and hex encodings. */
function byteEncodingsOf(value: string): string[] {
	const bytes = Buffer.from(value);
	// Base64 depends on the offset of the value modulo 3; characters that share bits with neighbouring bytes are cut off.
	const base64 = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			.slice(before === 0 ? 0 : before + 1)
			.replace(/.?=+$/, ''),
	);
	const base64url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
	return [...base64, ...base64url, bytes.toString('hex')].filter((form) => form.length >= 8);
}

interface Form {
	text: string;
	wholeWord: boolean;
}

/** Shorter values (secrets below four characters, others below three) would redact unrelated text. */
function formsOf({ secrets, personal, numbers }: SensitiveValues): Form[] {
	const whole = (text: string): Form => ({ text, wholeWord: true });
	const part = (text: string): Form => ({ text, wholeWord: false });
	return [
		...[...new Set(secrets)]
			.filter((secret) => secret.length >= 4)
			.flatMap((secret) => [
				secret.length < 8 ? whole(secret) : part(secret),
				...[...textEncodingsOf(secret), ...byteEncodingsOf(secret)].map(part),
			]),
		...[...new Set([...personal, ...numbers])]
			.filter((text) => text.length >= 3)
			.flatMap((text) => [whole(text), ...textEncodingsOf(text).map(part)]),
	].map((form) => ({ ...form, text: form.text.toLowerCase() }));
}

const literal = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');

/**
 * A pattern for all forms that occur in the text, longest first. Looking up their first characters quickly excludes
 * most of them.
 */
function patternOf(text: string, forms: readonly Form[]): RegExp | undefined {
	const lower = text.toLowerCase();
	const starts = new Set<string>();
	for (let at = 0; at < lower.length; at++) starts.add(lower.slice(at, at + 3)).add(lower.slice(at, at + 6));
	const present = forms.filter(
		(form) => starts.has(form.text.slice(0, form.text.length < 6 ? 3 : 6)) && lower.includes(form.text),
	);
	if (present.length === 0) return undefined;
	const patterns = present
		.sort((one, other) => other.text.length - one.text.length)
		.map(({ text: form, wholeWord }) => {
			if (!wholeWord) return literal(form);
			const [before, after] = [/^[\p{L}\p{N}_]/u.test(form), /[\p{L}\p{N}_]$/u.test(form)];
			return `${before ? String.raw`(?<![\p{L}\p{N}_])` : ''}${literal(form)}${after ? String.raw`(?![\p{L}\p{N}_])` : ''}`;
		});
	return new RegExp(patterns.join('|'), 'giu');
}

/** Matches possible base64 or hex. */
const encodedRun = /[\w+/-]{8,}/g;

/** The decoded text; empty if it is not UTF-8. */
const decoded = (run: string): string =>
	[Buffer.from(run, 'base64'), Buffer.from(/^(?:[\da-f]{2})+$/i.test(run) ? run : '', 'hex')]
		.map((bytes) => bytes.toString())
		.filter((text) => !text.includes('\ufffd'))
		.join(' ');

/** Number of trailing digits that identify a number. */
const significantDigits = 8;

/** Masks known numbers in a run of digits and separators, which can contain several. */
function maskNumbers(run: string, endings: ReadonlySet<string>): string {
	let result = '';
	let [digits, done, isKnown] = ['', 0, false];
	for (const { 0: digit, index } of run.matchAll(/\d/g)) {
		digits += digit;
		isKnown ||= endings.has(digits.slice(-significantDigits));
		if (!isKnown || /\d/.test(run.charAt(index + 1))) continue;
		result += `****${digits.slice(-4)}`;
		[digits, done, isKnown] = ['', index + 1, false];
	}
	return result + run.slice(done);
}

const digitsOf = (number: string): string => number.replace(/\D/g, '');

/** Redacts secrets anywhere, personal data as whole words, and all but the last four digits of numbers. */
export function createRedactor({ secrets, personal, numbers: given }: SensitiveValues): Hide {
	const numbers = given.filter((number) => digitsOf(number).length >= significantDigits);
	const endings = new Set(numbers.map((number) => digitsOf(number).slice(-significantDigits)));
	const forms = formsOf({ secrets, personal, numbers });
	const withMasks: Hide = (text) => text.replace(/\d(?:[ .()\u00a0-]{0,2}\d){7,}/g, (run) => maskNumbers(run, endings));

	return (text) => {
		const shown = withMasks(text);
		const present = patternOf(shown, forms);
		const redacted = present === undefined ? shown : shown.replace(present, mark);
		const encoded = new Map([...redacted.matchAll(encodedRun)].map(([run]) => [run, decoded(run)]));
		const inside = patternOf([...encoded.values()].join('\n'), forms);
		const isKnown = (plain: string) =>
			(inside !== undefined && plain.search(inside) >= 0) || withMasks(plain) !== plain;
		return redacted.replace(encodedRun, (run) => (isKnown(encoded.get(run) ?? '') ? mark : run));
	};
}

/** Redacts plain and encoded secrets in output data. Short or numeric secrets stay, because they would match ordinary data. */
export function scrubSecrets(secrets: readonly string[]): Hide {
	const all = [...new Set(secrets)].filter((secret) => secret.length >= 12 && /\D/.test(secret));
	if (all.length === 0) return (text) => text;
	const forms = all.flatMap((secret) => [secret, ...textEncodingsOf(secret), ...byteEncodingsOf(secret)]);
	const anyForm = new RegExp([...new Set(forms)].map(literal).join('|'), 'g');
	return (text) => text.replace(anyForm, mark);
}

export function mergeSecrets(...values: readonly SensitiveValues[]): SensitiveValues {
	return {
		secrets: values.flatMap(({ secrets }) => secrets),
		personal: values.flatMap(({ personal }) => personal),
		numbers: values.flatMap(({ numbers }) => numbers),
	};
}
