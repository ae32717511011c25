import type { ValidationIssue } from '../validation.ts';
import { isRecord } from '../json.ts';
import { keysOf } from '../keys.ts';
import type { Method } from '../operation.ts';
import { asText } from './payload.ts';

/**
 * Suffix of the field name of each element, by the way in which a list is sent in the query. The API description does
 * not show which one the bank expects (P6).
 */
const arrayFormats = {
	repeat: () => '',
	brackets: () => '[]',
	indices: (index: number) => `[${index}]`,
	comma: () => '',
};
export type ArrayFormat = keyof typeof arrayFormats;

/** The format with this name; undefined if the format is unknown. */
export function arrayFormatOf(given = 'repeat', issues: ValidationIssue[]): ArrayFormat | undefined {
	const formats = keysOf(arrayFormats);
	const known = formats.find((format) => format === given);
	if (known === undefined) issues.push({ path: 'arrayFormat', message: `must be one of ${formats.join(', ')}` });
	return known;
}

/** A payload sent as query. Nested values are rejected, because their format is not described. */
export function queryFields(content: unknown, method: Method, issues: ValidationIssue[]): Record<string, unknown> {
	const entries = isRecord(content) ? Object.entries(content) : undefined;
	const isFlat = (value: unknown) =>
		typeof value !== 'object' ||
		value === null ||
		(Array.isArray(value) && value.every((element) => typeof element !== 'object'));
	if (entries?.every(([, value]) => isFlat(value)) !== true) {
		issues.push({
			path: 'payload',
			message: `goes into the query with the method ${method} and must be an object of plain values there. POST sends it as JSON`,
		});
		return {};
	}
	return Object.fromEntries(
		entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(asText) : asText(value)]),
	);
}

export function withQuery(path: string, query: Record<string, unknown>, arrayFormat: ArrayFormat): string {
	const pairs: string[] = [];
	const add = (key: string, value: unknown) => pairs.push(`${key}=${encodeURIComponent(String(value))}`);
	for (const [key, value] of Object.entries(query)) {
		if (!Array.isArray(value)) add(encodeURIComponent(key), value);
		else if (arrayFormat === 'comma') add(encodeURIComponent(key), value.join(','));
		else value.forEach((element, index) => add(encodeURIComponent(key + arrayFormats[arrayFormat](index)), element));
	}
	return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
