import { fieldsOf, hintsOf, type ObjectSchema, type Operation, unwrap } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';
import * as v from 'valibot';

export type Schema = ReturnType<typeof unwrap>['schema'];

export const byDisplayName = (a: { displayName: string }, b: { displayName: string }) =>
	a.displayName.localeCompare(b.displayName, 'en');

export const entriesOf = (group: ObjectSchema | undefined) => Object.entries<v.GenericSchema>(group?.entries ?? {});

/** The n8n field for a schema. */
export function fieldOf(name: string, outer: v.GenericSchema): INodeProperties {
	const { schema, optional } = unwrap(outer);
	const { placeholder, labels, initial, kind } = hintsOf(schema);
	const common = { displayName: titleOf(name, schema), name };
	const description = helpOf(schema);
	const asked = {
		...(optional ? {} : { required: true }),
		...(placeholder === undefined ? {} : { placeholder }),
		...(kind === 'lines' ? { typeOptions: { rows: 4 } } : {}),
		description,
	};
	switch (schema.type) {
		case 'boolean':
			return { ...common, type: 'boolean', default: initial === true, description };
		case 'picklist': {
			const options = Object.entries(labels ?? {}).map(([value, label]) => ({ name: label, value }));
			// n8n's lint requires a default that is one of the options. An empty required value makes n8n ask for a choice.
			const open = initial === '' ? [...options, { name: 'Not Chosen', value: '' }] : undefined;
			return {
				...common,
				type: 'options',
				options: open?.sort((a, b) => a.name.localeCompare(b.name, 'en')) ?? options,
				default: initial ?? options[0]?.value ?? '',
				...(open === undefined ? {} : { required: true }),
				description,
			};
		}
		case 'number':
			// A text field: spreadsheets and databases supply amounts and identifiers as text. They are converted before sending.
			return { ...common, type: 'string', default: '', ...asked };
		case 'array':
		case 'union': // a list or one text
			return {
				...common,
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${singular(common.displayName)}` },
				default: [],
				...asked,
			};
		default:
			return { ...common, type: kind === 'day' ? 'dateTime' : 'string', default: '', ...asked };
	}
}

/**
 * The n8n field for a place in the body of an operation, such as `payments[].amount`, for hand-written parts. A field that the schema
 * requires may be optional in the form.
 */
export function bodyField(
	{ id, body }: Operation,
	path: string,
	more: Partial<INodeProperties> = {},
	isOptional = false,
): INodeProperties {
	const [, schema] = fieldsOf(body).find(([known]) => known === path) ?? [];
	if (schema === undefined) throw new Error(`The body of ${id} has no ${path}`);
	const { required, ...field } = fieldOf(path.replace(/.*\./, ''), schema);
	return { ...field, ...(required === true && !isOptional ? { required } : {}), ...more };
}

export const titleOf = (name: string, schema: Schema) => v.getTitle(schema as never) ?? name;

export function helpOf(schema: Schema): string {
	return asHelp(v.getDescription(schema as never) ?? '');
}

/** n8n's lint requires a full stop after several sentences and none after a single one. */
export function asHelp(text: string): string {
	return text.includes('. ') && !text.endsWith('.') ? `${text}.` : text;
}

function singular(title: string): string {
	return title.replace(/ies$/, 'ys').replace(/s$/, '');
}
