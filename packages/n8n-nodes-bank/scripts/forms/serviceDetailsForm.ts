import { methods, type Operation, type Payload } from '@bank/core';
import { likelyMethod } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { byDisplayName, fieldOf } from './field.ts';
import { entriesOf } from './schemaEntries.ts';
import { showWhen } from './displayOptions.ts';

type Files = NonNullable<Payload['files']>;

/** Fields for data whose place in the request the API description does not show: the service details have the place. */
export function undocumentedFields(operation: Operation): INodeProperties[] {
	const { accessToken, payload, asynchronous } = operation;
	return [
		...entriesOf(operation.unnamedFields).map(([name, schema]) => fieldOf(name, schema)),
		...(accessToken === undefined ? [] : tokenFields),
		...(payload === undefined ? [] : [bodyFields(payload)]),
		...fileFields(operation),
		...(asynchronous === true ? waitFields : []),
	];
}

/** OAuth2 credentials send their own token. */
const withoutToken = { authenticateWith: ['gateway', 'mutualTls'] };

const tokenFields: readonly INodeProperties[] = [
	{
		displayName: 'Access Token',
		name: 'accessToken',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.access_token }}',
		displayOptions: showWhen(withoutToken),
		description: 'Access token of the user, as an expression with the output of Exchange Code',
	},
];

const bodyFields = ({ required }: Payload): INodeProperties => ({
	displayName: 'Body Fields',
	name: 'bodyFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['resource', 'operation', 'authenticateWith'],
		resourceMapper: {
			resourceMapperMethod: 'bodyFields',
			mode: 'add',
			valuesLabel: 'Body Fields',
			fieldWords: { singular: 'field', plural: 'fields' },
			// Without fields n8n would show an error, but a body may have none. If it needs fields, a notice says so
			// (nodes/shared/form/bodyFields.ts).
			hideNoDataError: true,
			refreshStaleSchemaOnOpen: true,
			addAllFields: true,
			// Without fields, only a selector of the mapping mode would be left of it.
			supportAutoMap: required,
		},
	},
	description: 'Fields that the Service Details of the credential name. Empty fields are not sent.',
});

/** Table of files, with a row for each document that the API description names. */
function fileFields(operation: Operation): INodeProperties[] {
	const files = operation.payload?.files;
	if (files === undefined) return [];
	const documents = Object.keys(files.documents ?? {});
	const row = (binaryField: string) => ({
		binaryField,
		...(documents.length === 0 ? {} : { document: binaryField }),
	});
	return [
		{
			displayName: 'Files',
			name: 'files',
			type: 'fixedCollection',
			// Always a list, because n8n cannot show the default of a single row.
			typeOptions: { multipleValues: true, ...(files.most === undefined ? {} : { maxAllowedFields: files.most }) },
			default: { file: documents.length === 0 ? [row('data')] : documents.map(row) },
			required: true,
			placeholder: 'Add File',
			description: documents.length === 0 ? 'Files to send' : `The ${documents.length} required documents to send`,
			options: [{ displayName: 'File', name: 'file', values: [...documentFields(files), ...placeFields] }],
		},
	];
}

/** Which document a file is: one of those that the description names, or one that the bank has a name for. */
function documentFields({ documents = {}, named }: Files): INodeProperties[] {
	const options = Object.entries(documents).map(([value, name]) => ({ name, value }));
	const [first] = options;
	const document: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'options',
		options: options.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
		default: first?.value ?? '',
		description: 'Which required document this is',
	};
	const ofTheBank: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'string',
		default: '',
		placeholder: 'e.g. credit-agreement',
		description: "The bank's name for the document. By default the binary field.",
	};
	return [...(first === undefined ? [] : [document]), ...(named === true ? [ofTheBank] : [])];
}

/** Where a file comes from. */
const placeFields: readonly INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryField',
		type: 'string',
		default: 'data',
		required: true,
		description: 'Name of the input binary field that holds the file',
	},
];

const waitFields: readonly INodeProperties[] = [
	{
		displayName: 'Wait for Result',
		name: 'waitForResult',
		type: 'boolean',
		default: false,
		description:
			'Whether to repeat the request until the result is ready. The Service Details of the credential say how to recognize it.',
	},
];

/** Overrides of the service details in a node. They are in one option, because a form cannot depend on a credential. */
export function overrideField(operation: Operation): INodeProperties[] {
	const { accessToken, payload, asynchronous } = operation;
	const options = [
		...addressOptions(operation),
		...unnamedOptions(operation),
		...(payload === undefined ? [] : bodyOptions),
		...(payload?.files === undefined ? [] : fileOptions),
		...(accessToken === undefined ? [] : tokenOptions),
		...(asynchronous === true ? waitOptions : []),
	];
	if (options.length === 0) return [];
	return [
		{
			displayName: 'Override Service Details',
			name: 'serviceDetails',
			type: 'collection',
			placeholder: 'Add Detail',
			default: {},
			description: 'Details from your bank that the credential lacks, or that differ for this node',
			options: options.sort(byDisplayName),
		},
	];
}

function addressOptions(operation: Operation): INodeProperties[] {
	const method: INodeProperties = {
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: [...methods].sort().map((name) => ({ name, value: name })),
		default: likelyMethod(operation),
		description: 'HTTP method. GET and DELETE send the body fields as query parameters.',
	};
	const path: INodeProperties = {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		placeholder: 'e.g. /service/operation',
		description: 'Path below the base URL',
	};
	return [...(operation.method === undefined ? [method] : []), ...(operation.path === undefined ? [path] : [])];
}

function unnamedOptions(operation: Operation): INodeProperties[] {
	return entriesOf(operation.unnamedFields).map(([name, schema]) => ({
		displayName: `${fieldOf(name, schema).displayName} Field Name`,
		name: `${name}Field`,
		type: 'string',
		default: '',
		placeholder: `e.g. request.${name}`,
		description: 'Name of the body field, or a path to it',
	}));
}

const bodyOptions: readonly INodeProperties[] = [
	{
		displayName: 'Body',
		name: 'payload',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"name": "value"}',
		description: 'Body as JSON, to which the other fields are added. Empty fields are not sent.',
	},
];

const fileOptions: readonly INodeProperties[] = [
	{
		displayName: 'File Field Name',
		name: 'fileField',
		type: 'string',
		default: '',
		placeholder: 'e.g. documents[].content',
		description: 'Name of the body field or form part for the files. [] is replaced by the number of the file.',
	},
	{
		displayName: 'Send Files As',
		name: 'filesAs',
		type: 'options',
		options: [
			{ name: 'Base64 in JSON', value: 'base64' },
			{ name: 'Multipart Form', value: 'multipart' },
		],
		default: 'base64',
		description: 'How to send the files. Ask your bank.',
	},
];

const tokenOptions: readonly INodeProperties[] = [
	{
		displayName: 'Access Token Parameter',
		name: 'carriedBy',
		type: 'string',
		default: '',
		placeholder: 'e.g. X-Access-Token',
		description: 'Name of the header or query parameter for the token',
	},
	{
		displayName: 'Send Access Token As',
		name: 'accessTokenAs',
		type: 'options',
		options: [
			{ name: 'Bearer Token', value: 'bearer' },
			{ name: 'Header', value: 'header' },
			{ name: 'Query Parameter', value: 'query', description: 'Proxies and servers may log it' },
		],
		default: 'bearer',
		description: 'How to send the token',
	},
];

const waitOptions: readonly INodeProperties[] = [
	{
		displayName: 'Result Is Ready When',
		name: 'waitUntil',
		type: 'options',
		options: [
			{ name: 'A Field Exists', value: 'present' },
			{ name: 'A Field Has None of the Values', value: 'isNot' },
			{ name: 'A Field Has One of the Values', value: 'is' },
			{ name: 'The Response Has Content', value: 'answered', description: 'Any content, and a status other than 202' },
		],
		default: 'answered',
		description: 'How to recognize the final result',
	},
	{
		displayName: 'Result Field',
		name: 'waitField',
		type: 'string',
		default: '',
		placeholder: 'e.g. status',
		description: 'Name of a response field, or a path such as scoring.result or scans[*].state',
	},
	{
		displayName: 'Result Values',
		name: 'waitValues',
		type: 'string',
		default: '',
		placeholder: 'e.g. APPROVED, READY',
		description: 'Values to compare the field with, separated by commas',
	},
	{
		displayName: 'Wait on HTTP Statuses',
		name: 'waitStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 404, 409',
		description: 'HTTP statuses of a pending result, separated by commas',
	},
];
