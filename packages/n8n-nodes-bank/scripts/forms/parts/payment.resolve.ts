import { type FormParts, textField } from '../formParts.ts';
import { logToDataTable } from '../protectionFields.ts';

export const parts: FormParts = {
	notice: {
		displayName:
			'Ask the bank first. After Has It, the payment is never sent again. ' +
			'After Does Not Have It, the next run sends it: if the bank has it, it is paid twice.',
	},
	asksItself: ['maxResponseSize', 'timeout'],
	fields: [
		{
			displayName: 'The Bank',
			name: 'bankAnswer',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Does Not Have It',
					value: 'hasNot',
					description: 'The next run sends the payment again. Confirm with the bank first.',
				},
				{ name: 'Has It', value: 'has', description: 'The next run returns the payment as already accepted' },
			],
			default: 'has',
			description: 'Whether the bank has the payment',
		},
		{
			displayName: 'Sequence',
			name: 'sequence',
			type: 'string',
			default: '={{ $json.details?.sequence ?? $json.sequence }}',
			required: true,
			description: 'Sequence of the payment, or transaction ID of the debit',
		},
		{
			displayName: 'Attempt',
			name: 'attempt',
			type: 'string',
			default: '={{ $json.details?.attempt ?? $json.attempt }}',
			required: true,
			description: 'Attempt with the unknown outcome',
			hint: 'Sequence and attempt come from the error output of the payment. They are also in the Data Table Bank Payment Log.',
		},
	],
	options: [
		logToDataTable,
		textField('Transaction ID', 'transactionId', 'Transaction ID shown by the bank, recorded with the payment', {
			placeholder: 'e.g. A60301015300000100000500',
		}),
	],
	item: {
		outcome: 'notSent',
		message: 'Recorded: the bank does not have it. Run the payout again to send it.',
		paymentRun: 'salary-2026-11',
		sequence: 'payout-0001',
		amount: '1000.5',
		phone: '+*******0001',
		transactionId: '',
		attempt: '5f0c6a52-3f1e-4f8e-9d0e-2a4b1c9d7e11',
	},
	returns:
		'One item for each payment, with its new `outcome`: `accepted`, `notSent` if it may be sent again, or `unknown` if it is not recorded.',
};
