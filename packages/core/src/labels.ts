import * as v from 'valibot';

import type { Operation } from './operation.ts';
import { unwrap } from './schemas/unwrap.ts';
import { titleCase } from './text.ts';

/** The form label of a field, with that of its parent if several fields of the operation have the same label. */
export function labelOf(operation: Operation, path: string): string {
	const { pathFields, query, body, unnamedFields } = operation;
	const groups = [pathFields, query, body, unnamedFields];
	const names = path.replace(/\[\d+\]/g, '').split('.');
	const titles = groups.flatMap((group) => (group === undefined ? [] : titlesIn(group, [])));
	const found =
		titles.find(({ at }) => at.join('.') === names.join('.')) ?? titles.find(({ at }) => endsWith(at, names));
	if (found === undefined) return titleCase(names.at(-1) ?? '');
	const isUnique = titles.every((one) => one === found || one.title !== found.title);
	return isUnique || found.parent === '' ? found.title : `${found.parent} > ${found.title}`;
}

const endsWith = (at: readonly string[], names: readonly string[]): boolean =>
	names.every((name, index) => at[at.length - names.length + index] === name);

interface Title {
	at: readonly string[];
	title: string;
	/** Title of the object that holds the field. */
	parent: string;
}

function titlesIn(outer: v.GenericSchema, at: readonly string[], parent = ''): Title[] {
	const { schema } = unwrap(outer);
	if (schema.item !== undefined) return titlesIn(schema.item, at, parent);
	return Object.entries(schema.entries ?? {}).flatMap(([key, entry]) => {
		const title = v.getTitle(unwrap(entry).schema as never) ?? '';
		const own = { at: [...at, key], title, parent };
		return [...(title === '' ? [] : [own]), ...titlesIn(entry, own.at, title)];
	});
}
