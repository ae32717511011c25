import type { FormParts } from '../../shared/formParts.ts';

/** The content comes in base64 and becomes a binary field. */
export const parts: FormParts = {
	lastFields: [
		{
			displayName: 'Put Output File in Field',
			name: 'binaryField',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the output binary field to put the file in',
			description: 'Name of the binary field for the content of the file',
		},
	],
	options: [
		{
			displayName: 'Content Field',
			name: 'contentField',
			type: 'string',
			default: '',
			placeholder: 'e.g. content',
			description:
				'Field of the answer that holds the content in base64. The API description does not show it; left ' +
				'empty, the one base64 text that can be the content is taken.',
		},
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. contract.pdf',
			description: 'Name of the file. Left empty, the name in the answer, if there is one.',
		},
		{
			displayName: 'MIME Type',
			name: 'mimeType',
			type: 'string',
			default: '',
			placeholder: 'e.g. application/pdf',
			description: 'Type of the file. Left empty, it is found from the name or the content.',
		},
	],
	returns: 'The content goes into a binary field, the rest of the answer into the item.',
};
