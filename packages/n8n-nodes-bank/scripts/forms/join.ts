import type { INodeProperties } from 'n8n-workflow';

import { byDisplayName } from './field.ts';
import { keyOf, type OperationForm, type Place, placesOf } from './places.ts';

/**
 * The forms of all operations of a node in one list, in which a field that several operations share stands only once:
 * the package stays small, and a value stays when the user goes on to another operation. The order of every form stays.
 */

export function joined(forms: readonly OperationForm[]): INodeProperties[] {
	const existing = forms.map(keyOf);
	return inOrder(forms).flatMap((name) =>
		differing(forms, name).flatMap((one) =>
			one.field.type === 'collection' ? collectionsOf(one, existing) : copiesOf(one, existing),
		),
	);
}

/** The names of all fields, so that every form keeps its order; where nothing decides, as they come. */
function inOrder(forms: readonly OperationForm[]): string[] {
	const before = new Map<string, Set<string>>();
	for (const { fields } of forms) {
		const names = [...new Set(fields.map(({ name }) => name))];
		names.forEach((name, index) => {
			const known = before.get(name) ?? new Set<string>();
			before.set(name, new Set([...known, ...names.slice(Math.max(0, index - 1), index)]));
		});
	}
	const order: string[] = [];
	while (order.length < before.size) {
		const left = [...before].filter(([name]) => !order.includes(name));
		const next = left.find(([, others]) => [...others].every((other) => order.includes(other)));
		if (next === undefined)
			throw new Error(
				`Two operations have some of these fields in another order: ${left.map(([name]) => name).join(', ')}`,
			);
		order.push(next[0]);
	}
	return order;
}

/** A field, and the forms that have it. */
interface Shared {
	field: INodeProperties;
	forms: OperationForm[];
}

/** The fields of a name that are not the same. Of a collection, what it offers does not count. */
function differing(forms: readonly OperationForm[], name: string): Shared[] {
	const found = new Map<string, Shared>();
	for (const form of forms) {
		for (const field of form.fields.filter((candidate) => candidate.name === name)) {
			const content = JSON.stringify(field.type === 'collection' ? { ...field, options: undefined } : field);
			const known = found.get(content) ?? { field, forms: [] };
			found.set(content, { field, forms: [...known.forms, form] });
		}
	}
	return [...found.values()];
}

/** As often as it takes to show the field for these forms and no others. */
function copiesOf({ field, forms }: Shared, existing: readonly string[], prefix: '' | '/' = ''): INodeProperties[] {
	return placesOf(forms.map(keyOf), existing, prefix).map((place) => shownIn(field, place));
}

/** Collections whose fields are there for the forms that have them. */
function collectionsOf({ field, forms }: Shared, existing: readonly string[]): INodeProperties[] {
	return placesOf(forms.map(keyOf), existing).map((place) => {
		const own = forms.filter((form) => place.keys.includes(keyOf(form)));
		const inner = own.map((form) => ({ ...form, fields: offeredBy(form, field.name) }));
		const names = [...new Set(inner.flatMap(({ fields }) => fields.map(({ name }) => name)))];
		const options = names
			.flatMap((name) => differing(inner, name))
			// From inside a collection, resource and operation are those of the node.
			.flatMap((one) => copiesOf(one, place.keys, '/'));
		return shownIn({ ...field, options: options.sort(byDisplayName) }, place);
	});
}

function offeredBy({ fields }: OperationForm, collection: string): INodeProperties[] {
	return fields
		.filter(({ name }) => name === collection)
		.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
}

/** The condition stands before the help, as in a form written by hand. */
function shownIn({ displayOptions, description, ...field }: INodeProperties, { show, hide }: Place): INodeProperties {
	const conditions = {
		...((show ?? displayOptions?.show) ? { show: { ...show, ...displayOptions?.show } } : {}),
		...((hide ?? displayOptions?.hide) ? { hide: { ...hide, ...displayOptions?.hide } } : {}),
	};
	return {
		...field,
		...(Object.keys(conditions).length === 0 ? {} : { displayOptions: conditions }),
		...(description === undefined ? {} : { description }),
	};
}
