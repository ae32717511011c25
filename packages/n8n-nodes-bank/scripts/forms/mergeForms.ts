import type { INodeProperties } from 'n8n-workflow';

import { byDisplayName } from './field.ts';
import { fieldOrder } from './fieldOrder.ts';
import { keyOf, type OperationForm, type DisplayCondition, conditionsFor } from './displayOptions.ts';

/**
 * Merges the forms of all operations of a node into one list. A field that several operations share is listed once: the
 * package stays small, and the field keeps its value when the user changes the operation.
 */
export function mergeForms(forms: readonly OperationForm[]): INodeProperties[] {
	const existing = forms.map(keyOf);
	const variants = variantsOf(forms);
	return fieldOrder(forms.map(({ fields }) => fields.map(contentOf)))
		.flatMap((content) => variants.get(content) ?? [])
		.flatMap((one) => (one.field.type === 'collection' ? collectionsOf(one, existing) : copiesOf(one, existing)));
}

/** A field and the forms that contain it. */
interface Shared {
	field: INodeProperties;
	forms: OperationForm[];
}

/** Two fields with equal content are listed once. The options of a collection do not count. */
const contentOf = (field: INodeProperties): string =>
	`${field.name} ${JSON.stringify(field.type === 'collection' ? { ...field, options: undefined } : field)}`;

/** The different fields of all forms, by their content. */
function variantsOf(forms: readonly OperationForm[]): Map<string, Shared> {
	const found = new Map<string, Shared>();
	for (const form of forms) {
		for (const field of form.fields) {
			const known = found.get(contentOf(field)) ?? { field, forms: [] };
			found.set(contentOf(field), { field, forms: [...known.forms, form] });
		}
	}
	return found;
}

/** One copy of the field for each display condition that it needs. */
function copiesOf({ field, forms }: Shared, existing: readonly string[], prefix: '' | '/' = ''): INodeProperties[] {
	return conditionsFor(forms.map(keyOf), existing, prefix).map((condition) => withCondition(field, condition));
}

/** Copies of a collection, whose options get display conditions too. */
function collectionsOf({ field, forms }: Shared, existing: readonly string[]): INodeProperties[] {
	return conditionsFor(forms.map(keyOf), existing).map((condition) => {
		const own = forms.filter((form) => condition.keys.includes(keyOf(form)));
		const inner = own.map((form) => ({ ...form, fields: offeredBy(form, field.name) }));
		const options = [...variantsOf(inner).values()]
			// Inside a collection, `/` refers to the parameters of the node.
			.flatMap((one) => copiesOf(one, condition.keys, '/'));
		return withCondition({ ...field, options: options.sort(byDisplayName) }, condition);
	});
}

function offeredBy({ fields }: OperationForm, collection: string): INodeProperties[] {
	return fields
		.filter(({ name }) => name === collection)
		.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
}

/** Puts the condition before the description, as in hand-written forms. */
function withCondition(
	{ displayOptions, description, ...field }: INodeProperties,
	{ show, hide }: DisplayCondition,
): INodeProperties {
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
