import { isRecord } from '@bank/core';
import { isSafeObjectProperty } from 'n8n-workflow';

/**
 * Expressions such as `={{ $json['Amount due'] }}`, which the editor writes when a column is dropped on a field. Reading
 * them here saves up to half a millisecond each in n8n's expression engine.
 */
const path = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\]|\['[^'\\]*'\])+)\s*\}\}$/;
const step = /\.(\w+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g;

/** The steps of the path; undefined for any other expression. */
export function columnPath(expression: unknown): readonly string[] | undefined {
	const [, found] = typeof expression === 'string' ? (path.exec(expression) ?? []) : [];
	if (found === undefined) return undefined;
	const steps = [...found.matchAll(step)].map((match) => match.slice(1).join(''));
	return steps.every(isOrdinary) ? steps : undefined;
}

/** n8n rejects property names that could be used to leave its sandbox. */
const isOrdinary = (name: string): boolean =>
	!name.includes('constructor') && name.split(/\W/).every((word) => isSafeObjectProperty(word));

/** The value needs n8n's engine, which returns wrapped objects and lists. */
export const NEEDS_EVALUATION = Symbol('left to the engine');

export type Column = string | number | boolean | null | undefined | typeof NEEDS_EVALUATION;

/** The value at the path as the engine would return it; undefined if missing. */
export function columnIn(json: unknown, steps: readonly string[]): Column {
	let value = json;
	for (const name of steps) {
		if (value === undefined || value === null) return undefined;
		if (typeof value !== 'object') return NEEDS_EVALUATION;
		const here: unknown = Array.isArray(value) ? { ...value } : value;
		if (!isRecord(here)) return NEEDS_EVALUATION;
		// Inherited properties such as `toString` and `length` are not columns.
		if (!Object.hasOwn(here, name)) return name in value || name in {} ? NEEDS_EVALUATION : undefined;
		value = here[name];
	}
	switch (typeof value) {
		case 'string':
		case 'number':
		case 'boolean':
		case 'undefined':
			return value;
		default:
			return value === null ? null : NEEDS_EVALUATION;
	}
}
