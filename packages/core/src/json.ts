/** A whole number that a JavaScript number would change on its way, or an exponent, which may hide one. */
const longNumber = /\d{16}|\d[eE]/;

/**
 * JSON with whole numbers beyond 2^53 kept as text, digit for digit: identifiers must not change on their way.
 * `ok` is false where the text is not JSON.
 */
export function parseExact(text: string): { ok: boolean; value?: unknown } {
	const exact = (_key: string, value: unknown, context?: { source?: string }) =>
		typeof value === 'number' &&
		Number.isInteger(value) &&
		!Number.isSafeInteger(value) &&
		context?.source !== undefined
			? context.source
			: value;
	try {
		return { ok: true, value: mayChange(text) ? JSON.parse(text, exact) : JSON.parse(text) };
	} catch {
		return { ok: false };
	}
}

/** What a text says where it is JSON, else the text: for fields into which people put either. */
export function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Whether plain `JSON.parse` might change a number of this text. True more often than need be, never less. */
export function mayChange(text: string): boolean {
	return longNumber.test(text);
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
