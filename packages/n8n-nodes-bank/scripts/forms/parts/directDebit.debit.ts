import { type FormParts, textField } from '../formParts.ts';

/** The node builds the payment purpose from the identifier of the tranche (4.18). */
export const parts: FormParts = {
	handWritten: ['purpose'],
	fields: [
		textField(
			'Transaction ID',
			'transactionId',
			'Your unique identifier of the tranche. The node adds it to the purpose text.',
			{ required: true, placeholder: 'e.g. T-2026-0001' },
		),
		textField('Purpose', 'purpose', 'Purpose text of the payment. The transaction ID is added if it is missing.', {
			placeholder: 'e.g. Repayment under agreement 17',
		}),
		{
			displayName: 'Preview',
			name: 'preview',
			type: 'boolean',
			default: false,
			description: 'Whether to return the request without sending it',
		},
	],
	options: [
		{
			displayName: 'Transaction ID Label',
			name: 'purposeLabel',
			type: 'string',
			default: 'service Id',
			placeholder: 'e.g. service number',
			description: 'Text before the transaction ID in the purpose',
		},
	],
};
