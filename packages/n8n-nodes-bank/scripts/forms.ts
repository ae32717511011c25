import { hintsOf, type Operation, operationName, type Resource, resourceOf, unwrap } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';
import * as v from 'valibot';

/**
 * Operation -> form fields of n8n. Run by `pnpm generate`, never inside n8n: the result is committed as literals, because
 * n8n's lint and a reviewer read literals.
 */

type Schema = ReturnType<typeof unwrap>['schema'];

const byDisplayName = (a: { displayName: string }, b: { displayName: string }) => a.displayName.localeCompare(b.displayName, 'en');

/** One schema -> one field. A list of texts takes an array from an expression, or comma-separated text. */
export function fieldOf(name: string, outer: v.GenericSchema, extra: Partial<INodeProperties> = {}): INodeProperties {
	const { schema, optional } = unwrap(outer);
	const { placeholder, labels, initial, kind } = hintsOf(schema);
	const common = { displayName: v.getTitle(schema) ?? name, name };
	const description = help(schema);
	const required = optional ? {} : { required: true };
	const example = placeholder === undefined ? {} : { placeholder };
	switch (schema.type) {
		case 'boolean':
			return { ...common, type: 'boolean', default: initial ?? false, ...extra, description } as INodeProperties;
		case 'picklist': {
			const options = Object.entries(labels ?? {}).map(([value, label]) => ({ name: label, value }));
			return { ...common, type: 'options', options, default: initial ?? options[0]?.value, ...extra, description } as INodeProperties;
		}
		case 'number':
			// Text as well: amounts and identifiers come as text from tables; the check before sending turns them.
			return { ...common, type: 'string', default: '', ...required, ...example, ...extra, description } as INodeProperties;
		case 'array':
		case 'union': // a list or one text
			return { ...common, type: 'string', typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${singular(common.displayName)}` }, default: [], ...required, ...example, ...extra, description } as INodeProperties;
		default:
			return { ...common, type: kind === 'day' ? 'dateTime' : 'string', default: '', ...required, ...example, ...extra, description } as INodeProperties;
	}
}

/** n8n's lint wants a full stop after several sentences and none after one. */
function help(schema: v.GenericSchema): string {
	return sentences(v.getDescription(schema as never) ?? '');
}

function sentences(text: string): string {
	return text.includes('. ') && !text.endsWith('.') ? `${text}.` : text;
}

function singular(title: string): string {
	return title.endsWith('s') ? title.slice(0, -1) : title;
}

export function shownFor(operation: Operation, more: Record<string, unknown[]> = {}): INodeProperties['displayOptions'] {
	return { show: { resource: [resourceOf(operation)], operation: [operationName(operation)], ...more } as Record<string, string[]> };
}

export function operationSelector(resource: Resource): INodeProperties {
	const options = resource.operations
		.map((operation) => ({ name: operation.name, value: operationName(operation), action: operation.action, description: sentences(operation.description) }))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options,
		default: options.find((option) => /^(get|send|create|order)/i.test(option.value))?.value ?? options[0]?.value,
	} as INodeProperties;
}

function entriesOf(group: Operation['pathFields']): [string, v.GenericSchema][] {
	return Object.entries(group?.entries ?? {});
}

/** The whole form of an operation: required fields first, the rest under one collection, then what every read or list has. */
export function toNodeProperties(operation: Operation): INodeProperties[] {
	const displayOptions = shownFor(operation);
	const { list } = operation;
	const paging = [list?.offset, list?.limit];
	const all = [...entriesOf(operation.pathFields), ...entriesOf(operation.query), ...entriesOf(operation.body)];
	const optional = all.filter(([name, schema]) => unwrap(schema).optional && !paging.includes(name));
	const required = all.filter(([, schema]) => !unwrap(schema).optional);

	const properties = required.map(([name, schema]) => fieldOf(name, schema, { displayOptions }));
	if (list) properties.push(...listFields(operation));
	if (optional.length > 0) {
		const filters = operation.effect === 'read';
		properties.push({
			displayName: filters ? 'Filters' : 'Additional Fields',
			name: filters ? 'filters' : 'additionalFields',
			type: 'collection',
			placeholder: filters ? 'Add Filter' : 'Add Field',
			default: {},
			displayOptions,
			options: optional.map(([name, schema]) => fieldOf(name, schema)).sort(byDisplayName),
		});
	}
	properties.push(optionsOf(operation));
	return properties;
}

function listFields(operation: Operation): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			displayOptions: shownFor(operation),
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: shownFor(operation, { returnAll: [false] }),
			description: 'Max number of results to return',
		},
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			displayOptions: shownFor(operation),
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
	];
}

/** The technical options, the same words for every operation. */
export function optionsOf(operation: Operation, more: INodeProperties[] = []): INodeProperties {
	const options: INodeProperties[] = [
		...more,
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60,
			description: 'Seconds to wait for an answer of the bank',
		},
	];
	if (operation.effect === 'read') {
		options.push({
			displayName: 'Parallel Requests',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 20 },
			default: 5,
			description: 'How many requests may be under way at once',
		});
	}
	if (operation.list?.limit !== undefined) {
		options.push(
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'How many results to ask for at a time. The API description shows no maximum: lower it if the bank refuses it.',
			},
			{
				displayName: 'Offset',
				name: 'offset',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'How many results to skip at the beginning',
			},
			{
				displayName: 'Array Format',
				name: 'arrayFormat',
				type: 'options',
				options: [
					{ name: 'Brackets', value: 'brackets', description: 'Like accounts[]=1&accounts[]=2' },
					{ name: 'Comma', value: 'comma', description: 'Like accounts=1,2' },
					{ name: 'Indices', value: 'indices', description: 'Like accounts[0]=1&accounts[1]=2' },
					{ name: 'Repeat', value: 'repeat', description: 'Like accounts=1&accounts=2' },
				],
				default: 'repeat',
				description: 'How lists go into the query. The API description does not show it.',
			},
		);
	}
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: shownFor(operation),
		options: options.sort(byDisplayName),
	};
}

const rowsOrArrays = { arrays: ['arrays'], rows: ['rows'] };

/** The blocks of a loan application (2.4): each is a collection of lists, filled from arrays or from rows. */
export function blockProperties(operation: Operation, partner: v.GenericSchema): INodeProperties[] {
	const shown = (block: string, listSource: string[]) => shownFor(operation, { inputMode: ['fields'], blocks: [block], listSource });
	const blocks = Object.entries(unwrap(partner).schema.entries ?? {}).filter(([, schema]) => isBlock(unwrap(schema).schema));
	const chooser: INodeProperties = {
		displayName: 'Blocks',
		name: 'blocks',
		type: 'multiOptions',
		default: [],
		displayOptions: shownFor(operation, { inputMode: ['fields'] }),
		options: blocks
			.map(([name, schema]) => ({ name: v.getTitle(unwrap(schema).schema) ?? name, value: name, description: help(unwrap(schema).schema) }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en')),
		description: 'What you know about the seller. Each block adds its fields below; what you leave out is not sent.',
	} as INodeProperties;
	const source: INodeProperties = {
		displayName: 'Fill Lists From',
		name: 'listSource',
		type: 'options',
		default: 'arrays',
		displayOptions: shownFor(operation, { inputMode: ['fields'] }),
		options: [
			{ name: 'Arrays', value: 'arrays', description: 'Each list is an array from another node (an expression) or JSON' },
			{ name: 'Rows', value: 'rows', description: 'Each list is typed in row by row' },
		],
		description: 'How the lists of the blocks are given',
	};
	return [
		chooser,
		source,
		...blocks.flatMap(([name, schema]) => Object.values(rowsOrArrays).map((listSource) => blockField(name, unwrap(schema).schema, listSource, shown(name, listSource)))),
	];
}

function isBlock(schema: Schema): boolean {
	return schema.type === 'strict_object' || schema.type === 'array';
}

function blockField(name: string, schema: Schema, listSource: string[], displayOptions: INodeProperties['displayOptions']): INodeProperties {
	if (schema.type === 'array') return { ...listField(name, schema, listSource), displayOptions };
	return {
		displayName: v.getTitle(schema) ?? name,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions,
		description: help(schema),
		options: Object.entries(schema.entries ?? {})
			.map(([key, entry]) => {
				const inner = unwrap(entry).schema;
				return inner.type === 'array' ? listField(key, inner, listSource) : fieldOf(key, entry);
			})
			.sort(byDisplayName),
	};
}

function listField(name: string, schema: Schema, listSource: string[]): INodeProperties {
	const title = v.getTitle(schema) ?? name;
	const description = v.getDescription(schema) ?? '';
	const row = unwrap(schema.item as v.GenericSchema).schema;
	if (listSource.includes('arrays')) {
		return { displayName: title, name, type: 'json', default: '', placeholder: exampleRows(row), description: `${description}. An array of {${Object.keys(row.entries ?? {}).join(', ')}}.` };
	}
	return {
		displayName: title,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Row' },
		default: {},
		description: help(schema),
		placeholder: 'Add Row',
		options: [
			{
				displayName: 'Rows',
				name: 'rows',
				values: Object.entries(row.entries ?? {}).map(([key, entry]) => {
					const inner = unwrap(entry).schema;
					return inner.type === 'array' ? listField(key, inner, ['arrays']) : fieldOf(key, entry);
				}),
			},
		],
	};
}

function exampleRows(row: Schema): string {
	const example = Object.fromEntries(
		Object.entries(row.entries ?? {}).map(([key, entry]) => {
			const inner = unwrap(entry).schema;
			const shown = hintsOf(inner).placeholder?.replace(/^e\.g\. /, '') ?? '';
			return [key, inner.type === 'array' ? [] : inner.type === 'number' ? Number(shown || 1) : shown];
		}),
	);
	return `e.g. ${JSON.stringify([example])}`;
}
