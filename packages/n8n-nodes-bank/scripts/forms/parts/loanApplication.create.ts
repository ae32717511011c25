import { definitions, unwrap } from '@bank/core';

import { bodyField } from '../field.ts';
import type { FormParts } from '../formParts.ts';

const { create } = definitions.loanApplication;
const partner = create.body?.entries.partner;
const blocks = Object.keys((partner && unwrap(partner).schema.entries) ?? {});
const docs = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/nodes/bank.md#loan-application';

/** `partner` is one JSON field: its fourteen blocks with about fifty tables would take a quarter of all forms. */
export const parts: FormParts = {
	handWritten: ['dealId', 'borrower', 'partner'],
	fields: [
		bodyField(create, 'dealId'),
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
		bodyField(create, 'borrower.legal.legalInfo.inn', {
			displayOptions: { show: { borrowerType: ['legal', 'individual'] } },
			description: 'Tax number of the borrower: 10 digits for a legal entity, 12 for a sole proprietor',
		}),
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
	additionalFields: [bodyField(create, 'borrower.legal.legalInfo.contactPhone')],
};
