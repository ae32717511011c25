import type { INodeProperties } from 'n8n-workflow';

/** The fields of the recipients of a package, for each value of *Recipients From*. */

const fromItems = { show: { recipientsFrom: ['items'] } };
const fromColumns = { show: { recipientsFrom: ['columns'] } };
export const matchedByName = { show: { ...fromColumns.show, '/columns.mappingMode': ['autoMapInputData'] } };
const fromList = { show: { recipientsFrom: ['list'] } };

export const recipientFields: INodeProperties[] = [
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.amount }}',
		displayOptions: fromItems,
		description: 'Payment amount in currency units, at most two decimals. The node adds up the total.',
	},
	{
		displayName: 'Phone',
		name: 'phone',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.phone }}',
		displayOptions: fromItems,
		description: "Recipient's phone number",
	},
	{
		displayName: 'Recipient Bank ID',
		name: 'nspkBankId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.nspkBankId }}',
		displayOptions: fromItems,
		description: "Identifier of the recipient's bank (nspkBankId)",
	},
	{
		displayName: 'Payment Description',
		name: 'paymentDescription',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.paymentDescription }}',
		displayOptions: fromItems,
		description: 'What the payment is for',
	},
	{
		displayName: 'Income Kind Code',
		name: 'ric',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.ric }}',
		displayOptions: fromItems,
		description: 'Code of the kind of income (ric)',
		hint: 'Your accountant or the bank tells you the code',
	},
	{
		displayName: 'Sequence',
		name: 'sequence',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.sequence }}',
		displayOptions: fromItems,
		description:
			'Your own unique identifier of the payment, such as a contract number: with it a corrected phone is noticed. If empty, the ' +
			'position in the run (1, 2, 3 …) is sent.',
	},
	{
		displayName: 'Recipient Name',
		name: 'name',
		type: 'collection',
		placeholder: 'Add Name',
		default: {},
		displayOptions: fromItems,
		description: "Recipient's full name. Required if Check Names is on.",
		options: [
			{
				displayName: 'First Name',
				name: 'first',
				type: 'string',
				default: '',
				placeholder: 'e.g. Ivan',
				description: "Recipient's first name",
			},
			{
				displayName: 'Patronymic',
				name: 'middle',
				type: 'string',
				default: '',
				placeholder: 'e.g. Ivanovich',
				description: "Recipient's patronymic",
			},
			{
				displayName: 'Surname',
				name: 'last',
				type: 'string',
				default: '',
				placeholder: 'e.g. Ivanov',
				description: "Recipient's surname",
			},
		],
	},
	{
		displayName: 'Income Kind Code',
		name: 'ric',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1',
		displayOptions: matchedByName,
		description: 'Code of the kind of income (ric), for rows without one of their own',
		hint: 'Required unless your rows have a column for it. Your accountant or the bank tells you the code.',
	},
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
	{
		displayName: 'Payments',
		name: 'payments',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.recipients }}',
		displayOptions: fromList,
		description:
			'List of recipients as an expression or JSON: objects with amount, phone, nspkBankId, ' +
			'paymentDescription, ric and optionally sequence and name (first, middle, last)',
	},
];
