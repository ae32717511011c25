import type { FormParts } from '../formParts.ts';

/** The bank returns the content as base64; the node turns it into a binary field. */
export const parts: FormParts = {
	lastFields: [
		{
			displayName: 'Put Output File in Field',
			name: 'binaryField',
			type: 'string',
			default: 'data',
			required: true,
			description: 'Name of the output binary field for the file',
		},
	],
	options: [
		{
			displayName: 'Content Field',
			name: 'contentField',
			type: 'string',
			default: '',
			placeholder: 'e.g. content',
			description: 'Response field that holds the content in base64. By default the only one that can hold it.',
		},
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. contract.pdf',
			description: 'Name of the file. By default the name in the response.',
		},
		{
			displayName: 'MIME Type',
			name: 'mimeType',
			type: 'string',
			default: '',
			placeholder: 'e.g. application/pdf',
			description: 'Type of the file. By default derived from its name or content.',
		},
	],
	returns: 'The content goes into a binary field, the rest of the response into the item.',
};
