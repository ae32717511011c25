import { type FormParts, textField } from '../formParts.ts';
import { logToDataTable } from '../protectionFields.ts';

export const parts: FormParts = {
	notice: {
		displayName:
			'Ask the bank about <b>this payment</b>, at any date. After Has It, it is never sent again. After Does Not Have It, the next run ' +
			'sends it: if the bank has it after all, it is paid twice.',
	},
	handWritten: ['maxResponseSize', 'timeout'],
	fields: [
		{
			displayName: 'The Bank',
			name: 'bankAnswer',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Choose After Asking the Bank', value: '' },
				{
					name: 'Does Not Have It',
					value: 'hasNot',
					description: 'The next run sends the payment again. Confirm with the bank first.',
				},
				{ name: 'Has It', value: 'has', description: 'The next run returns the payment as already accepted' },
			],
			default: '',
			required: true,
			description: 'Whether the bank has the payment',
		},
		{
			displayName: 'Payment ID',
			name: 'payment',
			type: 'string',
			default: '={{ $json.details?.payment ?? $json.payment }}',
			required: true,
			description: 'Identifies the payment',
			hint: 'From the error output of the payment, or the column "payment" of the Data Table Bank Payment Log',
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
		recipient: 'Anna',
		amount: '1000.5',
		phone: '+*******0001',
		transactionId: '',
		payment: 'q3Zk0wTf1bJvR8sLm2YcXA.8f14e45f-cafe.0',
	},
	returns:
		'One item for each payment, with its new `outcome`: `accepted`, `notSent` if it may be sent again, or `unknown` if it is not recorded.',
};
