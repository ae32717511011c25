import { detailsSchema, type Operation, type Payload } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { entriesOf, fieldOf } from './field.ts';

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
		displayOptions: { show: withoutToken },
		description: 'Access token of the user, which Exchange Code returned',
	},
];

const bodyFields = ({ required }: Payload): INodeProperties => ({
	displayName: 'Body Fields',
	name: 'bodyFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: [
			...['resource', 'operation', 'authenticateWith', 'options.serviceDetails'],
			// Set until n8n has selected the credential (nodes/shared/form/bodyFields.ts).
			'bodyFields.matchingColumns[1]',
		],
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
			// Without fields, only the selector of the mapping mode would be left.
			supportAutoMap: required,
		},
	},
	description: 'Fields from the Service Details of the credential. Empty fields are not sent.',
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

/** Fields that say which document a file is: one that the description names, or one that the bank has a name for. */
function documentFields({ documents = {}, named }: Files): INodeProperties[] {
	const options = Object.entries(documents).map(([value, name]) => ({ name, value }));
	const [first] = options;
	const document: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'options',
		options: options.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
		default: first?.value ?? '',
		description: 'Document that the file contains',
	};
	const ofTheBank: INodeProperties = {
		displayName: 'Document',
		name: 'document',
		type: 'string',
		default: '',
		placeholder: 'e.g. credit-agreement',
		description: "The bank's name for the document. If empty, the name of the binary field.",
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

/** Overrides of the service details in a node, as JSON: a form cannot depend on a credential. */
export function overrideOption(operation: Operation): INodeProperties[] {
	if (Object.keys(detailsSchema(operation).entries).length === 0) return [];
	return [
		{
			displayName: 'Override Service Details',
			name: 'serviceDetails',
			type: 'json',
			default: '{}',
			description:
				'JSON with the keys of this operation in the Service Details of the credential, such as {"path": "/trips"}. ' +
				'"payload" is a whole body.',
		},
	];
}
