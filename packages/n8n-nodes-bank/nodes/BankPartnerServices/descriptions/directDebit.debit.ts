import type { FormParts } from '../../shared/formParts.ts';

/** The purpose text is put together from the identifier of the tranche (4.18). */
export const parts: FormParts = {
	asksItself: ['purpose'],
	fields: [
		{
			displayName: 'Transaction ID',
			name: 'transactionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. T-2026-0001',
			description:
				'Your unique identifier of the tranche. The node puts it into the purpose text, as the API description demands.',
		},
		{
			displayName: 'Purpose',
			name: 'purpose',
			type: 'string',
			default: '',
			placeholder: 'e.g. Repayment under agreement 17',
			description: 'Purpose text of the payment, to which the identifier is added where it does not hold it already',
		},
		{
			displayName: 'Purpose Goes Into',
			name: 'purposeField',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. purpose',
			description:
				'Name of the field that carries the purpose text. The API description does not show it: ask the bank.',
		},
		{
			displayName: 'Preview',
			name: 'preview',
			type: 'boolean',
			default: false,
			description: 'Whether to return the exact request and send nothing',
		},
	],
	options: [
		{
			displayName: 'Purpose Label',
			name: 'purposeLabel',
			type: 'string',
			default: 'service Id',
			placeholder: 'e.g. service number',
			description: 'The words before the transaction ID in the purpose text, as the API description writes them',
		},
	],
};
