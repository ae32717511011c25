import type { FormParts } from '../../shared/formParts.ts';

/** What a first upload and a repeat must carry is a rule of the bank (4.15, rule 3). */
export const parts: FormParts = {
	fields: [
		{
			displayName: 'Upload',
			name: 'upload',
			type: 'options',
			options: [
				{
					name: 'Only Rejected Documents',
					value: 'rejected',
					description: 'A repeat: carries only the documents that the bank rejected',
				},
				{
					name: 'Whole Document Set',
					value: 'whole',
					description: 'The first upload: carries all documents in one request',
				},
			],
			default: 'whole',
			description: 'Which documents the request must carry',
		},
		{
			displayName: 'Required Documents',
			name: 'requiredDocuments',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Document' },
			default: [],
			placeholder: 'e.g. application-form',
			displayOptions: { show: { upload: ['whole'] } },
			description:
				'Names of all documents that Print Form: Get Required lists. The upload is refused before sending ' +
				'while one of them is missing; a row of Files says which document it is. Left empty, nothing is ' +
				'compared.',
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
			description:
				'Names of the documents that Scan: Get Results lists as rejected. The upload must carry exactly ' +
				'these; a row of Files says which document it is.',
		},
	],
	help: {
		files: 'One file for each document, from binary fields of the input item',
	},
};
