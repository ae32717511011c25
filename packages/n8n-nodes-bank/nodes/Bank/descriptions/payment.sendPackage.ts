import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../shared/formParts.ts';
import { guardWorkflow, sendAgain } from '../../shared/guard/fields.ts';

/** Written by hand: recipients come from input items or from one list, which no schema says. */

const show = { resource: ['payment'], operation: ['sendPackage'] };
const fromItems = { show: { ...show, recipientsFrom: ['items'] } };
const fromList = { show: { ...show, recipientsFrom: ['list'] } };

export const paymentSendPackageForm: INodeProperties[] = [
	{
		displayName: 'Payment Run',
		name: 'paymentRun',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. salary-2026-11',
		displayOptions: { show },
		description:
			'What you call this payout: the same name for the same payout, whenever it is run. Together with account, phone, bank, amount and ' +
			'sequence it tells a payment that was made from one that is new. No clock, no random number.',
	},
	{
		displayName: 'Partner ID',
		name: 'partnerId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 1001',
		displayOptions: { show },
		description: 'Your partner identifier at the bank (client.partnerId)',
	},
	{
		displayName: 'Tax Number',
		name: 'inn',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 7700000000',
		displayOptions: { show },
		description: "The client's tax number (inn): 10 digits for a legal entity, 12 for a sole proprietor",
	},
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 40702810000000000001',
		displayOptions: { show },
		description: 'Sender account number',
	},
	{
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
				name: 'A List',
				value: 'list',
				description: 'One field holds the list of recipients; each input item makes one package',
			},
		],
		default: 'items',
		displayOptions: { show },
		description: 'Where the recipients of the package come from',
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
		displayName: 'Payments',
		name: 'payments',
		type: 'json',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.recipients }}',
		displayOptions: fromList,
		description:
			'The list of recipients, an expression or JSON: objects with amount, phone, nspkBankId, ' +
			'paymentDescription, ric and, if you like, sequence and name (first, middle, last)',
	},
	{
		displayName: 'Signature',
		name: 'signedBody',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.signature }}',
		displayOptions: { show },
		description:
			'Electronic signature of the payment (signedBody). The API description does not ' +
			'show how it is made: the bank tells you. Prepare Package gives the text to sign.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show },
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
		displayOptions: { show },
		options: [
			guardWorkflow,
			{
				displayName: 'Largest Answer',
				name: 'largestAnswer',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 16,
				description:
					'Megabytes that an answer of the bank may have. After a larger one it is unknown whether the payments were made.',
			},
			{
				displayName: 'Max Payments per Package',
				name: 'maxPayments',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'Larger lists go in several packages. 0 means one package whatever its size: the API description shows no maximum.',
			},
			{
				displayName: 'One Package per Item',
				name: 'packagePerItem',
				type: 'boolean',
				default: false,
				description: 'Whether each input item becomes a package of its own',
			},
			sendAgain,
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 60,
				description:
					'Seconds to wait for an answer of the bank. After that it is unknown whether the payments were made.',
			},
		],
	},
];

export const parts: FormParts = {
	returns:
		'The node returns one item for each payment: the fields of `payments[]` with `client` and `payPackage` beside them, and ' +
		'`outcome`. It is `accepted`, or `unknown` where the bank accepted the package and its answer does not name the payment.',
};
