import { definitions, unwrap } from '@bank/core';

import { type FormParts, textField } from '../formParts.ts';

const partner = definitions.loanApplication.create.body?.entries.partner;
const blocks = Object.keys((partner && unwrap(partner).schema.entries) ?? {});
const docs = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/nodes/bank.md#loan-application';

/** `partner` is one JSON field: its fourteen blocks with about fifty tables would take a quarter of all forms. */
export const parts: FormParts = {
	asksItself: ['dealId', 'borrower', 'partner'],
	fields: [
		textField(
			'Deal ID',
			'dealId',
			'UUID of the application, chosen by you. Use a new one for each application (Crypto node).',
			{
				required: true,
				placeholder: 'e.g. 123e4567-e89b-42d3-a456-426614174000',
			},
		),
		{
			displayName: 'Borrower Type',
			name: 'borrowerType',
			type: 'options',
			options: [
				{ name: 'Legal Entity', value: 'legal', description: 'Tax number of 10 digits' },
				{ name: 'Not Given', value: 'none', description: 'Send no information about the borrower' },
				{ name: 'Sole Proprietor', value: 'individual', description: 'Tax number of 12 digits' },
			],
			default: 'legal',
			description: 'Whether the borrower is a legal entity or a sole proprietor',
		},
		textField(
			'Tax Number',
			'inn',
			'Tax number of the borrower: 10 digits for a legal entity, 12 for a sole proprietor',
			{
				required: true,
				placeholder: 'e.g. 7700000000',
				displayOptions: { show: { borrowerType: ['legal', 'individual'] } },
			},
		),
		{
			displayName: 'Partner Data',
			name: 'partner',
			type: 'json',
			default: '',
			required: true,
			placeholder: 'e.g. { "feeList": [{ "sum": 3000.10, "date": "2026-01-31" }] }',
			description:
				`The seller's figures as a JSON object, all optional: ${blocks.join(', ')}. ` +
				`<a href="${docs}">Fields of each block and a sample</a>.`,
		},
	],
	additionalFields: [
		textField('Contact Phone', 'contactPhone', 'Contact phone of the borrower', {
			placeholder: 'e.g. +79000000001',
		}),
	],
};
