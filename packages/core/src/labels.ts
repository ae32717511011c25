import * as v from 'valibot';

import type { Operation } from './operation.ts';
import { unwrap } from './schemas/unwrap.ts';

/** What a form calls the fields of an operation, by their names in the API. */
export function labelOf(operation: Operation, path: string): string | undefined {
	const name = /(?<!\w)(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
	const groups = [operation.pathFields, operation.query, operation.body, operation.nameless];
	const title = groups.flatMap((group) => (group === undefined ? [] : titlesIn(group, name)))[0];
	// Of a row of a list the place is told by others, that of a field within a field by nobody.
	const place = path.replace(/^.*\]\.|\[\d+\]$/g, '');
	const isSpelling = title?.replace(/\W/g, '').toLowerCase() === place.toLowerCase();
	return title === undefined || isSpelling ? undefined : title;
}

function titlesIn(outer: v.GenericSchema, name: string): string[] {
	const { schema } = unwrap(outer);
	if (schema.item !== undefined) return titlesIn(schema.item, name);
	return Object.entries(schema.entries ?? {}).flatMap(([key, entry]) => {
		const title = key === name ? v.getTitle(unwrap(entry).schema as never) : undefined;
		return [...(title === undefined ? [] : [title]), ...titlesIn(entry, name)];
	});
}
