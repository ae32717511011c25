import type { FormParts } from '../formParts.ts';

/** The bank prescribes which documents a first upload and a repeated one contain (4.15, rule 3). */
export const parts: FormParts = {
	fields: [
		{
			displayName: 'Upload',
			name: 'upload',
			type: 'options',
			options: [
				{ name: 'All Documents', value: 'whole', description: 'First upload' },
				{ name: 'Only Rejected Documents', value: 'rejected', description: 'Upload again after a rejection' },
			],
			default: 'whole',
			description: 'Which documents to send',
		},
		{
			displayName: 'Required Documents',
			name: 'requiredDocuments',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Document' },
			default: [],
			placeholder: 'e.g. application-form',
			displayOptions: { show: { upload: ['whole'] } },
			description: 'Names of the documents that Print Form: Get Required lists, to check that none is missing',
		},
		{
			displayName: 'Rejected Documents',
			name: 'rejectedDocuments',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Document' },
			default: [],
			required: true,
			placeholder: 'e.g. credit-agreement',
			displayOptions: { show: { upload: ['rejected'] } },
			description: 'Names of the documents that Scan: Get Results lists as rejected. Send exactly these.',
		},
	],
	help: { files: 'One file per document' },
};
