import {
	fields,
	hintsOf,
	isAddressOpen,
	likelyMethod,
	methods,
	type Operation,
	operationName,
	type Payload,
	type Resource,
	resourceOf,
	unwrap,
} from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';
import * as v from 'valibot';

import { collectionOf } from '../nodes/shared/form.ts';

/**
 * Operation -> form fields of n8n. Run by `pnpm generate`, never inside n8n: the result is committed as literals, because
 * n8n's lint and a reviewer read literals.
 */

type Schema = ReturnType<typeof unwrap>['schema'];

const byDisplayName = (a: { displayName: string }, b: { displayName: string }) =>
	a.displayName.localeCompare(b.displayName, 'en');

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
			return {
				...common,
				type: 'options',
				options,
				default: initial ?? options[0]?.value,
				...extra,
				description,
			} as INodeProperties;
		}
		case 'number':
			// Text as well: amounts and identifiers come as text from tables; the check before sending turns them.
			return {
				...common,
				type: 'string',
				default: '',
				...required,
				...example,
				...extra,
				description,
			} as INodeProperties;
		case 'array':
		case 'union': // a list or one text
			return {
				...common,
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${singular(common.displayName)}` },
				default: [],
				...required,
				...example,
				...extra,
				description,
			} as INodeProperties;
		default:
			return {
				...common,
				type: kind === 'day' ? 'dateTime' : 'string',
				default: '',
				...required,
				...example,
				...extra,
				description,
			} as INodeProperties;
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

export function shownFor(
	operation: Operation,
	more: Record<string, unknown[]> = {},
): INodeProperties['displayOptions'] {
	return {
		show: { resource: [resourceOf(operation)], operation: [operationName(operation)], ...more } as Record<
			string,
			string[]
		>,
	};
}

export function operationSelector(resource: Resource): INodeProperties {
	const options = resource.operations
		.map((operation) => ({
			name: operation.name,
			value: operationName(operation),
			action: operation.action,
			description: sentences(operation.description),
		}))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options,
		default:
			options.find((option) => /^(create|get|order|search|send)/i.test(option.value))?.value ?? options[0]?.value,
	} as INodeProperties;
}

function entriesOf(group: Operation['body']): [string, v.GenericSchema][] {
	return Object.entries(group?.entries ?? {});
}

/** The operation as far as its form is generated: a hand-written one asks for the rest in its own way. */
function lessFields(operation: Operation, without: readonly string[]): Operation {
	const less = (group: Operation['body']) =>
		group === undefined
			? group
			: fields(Object.fromEntries(entriesOf(group).filter(([name]) => !without.includes(name))));
	const { body, nameless } = operation;
	return {
		...operation,
		...(body === undefined ? {} : { body: less(body) }),
		...(nameless === undefined ? {} : { nameless: less(nameless) }),
	} as Operation;
}

/** The whole form of an operation: required fields first, the rest under one collection, then what every read or list has. */
export function toNodeProperties(whole: Operation, without: readonly string[] = []): INodeProperties[] {
	const operation = lessFields(whole, without);
	const displayOptions = shownFor(operation);
	const { list } = operation;
	const paging = [list?.offset, list?.limit];
	const all = [...entriesOf(operation.pathFields), ...entriesOf(operation.query), ...entriesOf(operation.body)];
	const optional = all.filter(([name, schema]) => unwrap(schema).optional && !paging.includes(name));
	const required = all.filter(([, schema]) => !unwrap(schema).optional);

	const properties = required.map(([name, schema]) => fieldOf(name, schema, { displayOptions }));
	properties.push(...openFields(operation));
	if (list) properties.push(...listFields(operation));
	if (optional.length > 0) {
		const filters = collectionOf(operation) === 'filters';
		properties.push({
			displayName: filters ? 'Filters' : 'Additional Fields',
			name: collectionOf(operation),
			type: 'collection',
			placeholder: filters ? 'Add Filter' : 'Add Field',
			default: {},
			displayOptions,
			options: optional.map(([name, schema]) => fieldOf(name, schema)).sort(byDisplayName),
		});
	}
	properties.push(optionsOf(operation, operation.id === 'unifiedCheck.run' ? [otherChecks] : []));
	return properties;
}

/** What the description leaves open is asked of the user (see `OperationInput`). */
export function openFields(operation: Operation): INodeProperties[] {
	return [
		...namelessFields(operation),
		...tokenFields(operation),
		...addressFields(operation),
		...payloadFields(operation),
		...fileFields(operation),
		...waitFields(operation),
	];
}

function namelessFields(operation: Operation): INodeProperties[] {
	const displayOptions = shownFor(operation);
	return entriesOf(operation.nameless).flatMap(([name, schema]) => {
		const field = fieldOf(name, schema, { displayOptions });
		const title = field.displayName;
		return [
			field,
			{
				displayName: `${title} Goes Into`,
				name: `${name}Field`,
				type: 'string',
				default: '',
				required: true,
				placeholder: `e.g. ${name}`,
				displayOptions,
				description: `Name of the field that carries it. The API description does not show it: ask the bank. The sandbox bank takes any name. Dots and brackets reach deeper, like request.${name}.`,
			} as INodeProperties,
		];
	});
}

function tokenFields(operation: Operation): INodeProperties[] {
	if (operation.accessToken === undefined) return [];
	const own = (more: Record<string, unknown[]> = {}) =>
		shownFor(operation, { authenticateWith: ['gateway', 'mutualTls'], ...more });
	return [
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.access_token }}',
			displayOptions: own(),
			description: "The user's access token, as Exchange Code returned it: an expression",
		},
		{
			displayName: 'Send Access Token As',
			name: 'accessTokenAs',
			type: 'options',
			options: [
				{ name: 'Bearer Token', value: 'bearer', description: 'In the header Authorization, as OAuth 2.0 does' },
				{ name: 'Header', value: 'header', description: 'In a header of another name' },
				{
					name: 'Query Parameter',
					value: 'query',
					description: 'In the address. It may then stand in logs of servers on the way.',
				},
			],
			default: 'bearer',
			displayOptions: own(),
			description: 'How the token travels. The API description does not show it.',
		},
		{
			displayName: 'Carried By',
			name: 'carriedBy',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. access_token',
			displayOptions: own({ accessTokenAs: ['header', 'query'] }),
			description: 'Name of the header or query parameter that carries the token',
		},
	];
}

function addressFields(operation: Operation): INodeProperties[] {
	if (!isAddressOpen(operation)) return [];
	const displayOptions = shownFor(operation);
	const example = operation.examplePath;
	const method: INodeProperties = {
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: [...methods].sort().map((name) => ({ name, value: name })),
		default: likelyMethod(operation),
		displayOptions,
		description:
			'The API description does not show the HTTP method: the preselected one is a guess. With GET and DELETE the payload goes into the query.',
	};
	const path: INodeProperties = {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: operation.path ?? '',
		required: true,
		placeholder: `e.g. ${operation.path ?? example}`,
		displayOptions,
		description:
			example === undefined
				? 'Path of the operation below the base URL of the credential, as the API description shows it'
				: `Path of the operation below the base URL of the credential. The API description does not show it: the bank gives it to you. The sandbox bank of this package has it at ${example}.`,
	};
	return operation.method === undefined ? [method, path] : [path];
}

function payloadFields(operation: Operation): INodeProperties[] {
	const { payload } = operation;
	if (payload === undefined) return [];
	const shown = (payloadFrom: string) => shownFor(operation, { payloadFrom: [payloadFrom] });
	const none = { name: 'Nothing', value: 'none', description: 'Send nothing beside the fields above' };
	return [
		{
			displayName: 'Payload From',
			name: 'payloadFrom',
			type: 'options',
			options: [
				{ name: 'Binary File', value: 'binary', description: 'A file of the input item that holds JSON' },
				{ name: 'Fields', value: 'fields', description: 'Names and values, one by one' },
				{ name: 'JSON', value: 'json', description: 'One JSON object, typed in or from an expression' },
				...(payload.required ? [] : [none]),
			],
			default: payload.required ? 'json' : 'none',
			displayOptions: shownFor(operation),
			description: `${payload.description}. The API description does not show the fields: the bank gives them to you.`,
		},
		{
			displayName: 'Payload',
			name: 'payload',
			type: 'json',
			default: '{}',
			required: true,
			placeholder: `e.g. ${payload.example ?? '{"name": "value"}'}`,
			// The editor for JSON shows no placeholder.
			...(payload.example === undefined ? {} : { hint: `The sandbox bank takes, for example, ${payload.example}` }),
			displayOptions: shown('json'),
			description: 'The payload as a JSON object or list. Empty fields are left out.',
		},
		{
			displayName: 'Fields',
			name: 'payloadFields',
			type: 'assignmentCollection',
			default: {},
			displayOptions: shown('fields'),
			description:
				'The payload field by field. Dots and brackets reach deeper, like person.names[0]. Empty fields are left out.',
		},
		{
			displayName: 'Payload Binary Field',
			name: 'payloadBinaryField',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			displayOptions: shown('binary'),
			description: 'Name of the binary field of the input item that holds the payload as JSON',
		},
	];
}

/** Rows of binary fields. Where the description names the documents, a row of each is there from the start. */
function fileFields(operation: Operation): INodeProperties[] {
	const files: Payload['files'] = operation.payload?.files;
	if (files === undefined) return [];
	const displayOptions = shownFor(operation);
	const documents = Object.entries(files.documents ?? {});
	const document: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'options',
		options: documents.map(([value, name]) => ({ name, value })).sort((a, b) => a.name.localeCompare(b.name, 'en')),
		default: documents[0]?.[0] ?? '',
		description: 'Which of the required documents it is',
	};
	const row = (binaryField: string) => ({
		binaryField,
		field: '',
		...(documents.length === 0 ? {} : { document: binaryField }),
	});
	return [
		{
			displayName: 'Files',
			name: 'files',
			type: 'fixedCollection',
			// A list also where there may be only one: n8n cannot fill in the default of a single row.
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add File',
				...(files.most === undefined ? {} : { maxAllowedFields: files.most }),
			},
			default: { file: documents.length === 0 ? [row('data')] : documents.map(([name]) => row(name)) },
			required: true,
			placeholder: 'Add File',
			displayOptions,
			description:
				documents.length === 0
					? 'The files to send, from binary fields of the input item'
					: `The ${documents.length} required documents, from binary fields of the input item`,
			options: [
				{
					displayName: 'File',
					name: 'file',
					values: [
						...(documents.length === 0 ? [] : [document]),
						{
							displayName: 'Input Binary Field',
							name: 'binaryField',
							type: 'string',
							default: 'data',
							required: true,
							placeholder: 'e.g. data',
							hint: 'The name of the input binary field containing the file to be uploaded',
							description: 'Name of the binary field of the input item',
						},
						{
							displayName: 'Goes Into',
							name: 'field',
							type: 'string',
							default: '',
							placeholder: 'e.g. documents[0].content',
							description:
								'Name of the field or form part that carries it, which the API description does not show. Empty: the name of the binary field.',
						},
					],
				},
			],
		},
		{
			displayName: 'Send Files As',
			name: 'filesAs',
			type: 'options',
			options: [
				{ name: 'Base64 in JSON', value: 'base64', description: 'Each file as text inside the JSON payload' },
				{
					name: 'Multipart Form',
					value: 'multipart',
					description: 'Each file as a part of a multipart/form-data body, beside the fields of the payload',
				},
			],
			default: 'base64',
			displayOptions,
			description:
				'How files travel. The API description says only that all bodies are JSON. The sandbox bank takes both.',
		},
	];
}

function waitFields(operation: Operation): INodeProperties[] {
	if (operation.asynchronous !== true) return [];
	const waiting = (more: Record<string, unknown[]> = {}) => shownFor(operation, { waitForResult: [true], ...more });
	const values = (waitUntil: string, placeholder: string, description: string): INodeProperties => ({
		displayName: 'Values',
		name: 'waitValues',
		type: 'string',
		default: '',
		required: true,
		placeholder,
		displayOptions: waiting({ waitUntil: [waitUntil] }),
		description,
	});
	return [
		{
			displayName: 'Wait for Result',
			name: 'waitForResult',
			type: 'boolean',
			default: false,
			displayOptions: shownFor(operation),
			description: 'Whether to ask again and again until the result is there, instead of once',
		},
		{
			displayName: 'Result Is There When',
			name: 'waitUntil',
			type: 'options',
			options: [
				{ name: 'A Field Has One of These Values', value: 'is' },
				{ name: 'A Field Has Other Than These Values', value: 'isNot' },
				{ name: 'A Field Is There', value: 'present' },
				{
					name: 'The Bank Answers With Content',
					value: 'answered',
					description: 'Any answer but an empty one and HTTP 202',
				},
			],
			default: 'answered',
			displayOptions: waiting(),
			description:
				'How to tell the result from "not yet". The API description shows neither answers nor states: ask the bank.',
		},
		{
			displayName: 'Field',
			name: 'waitField',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. status',
			displayOptions: waiting({ waitUntil: ['is', 'isNot', 'present'] }),
			description: 'Name of the field of the answer. Dots and brackets reach deeper, like scoring.result.',
		},
		values('is', 'e.g. APPROVED, READY', 'Values by which the result is there, separated by commas'),
		values('isNot', 'e.g. IN_PROGRESS, QUEUED', 'Values by which the result is not there yet, separated by commas'),
	];
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

const otherChecks: INodeProperties = {
	displayName: 'Other Checks',
	name: 'otherChecks',
	type: 'options',
	options: [
		{ name: 'Leave Out', value: 'leaveOut', description: 'The request names only the checks to run' },
		{
			name: 'Send as False',
			value: 'false',
			description: 'The request names all eight checks, those not picked with isToCall "false"',
		},
	],
	default: 'false',
	description: 'What becomes of the checks that are not picked',
};

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
	if (operation.payload !== undefined) {
		options.push({
			displayName: 'Keep Empty Fields',
			name: 'keepEmpty',
			type: 'boolean',
			default: false,
			description:
				'Whether to send empty fields of the payload as they are. Otherwise they are left out, as the API description demands for optional fields without information.',
		});
	}
	if (operation.once === true) {
		options.push({
			displayName: 'Ask Again',
			name: 'askAgain',
			type: 'boolean',
			default: false,
			description:
				'Whether to send the request although this node has sent it before for the same application. The bank allows it only once.',
		});
	}
	if (operation.asynchronous === true) {
		options.push(
			{
				displayName: 'Wait at Most',
				name: 'waitAtMost',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 600,
				description:
					'Seconds after which waiting for the result ends with an error. Nothing is lost then: run again to go on waiting.',
			},
			{
				displayName: 'Wait Between Requests',
				name: 'waitEvery',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 10,
				description: 'Seconds between two requests while waiting for the result',
			},
			{
				displayName: 'Wait on HTTP Statuses',
				name: 'waitStatuses',
				type: 'string',
				default: '',
				placeholder: 'e.g. 404, 409',
				description: 'HTTP statuses by which the bank says that the result is not there yet, separated by commas',
			},
		);
	}
	if (operation.list?.limit !== undefined) {
		options.push(
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description:
					'How many results to ask for at a time. The API description shows no maximum: lower it if the bank refuses it.',
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
	const shown = (block: string, listSource: string[]) =>
		shownFor(operation, { inputMode: ['fields'], blocks: [block], listSource });
	const blocks = Object.entries(unwrap(partner).schema.entries ?? {}).filter(([, schema]) =>
		isBlock(unwrap(schema).schema),
	);
	const chooser: INodeProperties = {
		displayName: 'Blocks',
		name: 'blocks',
		type: 'multiOptions',
		default: [],
		displayOptions: shownFor(operation, { inputMode: ['fields'] }),
		options: blocks
			.map(([name, schema]) => ({
				name: v.getTitle(unwrap(schema).schema) ?? name,
				value: name,
				description: help(unwrap(schema).schema),
			}))
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
			{
				name: 'Arrays',
				value: 'arrays',
				description: 'Each list is an array from another node (an expression) or JSON',
			},
			{ name: 'Rows', value: 'rows', description: 'Each list is typed in row by row' },
		],
		description: 'How the lists of the blocks are given',
	};
	return [
		chooser,
		source,
		...blocks.flatMap(([name, schema]) =>
			Object.values(rowsOrArrays).map((listSource) =>
				blockField(name, unwrap(schema).schema, listSource, shown(name, listSource)),
			),
		),
	];
}

function isBlock(schema: Schema): boolean {
	return schema.type === 'strict_object' || schema.type === 'array';
}

function blockField(
	name: string,
	schema: Schema,
	listSource: string[],
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
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
		return {
			displayName: title,
			name,
			type: 'json',
			default: '',
			placeholder: exampleRows(row),
			description: `${description}. An array of {${Object.keys(row.entries ?? {}).join(', ')}}.`,
		};
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

/**
 * The forms of several operations in one list, with each field that they share only once: the package stays small, and a value
 * stays when the user goes on to another operation. The order of every form stays as it is.
 */
export function merged(forms: readonly INodeProperties[][]): INodeProperties[] {
	const order: string[] = [];
	for (const form of forms) {
		let after = -1;
		for (const { name } of form) {
			const known = order.indexOf(name);
			if (known >= 0 && known < after)
				throw new Error(`The field ${name} stands in another order in two operations of a resource`);
			if (known < 0) order.splice(after + 1, 0, name);
			after = known < 0 ? after + 1 : known;
		}
	}
	const fields = forms.flat();
	return order.flatMap((name) => {
		const byContent = new Map<string, INodeProperties>();
		for (const field of fields.filter((candidate) => candidate.name === name)) {
			const { operation = [], ...show } = field.displayOptions?.show ?? {};
			const content = JSON.stringify({ ...field, displayOptions: { ...field.displayOptions, show } });
			const same = byContent.get(content);
			const operations = [...((same?.displayOptions?.show?.operation ?? []) as string[]), ...(operation as string[])];
			// Where `operation` stood, so that a form of one operation reads as before.
			const shown = Object.fromEntries(
				Object.entries(field.displayOptions?.show ?? {}).map(([key, values]) => [
					key,
					key === 'operation' ? operations : values,
				]),
			);
			byContent.set(content, { ...field, displayOptions: { ...field.displayOptions, show: shown } });
		}
		return [...byContent.values()];
	});
}
