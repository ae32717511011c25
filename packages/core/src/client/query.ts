import type { Fault } from '../faults.ts';
import { isRecord } from '../json.ts';
import { keysOf } from '../keys.ts';
import type { Method } from '../operation.ts';
import { asText } from './payload.ts';

/** How a list goes into the query, by what follows the name there; the description does not show it (P6). */
const arrayFormats = {
	repeat: () => '',
	brackets: () => '[]',
	indices: (index: number) => `[${index}]`,
	comma: () => '',
};
export type ArrayFormat = keyof typeof arrayFormats;

/** Undefined, and a fault, where there is no such format. */
export function arrayFormatOf(given = 'repeat', faults: Fault[]): ArrayFormat | undefined {
	const formats = keysOf(arrayFormats);
	const known = formats.find((format) => format === given);
	if (known === undefined) faults.push({ path: 'arrayFormat', message: `must be one of ${formats.join(', ')}` });
	return known;
}

/** A payload in the query: one level, because how deeper ones would be written is not shown. */
export function queryFields(content: unknown, method: Method, faults: Fault[]): Record<string, unknown> {
	const entries = isRecord(content) ? Object.entries(content) : undefined;
	const isFlat = (value: unknown) =>
		typeof value !== 'object' ||
		value === null ||
		(Array.isArray(value) && value.every((element) => typeof element !== 'object'));
	if (entries?.every(([, value]) => isFlat(value)) !== true) {
		faults.push({
			path: 'payload',
			message: `goes into the query with the method ${method} and must be an object of plain values there`,
			code: 'payloadTooDeep',
		});
		return {};
	}
	return Object.fromEntries(
		entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(asText) : asText(value)]),
	);
}

export function withQuery(path: string, query: string): string {
	return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

export function queryText(query: Record<string, unknown>, arrayFormat: ArrayFormat): string {
	const pairs: string[] = [];
	const add = (key: string, value: unknown) => pairs.push(`${key}=${encodeURIComponent(String(value))}`);
	for (const [key, value] of Object.entries(query)) {
		if (!Array.isArray(value)) add(encodeURIComponent(key), value);
		else if (arrayFormat === 'comma') add(encodeURIComponent(key), value.join(','));
		else value.forEach((element, index) => add(encodeURIComponent(key + arrayFormats[arrayFormat](index)), element));
	}
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
