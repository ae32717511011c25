/** What a JSON text is like, told without parsing it. */
export interface Outline {
	/** Nested too deep to be worth reading: to parse it would be too late. */
	isTooDeep: boolean;
	/** Whether plain `JSON.parse` might change a number of it. True more often than need be, never less, but where it is too deep. */
	hasLongNumbers: boolean;
}

/** No answer of the description is nested a tenth as deep; what is deeper could not be stored or shown any more. */
const deepest = 200;

/** More digits than a JavaScript number holds of any decimal. */
const longest = 16;

/** What single signs mean, by their numbers: of a large answer every sign is looked at. */
const kinds = ['"', '.0123456789', 'eE', '[{', ']}'] as const;
const [quote, ofDecimal, ofExponent, opening, closing] = kinds.keys();
const kindOf = Uint8Array.from({ length: 128 }, (_, code) =>
	kinds.findIndex((signs) => signs.includes(String.fromCharCode(code))),
);

/** What stands in its strings nests nothing, and long digits there are accounts. Of what is no JSON it means nothing. */
export function outlineOf(text: string): Outline {
	let depth = 0;
	let digits = 0;
	let hasLongNumbers = false;
	for (let at = 0; at < text.length; at++) {
		const kind = kindOf[text.charCodeAt(at)];
		if (kind === ofDecimal) {
			digits++;
			hasLongNumbers ||= digits === longest;
			continue;
		}
		if (kind === quote) at = endOfString(text, at);
		else if (kind === ofExponent) hasLongNumbers ||= digits > 0;
		else if (kind === opening) depth++;
		else if (kind === closing) depth--;
		digits = 0;
		if (depth > deepest) return { isTooDeep: true, hasLongNumbers };
	}
	return { isTooDeep: false, hasLongNumbers };
}

/**
 * JSON with what a JavaScript number would change kept as text: whole numbers beyond 2^53, more decimals than it holds, and what is too
 * large or too small for it. Identifiers and amounts must not change on their way. `ok` is false where the text is not JSON.
 */
export function parseExact(text: string, { hasLongNumbers } = outlineOf(text)): { ok: boolean; value?: unknown } {
	try {
		return { ok: true, value: JSON.parse(hasLongNumbers ? longNumbersAsText(text) : text) };
	} catch {
		return { ok: false };
	}
}

/** Before it is parsed: what the parser tells a reviver of the source of a number, older engines do not (Node below 22). */
function longNumbersAsText(text: string): string {
	const parts: string[] = [];
	for (let at = 0; at < text.length;) {
		const quote = text.indexOf('"', at);
		const start = quote < 0 ? text.length : quote;
		parts.push(
			text.slice(at, start).replace(/-?\d[\d.eE+-]*/g, (number) => (isChanged(number) ? `"${number}"` : number)),
		);
		const end = endOfString(text, start);
		parts.push(text.slice(start, end + 1));
		at = end + 1;
	}
	return parts.join('');
}

/** What is no number of JSON stays as it is, for the parser to refuse. */
function isChanged(number: string): boolean {
	return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number) && exactNumber(number) === undefined;
}

/** The number of a decimal text where it is of the same value, digit for digit, else undefined. */
export function exactNumber(text: string): number | undefined {
	const value = Number(text);
	if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
	return digitsOf(text) === digitsOf(String(value)) ? value : undefined;
}

/** The same for the same size, however it is written: its digits from the first to the last that is not 0, and where the point stands. */
function digitsOf(number: string): string {
	const [, units = '', decimals = '', power = '0'] = /^[+-]?(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(number) ?? [];
	const digits = units + decimals;
	let first = 0;
	let end = digits.length;
	while (digits[first] === '0') first++;
	// Step by step: a pattern for the zeros at the end would take hours for a megabyte of them before another digit.
	while (end > first && digits[end - 1] === '0') end--;
	return first === end ? '0' : `${digits.slice(first, end)} ${units.length - first + Number(power)}`;
}

/** Where a string ends that begins at `start`; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let escapes = 0;
		while (text[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end;
	}
	return text.length;
}

/** What a text says where it is JSON, else the text: for fields into which people put either. */
export function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The same text for the same content, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value)
		.filter(([, field]) => field !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}

/** Whether a value is an object with fields of its own, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value says anything: not where it is absent, `null`, `""`, `{}` or `[]`. */
export function hasContent(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return false;
	return typeof value !== 'object' || Object.keys(value).length > 0;
}
