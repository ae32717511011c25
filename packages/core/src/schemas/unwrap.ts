import * as v from 'valibot';

import { joinPath } from '../validation.ts';

/** The parts of any schema that core reads. */
export interface Shape {
	type: string;
	entries?: Record<string, v.GenericSchema>;
	item?: v.GenericSchema;
	options?: readonly v.GenericSchema[];
	wrapped?: v.GenericSchema;
	pipe?: readonly unknown[];
}

/** The schema inside `optional` and similar wrappers. */
export function unwrap(schema: v.GenericSchema): { schema: v.GenericSchema & Shape; optional: boolean } {
	let inner: v.GenericSchema & Shape = schema;
	let optional = false;
	while (inner.wrapped !== undefined) {
		optional = true;
		inner = inner.wrapped;
	}
	return { schema: inner, optional };
}

export const requiredIn = (object: v.GenericSchema): string[] =>
	Object.entries(unwrap(object).schema.entries ?? {}).flatMap(([name, entry]) =>
		unwrap(entry).optional ? [] : [name],
	);

export const titleOf = (schema: v.GenericSchema): string => v.getTitle(unwrap(schema).schema as never) ?? '';

/** Every field of a schema at any depth, by path: `payments[].amount`. */
export function fieldsOf(outer: v.GenericSchema | undefined, parent = ''): [string, v.GenericSchema][] {
	if (outer === undefined) return [];
	const { item, entries = {} } = unwrap(outer).schema;
	if (item !== undefined) return fieldsOf(item, `${parent}[]`);
	return Object.entries(entries).flatMap(([key, entry]) => {
		const path = joinPath(parent, key);
		return [[path, entry], ...fieldsOf(entry, path)];
	});
}
