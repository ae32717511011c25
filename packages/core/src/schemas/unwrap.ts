import type * as v from 'valibot';

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
