import type { INodeProperties } from 'n8n-workflow';

import { textField } from '../formParts.ts';

/** The fields of the recipients of a package, for each value of *Recipients From*. */

const fromItems = { show: { recipientsFrom: ['items'] } };
const fromColumns = { show: { recipientsFrom: ['columns'] } };
export const matchedByName = { show: { ...fromColumns.show, '/columns.mappingMode': ['autoMapInputData'] } };
const fromList = { show: { recipientsFrom: ['list'] } };

/** A field of one recipient, filled from a column of the same name. */
const rowField = (displayName: string, name: string, description: string, isRequired = true): INodeProperties =>
	textField(displayName, name, description, {
		...(isRequired ? { required: true } : {}),
		placeholder: `e.g. {{ $json.${name} }}`,
		displayOptions: fromItems,
	});

const namePart = (displayName: string, name: string, example: string): INodeProperties =>
	textField(displayName, name, `Recipient's ${displayName.toLowerCase()}`, { placeholder: `e.g. ${example}` });

export const recipientFields: readonly INodeProperties[] = [
	rowField('Amount', 'amount', 'Payment amount in currency units, at most two decimals. The node adds up the total.'),
	rowField('Phone', 'phone', "Recipient's phone number"),
	rowField('Recipient Bank ID', 'nspkBankId', "Identifier of the recipient's bank (nspkBankId)"),
	rowField('Payment Description', 'paymentDescription', 'What the payment is for'),
	{
		...rowField('Income Kind Code', 'ric', 'Code of the kind of income (ric)'),
		hint: 'Your accountant or the bank tells you the code',
	},
	rowField(
		'Sequence',
		'sequence',
		'Your own unique identifier of the payment, such as a contract number: with it a corrected phone is noticed. If empty, the ' +
			'position in the run (1, 2, 3 …) is sent.',
		false,
	),
	{
		displayName: 'Recipient Name',
		name: 'name',
		type: 'collection',
		placeholder: 'Add Name',
		default: {},
		displayOptions: fromItems,
		description: "Recipient's full name. Required if Check Names is on.",
		options: [
			namePart('First Name', 'first', 'Ivan'),
			namePart('Patronymic', 'middle', 'Ivanovich'),
			namePart('Surname', 'last', 'Ivanov'),
		],
	},
	textField('Income Kind Code', 'ric', 'Code of the kind of income (ric), for rows without one of their own', {
		placeholder: 'e.g. 1',
		displayOptions: matchedByName,
		hint: 'Required unless your rows have a column for it. Your accountant or the bank tells you the code.',
	}),
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		required: true,
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'recipientColumns',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
			},
		},
		displayOptions: fromColumns,
		description: 'Columns of the input items that hold the fields of a recipient',
	},
	textField(
		'Payments',
		'payments',
		'List of recipients as an expression or JSON: objects with amount, phone, nspkBankId, ' +
			'paymentDescription, ric and optionally sequence and name (first, middle, last)',
		{
			typeOptions: { rows: 4 },
			required: true,
			placeholder: 'e.g. {{ $json.recipients }}',
			displayOptions: fromList,
		},
	),
];
