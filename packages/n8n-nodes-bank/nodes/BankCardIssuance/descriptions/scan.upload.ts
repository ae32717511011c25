import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { scanUploadFields } from './generated/scan.upload.fields.ts';

/** Written by hand: what a first upload and a repeat must carry is a rule of the bank (4.15, rule 3). */

const show = { resource: ['scan'], operation: ['upload'] };

const which: INodeProperties[] = [
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
		// A list without rows shows no hint of its own.
		hint: 'The sandbox bank awaits three files for 1005 (application-form, credit-agreement, card-receipt), and one for 1007 (credit-agreement)',
		displayOptions: { show },
		description: 'Which documents the request must carry',
	},
	{
		displayName: 'Required Documents',
		name: 'requiredDocuments',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Document' },
		default: [],
		placeholder: 'e.g. application-form',
		displayOptions: { show: { ...show, upload: ['whole'] } },
		description:
			'Names of all documents that Print Form: Get Required lists. The upload is refused before sending while one of them is missing; the name of a file is where it goes into. Left empty, nothing is compared.',
	},
	{
		displayName: 'Rejected Documents',
		name: 'rejectedDocuments',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Document' },
		default: [],
		required: true,
		placeholder: 'e.g. credit-agreement',
		displayOptions: { show: { ...show, upload: ['rejected'] } },
		description:
			'Names of the documents that Scan: Get Results lists as rejected. The upload must carry exactly these; the name of a file is where it goes into.',
	},
];

/** The rows of files, with the words of this operation. */
function scanRows(field: INodeProperties): INodeProperties {
	const rows = (field.options ?? []) as INodePropertyCollection[];
	const options = rows.map((row) => ({
		...row,
		values: row.values.map((value) =>
			value.name === 'field' ? { ...value, placeholder: 'e.g. application-form' } : value,
		),
	}));
	return { ...field, description: 'One file for each document, from binary fields of the input item', options };
}

export const scanUploadForm: INodeProperties[] = scanUploadFields.flatMap((field) => {
	if (field.name === 'appId') return [field, ...which];
	return [field.name === 'files' ? scanRows(field) : field];
});
