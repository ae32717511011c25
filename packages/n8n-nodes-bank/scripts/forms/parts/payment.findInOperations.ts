import type { INodeProperties } from 'n8n-workflow';

import { type FormParts, textField } from '../formParts.ts';
import { logToDataTable } from '../protectionFields.ts';

/** Written by hand: a payment is found by the values it was sent with, not by the filters of the history. */

const ofFields = { show: { paymentsFrom: ['fields'] } };
const ofLog = { show: { paymentsFrom: ['log'] } };

const fields: INodeProperties[] = [
	{ displayName: 'Return All', name: 'returnAll', type: 'hidden', default: true },
	{
		displayName: 'Payments From',
		name: 'paymentsFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Fields', value: 'fields', description: 'Each input item is one payment to look for' },
			{
				name: 'Payment Log',
				value: 'log',
				description: 'All payments of the log in a period, and operations that match none of them',
			},
		],
		default: 'fields',
		description: 'Which payments to look for',
	},
	textField('Account', 'account', 'Account that the payment was sent from', {
		required: true,
		placeholder: 'e.g. 40702810000000000001',
	}),
	textField('Amount', 'amount', 'Payment amount in currency units', {
		required: true,
		placeholder: 'e.g. {{ $json.amount }}',
		displayOptions: ofFields,
	}),
	textField('Phone', 'phone', "Recipient's phone number", {
		required: true,
		placeholder: 'e.g. {{ $json.phone }}',
		displayOptions: ofFields,
	}),
	{
		displayName: 'Sent At',
		name: 'sentAt',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.details.at }}',
		displayOptions: ofFields,
		description: 'Time when the payment was sent. Operations from shortly before to a day later are searched.',
	},
	{
		displayName: 'From',
		name: 'dateFrom',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $now.minus({ days: 1 }) }}',
		displayOptions: ofLog,
		description: 'First day of the period, in the time zone of the workflow',
	},
	{
		displayName: 'To',
		name: 'dateTo',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $now }}',
		displayOptions: ofLog,
		description: 'Last day of the period, in the time zone of the workflow',
	},
];

export const parts: FormParts = {
	handWritten: ['dateFrom', 'dateTo', 'accounts', 'cards', 'operationDirection', 'limit', 'offset', 'returnAll'],
	fields,
	options: [
		{
			displayName: 'Hours After',
			name: 'hoursAfter',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 24,
			description: 'How many hours after Sent At to search for the payment',
		},
		{
			displayName: 'Minutes Before',
			name: 'minutesBefore',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 15,
			description: 'How many minutes before Sent At to start searching, in case clocks differ',
		},
		{
			...logToDataTable,
			displayOptions: { show: { '/paymentsFrom': ['log'] } },
			description: 'Name of the Data Table that Send Package logs to',
		},
	],
	returns:
		'One item for each payment, with its `result` ([meanings](payments.md#unknown-results)), the `operation` that was found and its ' +
		'`status`, or the `candidates` that a person has to check, and the payment ID for *Resolve* (`payment`). With *Payments From: Payment ' +
		'Log* items also have `outcome`, `paymentRun` and `sequence`; outgoing operations that match no payment follow as `unexplained`.',
};
