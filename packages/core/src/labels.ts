import type { Operation } from './operation.ts';
import { fieldsOf, titleOf } from './schemas/unwrap.ts';
import { titleCase } from './text.ts';

/** The form label of a field, with that of its parent if several fields of the operation have the same label. */
export function labelOf({ pathFields, query, body, unnamedFields }: Operation, path: string): string {
	const name = path.replace(/\[\d+\]/g, '');
	const titles = [pathFields, query, body, unnamedFields]
		.flatMap((group) => fieldsOf(group))
		.map(([at, field]) => ({ at: at.replaceAll('[]', ''), title: titleOf(field) }))
		.filter(({ title }) => title !== '');
	const found = titles.find(({ at }) => at === name) ?? titles.find(({ at }) => at.endsWith(`.${name}`));
	if (found === undefined) return titleCase(name.replace(/^.*\./, ''));
	const parent = titles.find(({ at }) => at === found.at.replace(/\.[^.]*$/, ''));
	const isUnique = titles.every((one) => one === found || one.title !== found.title);
	return isUnique || parent === undefined || parent === found ? found.title : `${parent.title} > ${found.title}`;
}
