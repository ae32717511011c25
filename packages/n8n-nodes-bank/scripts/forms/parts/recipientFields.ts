import { preparePackage } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { bodyField } from '../field.ts';
import { textField } from '../formParts.ts';

/** The fields of the recipients of a package, for each value of *Recipients From*. */

const fromItems = { show: { recipientsFrom: ['items'] } };
const fromRows = { show: { recipientsFrom: ['columns', 'items'] } };
const fromList = { show: { recipientsFrom: ['list'] } };

/** A field of one recipient, filled from a column of the same name. */
const rowField = (name: string, more: Partial<INodeProperties> = {}, isOptional = false): INodeProperties =>
	bodyField(
		preparePackage,
		`payments[].${name}`,
		{ placeholder: `e.g. {{ $json.${name} }}`, displayOptions: fromItems, ...more },
		isOptional,
	);

const ofAllRows = 'If empty, the value under Options or in the credential is used.';

export const recipientFields: readonly INodeProperties[] = [
	rowField('amount'),
	rowField('phone'),
	rowField('nspkBankId', {
		description: "Number of the recipient's bank, or its name if the credential lists it under Bank Names",
	}),
	rowField('paymentDescription', { description: `What the payment is for. ${ofAllRows}` }, true),
	rowField('ric', { description: `Code of the kind of income (ric). ${ofAllRows}` }, true),
	rowField(
		'sequence',
		{
			displayOptions: fromRows,
			placeholder: 'e.g. {{ $json.contract }}',
			description:
				'Your own unique identifier of the payment, such as a contract number. With Columns of the Input, a column named Sequence or ' +
				'Contract is used if this is empty. Without any, the phone identifies the payment, and the position in the run (1, 2, 3 …) is sent.',
			hint: 'Without it, a corrected phone is paid as another person',
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
	textField(
		'Payments',
		'payments',
		'List of recipients as an expression or JSON: objects with amount, phone, nspkBankId and optionally ' +
			'paymentDescription, ric, sequence and name (first, middle, last)',
		{
			typeOptions: { rows: 4 },
			required: true,
			placeholder: 'e.g. {{ $json.recipients }}',
			displayOptions: fromList,
		},
	),
];
