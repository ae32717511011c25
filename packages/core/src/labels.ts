import * as v from 'valibot';

import type { Operation } from './operation.ts';
import { unwrap } from './schemas/unwrap.ts';

/** The form label of a field; undefined if there is none or it only repeats the field name. */
export function labelOf(operation: Operation, path: string): string | undefined {
	const name = /(?<!\w)(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
	const groups = [
		operation.pathFields,
		operation.query,
		operation.body,
		operation.unnamedFields,
		operation.namedFields,
	];
	const named = operation.namedFields?.entries[path];
	const title =
		named === undefined
			? groups.flatMap((group) => (group === undefined ? [] : findTitles(group, name)))[0]
			: v.getTitle(unwrap(named).schema as never) || undefined;
	// The index of a list row is shown elsewhere; the parent of a nested field is not, so it is compared too.
	const place = path.replace(/^.*\]\.|\[\d+\]$/g, '');
	const isSpelling = title?.replace(/\W/g, '').toLowerCase() === place.toLowerCase();
	return title === undefined || isSpelling ? undefined : title;
}

function findTitles(outer: v.GenericSchema, name: string): string[] {
	const { schema } = unwrap(outer);
	if (schema.item !== undefined) return findTitles(schema.item, name);
	return Object.entries(schema.entries ?? {}).flatMap(([key, entry]) => {
		const title = key === name ? v.getTitle(unwrap(entry).schema as never) : undefined;
		return [...(title === undefined ? [] : [title]), ...findTitles(entry, name)];
	});
}
