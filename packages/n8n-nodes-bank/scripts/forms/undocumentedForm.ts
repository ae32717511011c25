import { isAddressOpen, methods, type Operation, type Payload } from '@bank/core';
import { likelyMethod } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { fieldOf } from './field.ts';
import { entriesOf } from './schemaEntries.ts';
import { showWhen } from './displayOptions.ts';

type Files = NonNullable<Payload['files']>;

/** Fields for details that the API description does not show (see `OperationInput`), the same for all operations. */
export function undocumentedFields(operation: Operation): INodeProperties[] {
	return [
		...unnamedFormFields(operation),
		...tokenFields(operation),
		...noticeFields(operation),
		...addressFields(operation),
		...payloadFields(operation),
		...fileFields(operation),
		...waitFields(operation),
	];
}

function unnamedFormFields(operation: Operation): INodeProperties[] {
	return entriesOf(operation.unnamedFields).flatMap(([name, schema]) => {
		const field = fieldOf(name, schema);
		const place: INodeProperties = {
			displayName: `${field.displayName} Field Name`,
			name: `${name}Field`,
			type: 'string',
			default: '',
			required: true,
			placeholder: `e.g. ${name}`,
			description: `Name of the payload field for it. Ask your bank. A path such as request.${name} works too.`,
		};
		return [field, place];
	});
}

function tokenFields(operation: Operation): INodeProperties[] {
	if (operation.accessToken === undefined) return [];
	// OAuth2 credentials send their own token.
	const withoutToken = { authenticateWith: ['gateway', 'mutualTls'] };
	return [
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.access_token }}',
			displayOptions: showWhen(withoutToken),
			description: "The user's access token, as Exchange Code returned it: an expression",
		},
		{
			displayName: 'Send Access Token As',
			name: 'accessTokenAs',
			type: 'options',
			options: [
				{ name: 'Bearer Token', value: 'bearer' },
				{ name: 'Header', value: 'header' },
				{ name: 'Query Parameter', value: 'query', description: 'Servers on the way may log it' },
			],
			default: 'bearer',
			displayOptions: showWhen(withoutToken),
			description: 'How to send the token. Ask your bank.',
		},
		{
			displayName: 'Parameter Name',
			name: 'carriedBy',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. access_token',
			displayOptions: showWhen({ ...withoutToken, accessTokenAs: ['header', 'query'] }),
			description: 'Name of the header or query parameter for the token',
		},
	];
}

/** Shows what is known about a payload whose fields are not shown. */
function noticeFields({ payload }: Operation): INodeProperties[] {
	if (payload?.about === undefined) return [];
	return [{ displayName: `Payload: ${lowerFirst(payload.about)}.`, name: 'known', type: 'notice', default: '' }];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function addressFields(operation: Operation): INodeProperties[] {
	if (!isAddressOpen(operation)) return [];
	const method: INodeProperties = {
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: [...methods].sort().map((name) => ({ name, value: name })),
		default: likelyMethod(operation),
		description: 'HTTP method. Ask your bank. GET and DELETE send the payload as query parameters.',
	};
	const path: INodeProperties = {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: operation.path ?? '',
		required: true,
		...(operation.path === undefined ? { placeholder: 'e.g. /service/operation' } : {}),
		description: `Path below the base URL${operation.path === undefined ? '. Ask your bank.' : ''}`,
	};
	return operation.method === undefined ? [method, path] : [path];
}

function payloadFields({ payload }: Operation): INodeProperties[] {
	if (payload === undefined) return [];
	return [
		{
			displayName: 'Payload From',
			name: 'payloadFrom',
			type: 'options',
			options: [
				{ name: 'Binary File', value: 'binary' },
				{ name: 'Fields', value: 'fields' },
				{ name: 'JSON', value: 'json' },
				...(payload.required ? [] : [{ name: 'Nothing', value: 'none' }]),
			],
			default: payload.required ? 'json' : 'none',
			description: 'Where the payload comes from. Ask your bank for its fields.',
		},
		{
			displayName: 'Payload',
			name: 'payload',
			type: 'json',
			default: '{}',
			required: true,
			placeholder: 'e.g. {"name": "value"}',
			displayOptions: showWhen({ payloadFrom: ['json'] }),
			description: 'JSON object or array. Empty fields are not sent.',
		},
		{
			displayName: 'Fields',
			name: 'payloadFields',
			type: 'assignmentCollection',
			default: {},
			displayOptions: showWhen({ payloadFrom: ['fields'] }),
			description: 'Names and values. A path such as person.names[0] works too. Empty fields are not sent.',
		},
		{
			displayName: 'Payload Binary Field',
			name: 'payloadBinaryField',
			type: 'string',
			default: 'data',
			required: true,
			displayOptions: showWhen({ payloadFrom: ['binary'] }),
			description: 'Name of the input binary field that holds the JSON',
		},
	];
}

/** Table of files, with a row for each document that the API description names. */
function fileFields(operation: Operation): INodeProperties[] {
	const files = operation.payload?.files;
	if (files === undefined) return [];
	const documents = Object.keys(files.documents ?? {});
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
			typeOptions: { multipleValues: true, ...(files.most === undefined ? {} : { maxAllowedFields: files.most }) },
			default: { file: documents.length === 0 ? [row('data')] : documents.map(row) },
			required: true,
			placeholder: 'Add File',
			description: documents.length === 0 ? 'Files to send' : `The ${documents.length} required documents to send`,
			options: [{ displayName: 'File', name: 'file', values: [...documentFields(files), ...placeFields] }],
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
		description: "The bank's name for the document. By default the field name.",
	};
	return [...(first === undefined ? [] : [document]), ...(named === true ? [ofTheBank] : [])];
}

/** Where a file comes from, and where it goes. */
const placeFields: readonly INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryField',
		type: 'string',
		default: 'data',
		required: true,
		description: 'Name of the input binary field that holds the file',
	},
	{
		displayName: 'Field Name',
		name: 'field',
		type: 'string',
		default: '',
		placeholder: 'e.g. documents[0].content',
		description:
			'Name of the payload field or form part for the file. Ask your bank. By default the name of the binary field.',
	},
];

function waitFields(operation: Operation): INodeProperties[] {
	if (operation.asynchronous !== true) return [];
	const waiting = (more: Record<string, string[]> = {}) => showWhen({ waitForResult: [true], ...more });
	return [
		{
			displayName: 'Wait for Result',
			name: 'waitForResult',
			type: 'boolean',
			default: false,
			description: 'Whether to repeat the request until the result is ready',
		},
		{
			displayName: 'Result Is Ready When',
			name: 'waitUntil',
			type: 'options',
			options: [
				{ name: 'A Field Has One of the Values', value: 'is' },
				{ name: 'A Field Has None of the Values', value: 'isNot' },
				{ name: 'A Field Exists', value: 'present' },
				{ name: 'The Response Has Content', value: 'answered', description: 'And its status is not 202' },
			],
			default: 'answered',
			displayOptions: waiting(),
			description: 'How to recognize the final result. Ask your bank.',
		},
		{
			displayName: 'Field',
			name: 'waitField',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. status',
			displayOptions: waiting({ waitUntil: ['is', 'isNot', 'present'] }),
			description: 'Name of a response field, or a path such as scoring.result or scans[*].state',
		},
		{
			displayName: 'Values',
			name: 'waitValues',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. APPROVED, READY',
			displayOptions: waiting({ waitUntil: ['is', 'isNot'] }),
			description: 'Values to compare the field with, separated by commas',
		},
	];
}
