import { isRecord } from '@bank/core';

/**
 * Expressions that are a mere path into the item, as the editor writes them when a column is dropped on a field: `={{ $json.amount }}`,
 * `={{ $json['Amount due'] }}`. n8n's engine takes up to half a millisecond for each, a look into the item none.
 */
const path = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\]|\['[^'\\]*'\])+)\s*\}\}$/;
const step = /\.(\w+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g;

/** The steps of the path; undefined for any other expression, which only the engine understands. */
export function columnPath(expression: unknown): readonly string[] | undefined {
	const [, steps] = typeof expression === 'string' ? (path.exec(expression) ?? []) : [];
	return steps === undefined ? undefined : [...steps.matchAll(step)].map((match) => match.slice(1).join(''));
}

/** What stands there; undefined where it is no plain value, so that the engine says what such an expression gives. */
export function columnIn(json: unknown, steps: readonly string[]): string | number | boolean | undefined {
	let value = json;
	for (const name of steps) {
		const here: unknown = Array.isArray(value) ? { ...value } : value;
		if (!isRecord(here) || !Object.hasOwn(here, name)) return undefined;
		value = here[name];
	}
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
