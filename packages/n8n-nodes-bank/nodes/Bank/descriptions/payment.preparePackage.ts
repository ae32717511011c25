import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { FormParts } from '../../shared/formParts.ts';
import { logToDataTable } from '../../shared/idempotency/fields.ts';

/** Written by hand: what a package holds, to prepare it and to send it. Recipients come from items or a list, which no schema says. */

const preparing = { resource: ['payment'], operation: ['preparePackage'] };
const sending = { resource: ['payment'], operation: ['sendPackage'] };
const both = { resource: ['payment'], operation: ['preparePackage', 'sendPackage'] };
const built = { show: { ...both, recipientsFrom: ['items', 'columns', 'list'] } };
const fromItems = { show: { ...both, recipientsFrom: ['items'] } };
const fromColumns = { show: { ...both, recipientsFrom: ['columns'] } };
const fromList = { show: { ...both, recipientsFrom: ['list'] } };

const recipientsFrom: INodeProperties = {
	displayName: 'Recipients From',
	name: 'recipientsFrom',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Input Items',
			value: 'items',
			description: 'Each input item is one recipient; together they make one package',
		},
		{
			name: 'Input Items by Column Name',
			value: 'columns',
			description: 'The same, with the columns matched to the fields of a recipient by their names, or by you',
		},
		{
			name: 'A List',
			value: 'list',
			description: 'One field holds the list of recipients; each input item makes one package',
		},
	],
	default: 'items',
	description: 'Where the recipients of the package come from',
};

const preparedChoice: INodePropertyOptions = {
	name: 'A Prepared Package',
	value: 'prepared',
	description: 'What Prepare Package has built: exactly that is sent, or nothing',
};

export const maxPayments: INodeProperties = {
	displayName: 'Max Payments per Package',
	name: 'maxPayments',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Larger lists go in several packages. 0 means one package whatever its size: the API description shows no maximum.',
};

export const packagePerItem: INodeProperties = {
	displayName: 'One Package per Item',
	name: 'packagePerItem',
	type: 'boolean',
	default: false,
	description: 'Whether each input item becomes a package of its own',
};

export const paymentPreparePackageForm: INodeProperties[] = [
	{
		displayName:
			'Execute Step pays, also while you build. To look first, use Prepare Package: its items have the same columns.',
		name: 'movesMoney',
		type: 'notice',
		default: '',
		displayOptions: { show: sending },
	},
	{ ...recipientsFrom, displayOptions: { show: preparing } },
	{
		...recipientsFrom,
		options: [...(recipientsFrom.options ?? []), preparedChoice],
		displayOptions: { show: sending },
	},
	{
		displayName: 'Prepared Package',
		name: 'prepared',
		type: 'string',
		default: '',
		placeholder: "e.g. {{ $('Prepare').all().map((one) => one.json) }}",
		displayOptions: { show: { ...sending, recipientsFrom: ['prepared'] } },
		description:
			'The items of Prepare Package. Empty for the input items themselves. It is refused where rows are missing or were changed, and ' +
			'where it was prepared for another bank.',
		hint: 'Empty for the items that come in',
	},
	{
		displayName: 'Payment Run',
		name: 'paymentRun',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. salary-2026-11',
		displayOptions: built,
		description:
			'What you call this payout: the same name for the same payout, whenever it is run. Together with account, phone, bank, amount and ' +
			'sequence it tells a payment that was made from one that is new. No clock, no random number.',
	},
	{
		displayName: 'Partner ID',
		name: 'partnerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1001',
		displayOptions: built,
		description: 'Your partner identifier at the bank (client.partnerId). If empty, that of the credential.',
	},
	{
		displayName: 'Tax Number',
		name: 'inn',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7700000000',
		displayOptions: built,
		description:
			"Your own tax number, not the recipients' (inn): 10 digits for a company, 12 for a sole proprietor. If empty, that of the credential.",
	},
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		default: '',
		placeholder: 'e.g. 40702810000000000001',
		displayOptions: built,
		description: 'Sender account number. If empty, that of the credential.',
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.amount }}',
		displayOptions: fromItems,
		description: 'Payment amount in currency units, at most two decimals. The total is computed from these.',
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
	},
	{
		displayName: 'Sequence',
		name: 'sequence',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.sequence }}',
		displayOptions: fromItems,
		description:
			'Your identifier of the payment inside the package. Must not repeat. If empty, the position in the run (1, 2, 3 …) is sent.',
	},
	{
		displayName: 'Recipient Name',
		name: 'name',
		type: 'collection',
		placeholder: 'Add Name',
		default: {},
		displayOptions: fromItems,
		description: "Recipient's full name. Needed when names are to be checked.",
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
		description: 'Which column of the input items holds which field of a recipient',
	},
	{
		displayName:
			'Columns that match: Amount, Recipient Bank ID, Phone, Payment Description, Income Kind Code; if there are any, First Name, ' +
			'Patronymic, Surname, Sequence. Upper case, spaces and underscores do not matter. Other columns are not sent.',
		name: 'matching',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...fromColumns.show, '/columns.mappingMode': ['autoMapInputData'] } },
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
			'The list of recipients, an expression or JSON: objects with amount, phone, nspkBankId, ' +
			'paymentDescription, ric and, if you like, sequence and name (first, middle, last)',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: built,
		options: [
			{
				displayName: 'Check Names',
				name: 'nameCheck',
				type: 'boolean',
				default: false,
				description:
					'Whether the name given must match the name registered with the national payment-card system operator',
			},
			{
				displayName: 'Client ID',
				name: 'b2cClientId',
				type: 'string',
				default: '',
				placeholder: 'e.g. client-42',
				description:
					'Client on whose behalf an integrator sends the payment (client.b2cClientId); only for a technology partner',
			},
			{
				displayName: 'Expected Total',
				name: 'total',
				type: 'string',
				default: '',
				placeholder: 'e.g. 150000.00',
				description: 'Total that the payments of a package must add up to. Nothing is sent if they do not.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: preparing },
		options: [logToDataTable, maxPayments, packagePerItem],
	},
];

/** A prepared payment, as *Send Package* shows it again. */
export const preparedItem = {
	outcome: 'prepared',
	paymentRun: 'salary-2026-11',
	sequence: 'payout-0001',
	amount: 1000.5,
	phone: '+70000000001',
	nspkBankId: '100000000111',
	paymentDescription: 'Reward for March',
	ric: 1,
	transactionId: null,
	feeAmount: null,
	createDate: null,
	payPackage: null,
	position: 1,
	count: 1,
	total: 1000.5,
	environment: 'production',
	host: 'bank.example.com',
	account: '40702810000000000001',
	inn: '7700000000',
	client: { partnerId: 1001 },
	sequenceGiven: true,
	fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
	check: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
};

export const parts: FormParts = {
	item: { ...preparedItem, toSign: '{"client":{"partnerId":1001},"inn":"7700000000"}' },
	returns:
		'One item for each payment, with the columns of *Send Package*; what only the bank can tell is null. `outcome` is `prepared`, ' +
		'`fingerprint` the SHA-256 of the text to sign, which the last item of each package holds as `toSign`.',
};
