import { type Choice, type Operation, unwrap } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { collectionOf } from '../../nodes/shared/form.ts';
import type { FormParts } from '../../nodes/shared/formParts.ts';
import { byDisplayName, fieldOf } from './field.ts';
import { openFields } from './open.ts';
import { optionsOf } from './options.ts';
import { entriesOf } from './schema.ts';
import { when } from './when.ts';

/**
 * Operation -> form fields of n8n. Run by `pnpm generate`, never inside n8n: the result is committed as literals, because n8n's lint
 * and a reviewer read literals. The order: identifiers, what a person has written for this operation, required fields, what the API
 * description leaves open, lists, optional fields under one collection, options.
 */
export function formOf(operation: Operation, parts: FormParts = {}): INodeProperties[] {
	const { asksItself = [], fields = [], lastFields = [], options = [], help = {} } = parts;
	const entries = [operation.query, operation.body].flatMap(entriesOf).filter(([name]) => !asksItself.includes(name));
	const required = entries.filter(([, schema]) => !unwrap(schema).optional);
	const generated = [
		...required.map(([name, schema]) => fieldOf(name, schema)),
		...openFields(withoutNameless(operation, asksItself)),
		...(operation.list === undefined ? [] : listFields.filter(({ name }) => !asksItself.includes(name))),
		...optionalFields(operation, entries),
	];
	return [
		...(['none', 'read'].includes(operation.effect) ? [] : [effectNotice]),
		...pathFields(operation),
		...fields,
		...generated.map((field) => ({ ...field, ...textOf(help[field.name]) })),
		...lastFields,
		optionsOf(operation, options, asksItself),
	];
}

const effectNotice: INodeProperties = {
	displayName: 'Execute Step does this at the bank, also while you build.',
	name: 'hasEffect',
	type: 'notice',
	default: '',
};

function pathFields(operation: Operation): INodeProperties[] {
	return entriesOf(operation.pathFields).map(([name, schema]) => {
		const field = fieldOf(name, schema);
		const choice = operation.choices?.[name];
		return choice === undefined ? field : locatorOf(field, choice);
	});
}

/** A field whose values the bank can list, by the search that has its name (nodes/shared/choices.ts). */
function locatorOf({ placeholder = '', ...field }: INodeProperties, { from }: Choice): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		typeOptions: { loadOptionsDependsOn: entriesOf(from.pathFields).map(([name]) => name) },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: field.name, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', ...(placeholder === '' ? {} : { placeholder }) },
		],
	};
}

const textOf = (description: string | undefined) => (description === undefined ? {} : { description });

function withoutNameless(operation: Operation, asksItself: readonly string[]): Operation {
	const { nameless } = operation;
	if (nameless === undefined) return operation;
	const entries = entriesOf(nameless).filter(([name]) => !asksItself.includes(name));
	return { ...operation, nameless: { ...nameless, entries: Object.fromEntries(entries) } };
}

/** All optional fields under one collection; those by which a list is paged have other words. */
function optionalFields(operation: Operation, entries: ReturnType<typeof entriesOf>): INodeProperties[] {
	const paging = [operation.list?.offset, operation.list?.limit];
	const optional = entries.filter(([name, schema]) => unwrap(schema).optional && !paging.includes(name));
	if (optional.length === 0) return [];
	const filters = collectionOf(operation) === 'filters';
	return [
		{
			displayName: filters ? 'Filters' : 'Additional Fields',
			name: collectionOf(operation),
			type: 'collection',
			placeholder: filters ? 'Add Filter' : 'Add Field',
			default: {},
			options: optional.map(([name, schema]) => fieldOf(name, schema)).sort(byDisplayName),
		},
	];
}

const listFields: readonly INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: when({ returnAll: [false] }),
		description: 'Max number of results to return',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Simplified', value: 'simple', description: 'The most important fields, with decimal amounts' },
			{ name: 'Raw', value: 'raw' },
			{ name: 'Selected Fields', value: 'fields' },
		],
		default: 'simple',
		description: 'Which fields to return',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. amount, currency',
		displayOptions: when({ output: ['fields'] }),
		description: 'Names of fields, separated by commas, or paths such as category.name',
	},
];
