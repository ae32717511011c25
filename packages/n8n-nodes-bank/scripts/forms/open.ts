import { isAddressOpen, likelyMethod, methods, type Operation, type Payload } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { fieldOf } from './field.ts';
import { entriesOf } from './schema.ts';
import { when } from './when.ts';

type Files = NonNullable<Payload['files']>;

/** What the description leaves open is asked of the user (see `OperationInput`). Every question is the same for all operations. */
export function openFields(operation: Operation): INodeProperties[] {
	return [
		...namelessFields(operation),
		...tokenFields(operation),
		...noticeFields(operation),
		...addressFields(operation),
		...payloadFields(operation),
		...fileFields(operation),
		...waitFields(operation),
	];
}

function namelessFields(operation: Operation): INodeProperties[] {
	return entriesOf(operation.nameless).flatMap(([name, schema]) => {
		const field = fieldOf(name, schema);
		const place: INodeProperties = {
			displayName: `${field.displayName} Goes Into`,
			name: `${name}Field`,
			type: 'string',
			default: '',
			required: true,
			placeholder: `e.g. ${name}`,
			description:
				'Name of the field that carries it. The API description does not show it: ask the bank. ' +
				`Dots and brackets reach deeper, like request.${name}.`,
		};
		return [field, place];
	});
}

function tokenFields(operation: Operation): INodeProperties[] {
	if (operation.accessToken === undefined) return [];
	// Where the credential has a token of its own, none is asked for.
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
			displayOptions: when(withoutToken),
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
			displayOptions: when(withoutToken),
			description: 'How the token travels. The API description does not show it.',
		},
		{
			displayName: 'Carried By',
			name: 'carriedBy',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. access_token',
			displayOptions: when({ ...withoutToken, accessTokenAs: ['header', 'query'] }),
			description: 'Name of the header or query parameter that carries the token',
		},
	];
}

/** What is known of a payload whose fields are not shown: so the questions themselves need not say it. */
function noticeFields({ payload }: Operation): INodeProperties[] {
	if (payload === undefined) return [];
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
		description:
			'The API description does not show the HTTP method: the preselected one is a guess. With GET and ' +
			'DELETE the payload goes into the query.',
	};
	const path: INodeProperties = {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: operation.path ?? '',
		required: true,
		...(operation.path === undefined ? { placeholder: 'e.g. /service/operation' } : {}),
		description:
			operation.path === undefined
				? 'Path below the base URL of the credential. The API description does not show it: the bank gives it to you.'
				: 'Path below the base URL of the credential, as the API description shows it',
	};
	return operation.method === undefined ? [method, path] : [path];
}

function payloadFields({ payload }: Operation): INodeProperties[] {
	if (payload === undefined) return [];
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
			description:
				'How the payload is given. The API description does not show the fields: the bank gives them to you.',
		},
		{
			displayName: 'Payload',
			name: 'payload',
			type: 'json',
			default: '{}',
			required: true,
			placeholder: 'e.g. {"name": "value"}',
			displayOptions: when({ payloadFrom: ['json'] }),
			description: 'A JSON object or list. Empty fields are left out.',
		},
		{
			displayName: 'Fields',
			name: 'payloadFields',
			type: 'assignmentCollection',
			default: {},
			displayOptions: when({ payloadFrom: ['fields'] }),
			description: 'Dots and brackets in a name reach deeper, like person.names[0]. Empty fields are left out.',
		},
		{
			displayName: 'Payload Binary Field',
			name: 'payloadBinaryField',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			displayOptions: when({ payloadFrom: ['binary'] }),
			description: 'Name of the binary field of the input item that holds the payload as JSON',
		},
	];
}

/** Rows of binary fields. Where the description names the documents, a row of each is there from the start. */
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
			description:
				documents.length === 0
					? 'The files to send, from binary fields of the input item'
					: `The ${documents.length} required documents, from binary fields of the input item`,
			options: [{ displayName: 'File', name: 'file', values: [...documentFields(files), ...placeFields] }],
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
			description: 'How files travel. The API description says only that all bodies are JSON.',
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
		description: 'Which of the required documents it is',
	};
	const ofTheBank: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'string',
		default: '',
		placeholder: 'e.g. credit-agreement',
		description: 'Name that the bank has for the document. Empty: the place that it goes into, or the binary field.',
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
];

function waitFields(operation: Operation): INodeProperties[] {
	if (operation.asynchronous !== true) return [];
	const waiting = (more: Record<string, string[]> = {}) => when({ waitForResult: [true], ...more });
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
			description:
				'Name of the field of the answer. Dots and brackets reach deeper, like scoring.result; [*] stands for all ' +
				'elements of a list, like scans[*].state.',
		},
		values('is', 'e.g. APPROVED, READY', 'Values by which the result is there, separated by commas'),
		values('isNot', 'e.g. IN_PROGRESS, QUEUED', 'Values by which the result is not there yet, separated by commas'),
	];
}
