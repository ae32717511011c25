import { hintsOf, unwrap } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';
import type { GenericSchema } from 'valibot';

import { byDisplayName, fieldOf, helpOf, type Schema, titleOf } from './field.ts';
import { when } from './when.ts';

/**
 * Fields that hold fields: an object of the body becomes a choice of its blocks, a block a collection, a list a table.
 *
 * A list is one field that takes a table of rows, or an array from another node. In n8n a table (`fixedCollection`) cannot be an
 * expression as a whole: the editor has no switch for it, and n8n drops a text in its place when it reads the workflow. So the array
 * is an element of the table: *Add* offers *Row* and *Array*, as n8n's own nodes offer several kinds of a row. The other ways were
 * weighed: a field of the type `json` is smaller but leaves the table to be typed as text; `resourceMapper` and
 * `assignmentCollection` know one row only; both kinds as fields of their own is what this replaces.
 */

export function isGroup(schema: Schema): boolean {
	return schema.type === 'strict_object';
}

const isList = (schema: Schema) => schema.type === 'array' && isGroup(rowOf(schema));
const rowOf = (schema: Schema) => unwrap(schema.item as GenericSchema).schema;
const entriesIn = (schema: Schema): [string, GenericSchema][] => Object.entries(schema.entries ?? {});

/** An object of the body: which of its blocks there are, and each of them. What it holds beside blocks is not asked for. */
export function blockFields(group: Schema, without: readonly string[]): INodeProperties[] {
	const blocks = entriesIn(group)
		.filter(([name]) => !without.includes(name))
		.map(([name, schema]) => [name, unwrap(schema).schema] as const);
	const plain = blocks.filter(([, schema]) => !isGroup(schema) && !isList(schema)).map(([name]) => name);
	if (plain.length > 0)
		throw new Error(`${plain.join(', ')} stands beside blocks: a form written by hand has to ask for it`);
	const chooser: INodeProperties = {
		displayName: 'Blocks',
		name: 'blocks',
		type: 'multiOptions',
		default: [],
		options: blocks
			.map(([name, schema]) => ({ name: titleOf(name, schema), value: name, description: helpOf(schema) }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en')),
		description: `${helpOf(group)}. Each block adds its fields below; what you leave out is not sent.`,
	};
	return [
		chooser,
		...blocks.map(([name, schema]) => ({ ...blockField(name, schema), displayOptions: when({ blocks: [name] }) })),
	];
}

function blockField(name: string, schema: Schema): INodeProperties {
	if (isList(schema)) return listField(name, schema);
	return {
		displayName: titleOf(name, schema),
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: helpOf(schema),
		options: entriesIn(schema).map(innerField).sort(byDisplayName),
	};
}

function innerField([name, entry]: [string, GenericSchema]): INodeProperties {
	const { schema } = unwrap(entry);
	return isList(schema) ? listField(name, schema) : fieldOf(name, entry);
}

function listField(name: string, schema: Schema): INodeProperties {
	const row = rowOf(schema);
	return {
		displayName: titleOf(name, schema),
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Row or Array',
		description: helpOf(schema),
		options: [
			{ displayName: 'Row', name: 'rows', values: entriesIn(row).map(innerField).map(withoutEcho) },
			{
				displayName: 'Array',
				name: 'arrays',
				values: [
					{
						displayName: 'Array',
						name: 'array',
						type: 'json',
						default: '',
						placeholder: `e.g. ${JSON.stringify([exampleOf(row)])}`,
						description: 'Rows as an expression or JSON',
					},
				],
			},
		],
	};
}

/** A column is as wide as its label: help that begins with the label tells no more. The tables are half of all forms. */
function withoutEcho({ description = '', ...column }: INodeProperties): INodeProperties {
	return description.startsWith(column.displayName) ? column : { ...column, description };
}

function exampleOf(row: Schema): Record<string, unknown> {
	return Object.fromEntries(
		entriesIn(row).map(([name, entry]) => {
			const { schema } = unwrap(entry);
			const shown = hintsOf(schema).placeholder?.replace(/^e\.g\. /, '') ?? '';
			return [name, schema.type === 'array' ? [] : schema.type === 'number' ? Number(shown || 1) : shown];
		}),
	);
}
