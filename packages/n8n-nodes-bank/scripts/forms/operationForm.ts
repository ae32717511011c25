import { type ChoiceSource, type Operation, unwrap } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { collectionOf } from '../../nodes/shared/form/readForm.ts';
import type { FormParts } from './formParts.ts';
import { byDisplayName, entriesOf, fieldOf } from './field.ts';
import { undocumentedFields } from './serviceDetailsForm.ts';
import { optionsOf } from './options.ts';

/**
 * Form fields of an operation: notice, identifiers, hand-written fields, required fields, fields for undocumented details, list
 * fields, optional fields in a collection, options. Runs in `pnpm generate`, not in n8n: n8n's lint and reviewers read literals.
 */
export function formOf(operation: Operation, parts: FormParts = {}): INodeProperties[] {
	const { handWritten = [], fields = [], lastFields = [], options = [], help = {} } = parts;
	const notice = parts.notice ?? (['none', 'read'].includes(operation.effect) ? undefined : effectNotice);
	const entries = [operation.query, operation.body].flatMap(entriesOf).filter(([name]) => !handWritten.includes(name));
	const required = entries.filter(([, schema]) => !unwrap(schema).optional);
	const generated = [
		...required.map(([name, schema]) => fieldOf(name, schema)),
		...undocumentedFields(withoutFormFields(operation, handWritten)),
		...(operation.list === undefined ? [] : listFields.filter(({ name }) => !handWritten.includes(name))),
	];
	return [
		...(notice === undefined ? [] : [{ ...notice, name: 'hasEffect', type: 'notice' as const, default: '' }]),
		...pathFields(operation),
		...fields,
		...generated.map((field) => ({ ...field, ...textOf(help[field.name]) })),
		...lastFields,
		...optionalFields(operation, entries, parts.additionalFields),
		optionsOf(operation, options, handWritten),
	];
}

const effectNotice: FormParts['notice'] = {
	displayName: 'Execute Step sends a real request to the bank, even while you build the workflow.',
};

function pathFields(operation: Operation): INodeProperties[] {
	return entriesOf(operation.pathFields).map(([name, schema]) => {
		const field = fieldOf(name, schema);
		const choice = operation.choices?.[name];
		return choice === undefined ? field : locatorOf(field, choice);
	});
}

/** A field with a list search (nodes/shared/form/choices.ts). */
function locatorOf({ placeholder = '', ...field }: INodeProperties, { from }: ChoiceSource): INodeProperties {
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

function withoutFormFields(operation: Operation, handWritten: readonly string[]): Operation {
	const { unnamedFields } = operation;
	if (unnamedFields === undefined) return operation;
	const entries = entriesOf(unnamedFields).filter(([name]) => !handWritten.includes(name));
	return { ...operation, unnamedFields: { ...unnamedFields, entries: Object.fromEntries(entries) } };
}

/** All optional fields in one collection. Offset and limit have options of their own. */
function optionalFields(
	operation: Operation,
	entries: ReturnType<typeof entriesOf>,
	more: readonly INodeProperties[] = [],
): INodeProperties[] {
	const paging = [operation.list?.offset, operation.list?.limit];
	const optional = entries.filter(([name, schema]) => unwrap(schema).optional && !paging.includes(name));
	if (optional.length + more.length === 0) return [];
	const filters = collectionOf(operation) === 'filters';
	return [
		{
			displayName: filters ? 'Filters' : 'Additional Fields',
			name: collectionOf(operation),
			type: 'collection',
			placeholder: filters ? 'Add Filter' : 'Add Field',
			default: {},
			options: [...optional.map(([name, schema]) => fieldOf(name, schema)), ...more].sort(byDisplayName),
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
		displayOptions: { show: { returnAll: [false] } },
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
		displayOptions: { show: { output: ['fields'] } },
		description: 'Names of fields, separated by commas, or paths such as category.name',
	},
];
