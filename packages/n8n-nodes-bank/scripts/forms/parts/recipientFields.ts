import { preparePackage } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { bodyField } from '../field.ts';
import { textField } from '../formParts.ts';

/** The fields of the recipients of a package, for each value of *Recipients From*. */

const fromItems = { show: { recipientsFrom: ['items'] } };
const fromColumns = { show: { recipientsFrom: ['columns'] } };
export const matchedByName = { show: { ...fromColumns.show, '/columns.mappingMode': ['autoMapInputData'] } };
const fromList = { show: { recipientsFrom: ['list'] } };

/** A field of one recipient, filled from a column of the same name. */
const rowField = (name: string, more: Partial<INodeProperties> = {}, isOptional = false): INodeProperties =>
	bodyField(
		preparePackage,
		`payments[].${name}`,
		{ placeholder: `e.g. {{ $json.${name} }}`, displayOptions: fromItems, ...more },
		isOptional,
	);

export const recipientFields: readonly INodeProperties[] = [
	rowField('amount'),
	rowField('phone'),
	rowField('nspkBankId'),
	rowField('paymentDescription'),
	rowField('ric', { hint: 'Your accountant or the bank tells you the code' }),
	rowField(
		'sequence',
		{
			description:
				'Your own unique identifier of the payment, such as a contract number: with it a corrected phone is noticed. If empty, the ' +
				'position in the run (1, 2, 3 …) is sent.',
		},
		true,
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
			bodyField(preparePackage, 'payments[].name.first'),
			bodyField(preparePackage, 'payments[].name.middle'),
			bodyField(preparePackage, 'payments[].name.last'),
		],
	},
	bodyField(
		preparePackage,
		'payments[].ric',
		{
			displayOptions: matchedByName,
			description: 'Code of the kind of income (ric), for rows without one of their own',
			hint: 'Required unless your rows have a column for it. Your accountant or the bank tells you the code.',
		},
		true,
	),
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
