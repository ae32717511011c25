import { isRecord } from '@bank/core';
import { isSafeObjectProperty } from 'n8n-workflow';

/**
 * Expressions that are a mere path into the item, as the editor writes them when a column is dropped on a field: `={{ $json.amount }}`,
 * `={{ $json['Amount due'] }}`. n8n's engine takes up to half a millisecond for each, a look into the item none.
 */
const path = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\]|\['[^'\\]*'\])+)\s*\}\}$/;
const step = /\.(\w+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g;

/** The steps of the path; undefined for any other expression, which only the engine understands, or refuses. */
export function columnPath(expression: unknown): readonly string[] | undefined {
	const [, found] = typeof expression === 'string' ? (path.exec(expression) ?? []) : [];
	if (found === undefined) return undefined;
	const steps = [...found.matchAll(step)].map((match) => match.slice(1).join(''));
	return steps.every(isOrdinary) ? steps : undefined;
}

/** n8n refuses expressions with names that lead out of its sandbox, some of them wherever they stand. */
const isOrdinary = (name: string): boolean =>
	!name.includes('constructor') && name.split(/\W/).every((word) => isSafeObjectProperty(word));

/** Where only the engine knows what an expression gives: objects and lists it hands out in a form of its own. */
export const leftToEngine = Symbol('left to the engine');

export type Column = string | number | boolean | null | undefined | typeof leftToEngine;

/** What stands there, as the engine would give it: nothing where the item has nothing there. */
export function columnIn(json: unknown, steps: readonly string[]): Column {
	let value = json;
	for (const name of steps) {
		if (value === undefined || value === null) return undefined;
		if (typeof value !== 'object') return leftToEngine;
		const here: unknown = Array.isArray(value) ? { ...value } : value;
		if (!isRecord(here)) return leftToEngine;
		// What every object has, or a list by itself, is no column: `toString`, `length`.
		if (!Object.hasOwn(here, name)) return name in value || name in {} ? leftToEngine : undefined;
		value = here[name];
	}
	switch (typeof value) {
		case 'string':
		case 'number':
		case 'boolean':
		case 'undefined':
			return value;
		default:
			return value === null ? null : leftToEngine;
	}
}
