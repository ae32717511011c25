/** What a scan finds out about a JSON text without parsing it. */
export interface JsonScan {
	/** Completes "it has …". Present if the text must not be parsed: that could use up stack, memory or time. */
	excess?: string;
	/** Whether `JSON.parse` might change a number. May be true for harmless numbers. */
	hasLongNumbers: boolean;
	/** Approximate size of the parsed value in bytes. */
	memory: number;
}

/** More than ten times the depth of any documented response. */
const maxDepth = 200;

/** A response of 16 MB with documented operations has fewer. In memory, an empty object takes 20 times its two characters. */
const maxValues = 500_000;
const bytesPerValue = 32;

/** Numbers with fewer digits are always exact. */
const maxSafeDigits = 16;

/** Character classes, looked up by character code because large responses are scanned character by character. */
const kinds = ['"', '.0123456789', 'eE', '[{', ']}', ','] as const;
const [quote, ofDecimal, ofExponent, opening, closing, comma] = kinds.keys();
const kindOf = Uint8Array.from({ length: 128 }, (_, code) =>
	kinds.findIndex((signs) => signs.includes(String.fromCharCode(code))),
);

/** Skips string contents. The result is meaningless if the text is not JSON. */
export function scanJson(text: string): JsonScan {
	let depth = 0;
	let values = 0;
	let digits = 0;
	let hasLongNumbers = false;
	const scanned = (excess?: string) => ({ excess, hasLongNumbers, memory: 2 * text.length + bytesPerValue * values });
	for (let at = 0; at < text.length; at++) {
		const kind = kindOf[text.charCodeAt(at)];
		if (kind === ofDecimal) {
			digits++;
			hasLongNumbers ||= digits === maxSafeDigits;
			continue;
		}
		if (kind === quote) at = endOfString(text, at);
		else if (kind === ofExponent) hasLongNumbers ||= digits > 0;
		else if (kind === closing) depth--;
		else if (kind === opening) depth++;
		if (kind === opening || kind === comma) values++;
		digits = 0;
		if (depth > maxDepth) return scanned(`more than ${maxDepth} levels`);
		if (values > maxValues) return scanned(`more than ${maxValues} values`);
	}
	return scanned();
}

export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/**
 * Parses JSON and keeps every number that a JavaScript number cannot hold exactly as text, so that identifiers and
 * amounts do not change. `ok` is false if the text is not JSON.
 */
export function parseLossless(text: string, { hasLongNumbers } = scanJson(text)): { ok: boolean; value?: unknown } {
	try {
		return { ok: true, value: JSON.parse(withoutMark(text), hasLongNumbers ? exactOrText : undefined) };
	} catch {
		return { ok: false };
	}
}

/** A reviver. Its third parameter is not in TypeScript's types yet. */
function exactOrText(_key: string, value: unknown, context?: { source?: string }): unknown {
	if (typeof value !== 'number') return value;
	const source = context?.source ?? String(value);
	return exactNumber(source) ?? source;
}

/** Longer numbers stay text. */
const longestNumber = 1000;

/** The number that a decimal text stands for, or undefined if a JavaScript number cannot hold it exactly. */
export function exactNumber(text: string): number | undefined {
	if (text.length > longestNumber) return undefined;
	const value = Number(text);
	if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
	return digitsOf(text) === digitsOf(String(value)) ? value : undefined;
}

/** A canonical form that is equal for equal values: the significant digits and the position of the decimal point. */
function digitsOf(number: string): string {
	const [, units = '', decimals = '', power = '0'] = /^[+-]?(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(number) ?? [];
	const digits = units + decimals;
	let first = 0;
	let end = digits.length;
	while (digits[first] === '0') first++;
	// A loop, because a regular expression for the trailing zeros takes quadratic time on a megabyte of zeros.
	while (end > first && digits[end - 1] === '0') end--;
	return first === end ? '0' : `${digits.slice(first, end)} ${units.length - first + Number(power)}`;
}

/** Index of the closing quote of the string that starts at `start`, or the end of the text if it is not closed. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let escapes = 0;
		while (text[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end;
	}
	return text.length;
}

/** The parsed value of a JSON text, or the text itself if it is not JSON. A byte order mark is ignored (RFC 8259, 8.1). */
export function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(withoutMark(text));
	} catch {
		return text;
	}
}

/** JSON with sorted keys: equal for equal content. */
export const canonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_key, field: unknown) =>
		isRecord(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
	) ?? 'null';

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is undefined, `null` or blank text. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Whether a value holds data: false for empty values, `{}` and `[]`. */
export function hasContent(value: unknown): boolean {
	return !isEmpty(value) && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0);
}
