import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../shared/formParts.ts';

/** Written by hand: recipients come from input items or from one list, which no schema says. */

const show = { resource: ['payment'], operation: ['sendPackage'] };
const fromItems = { show: { ...show, recipientsFrom: ['items'] } };
const fromList = { show: { ...show, recipientsFrom: ['list'] } };

export const paymentSendPackageForm: INodeProperties[] = [
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
		default: '={{ $json.amount }}',
		required: true,
		placeholder: 'e.g. 1500.50',
		displayOptions: fromItems,
		description: 'Payment amount in currency units, at most two decimals. The total is computed from these.',
	},
	{
		displayName: 'Phone',
		name: 'phone',
		type: 'string',
		default: '={{ $json.phone }}',
		required: true,
		placeholder: 'e.g. +79000000001',
		displayOptions: fromItems,
		description: "Recipient's phone number",
	},
	{
		displayName: 'Recipient Bank ID',
		name: 'nspkBankId',
		type: 'string',
		default: '={{ $json.nspkBankId }}',
		required: true,
		placeholder: 'e.g. 100000000111',
		displayOptions: fromItems,
		description: "Identifier of the recipient's bank (nspkBankId)",
	},
	{
		displayName: 'Payment Description',
		name: 'paymentDescription',
		type: 'string',
		default: '={{ $json.paymentDescription }}',
		required: true,
		placeholder: 'e.g. Reward for March',
		displayOptions: fromItems,
		description: 'What the payment is for',
	},
	{
		displayName: 'Income Kind Code',
		name: 'ric',
		type: 'string',
		default: '={{ $json.ric }}',
		required: true,
		placeholder: 'e.g. 1',
		displayOptions: fromItems,
		description: 'Code of the kind of income (ric)',
	},
	{
		displayName: 'Sequence',
		name: 'sequence',
		type: 'string',
		default: '={{ $json.sequence }}',
		placeholder: 'e.g. payout-0001',
		displayOptions: fromItems,
		description:
			'Your identifier of the payment inside the package. Must not repeat. If empty, the position in the package (1, 2, 3 …) is sent.',
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
		displayName: 'Preview',
		name: 'preview',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description:
			'Whether to return the exact requests that would be sent, and send nothing. The signature may be empty then.',
	},
	{
		displayName: 'Signature',
		name: 'signature',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'CMS Detached',
				value: 'cmsDetached',
				description: 'The node signs with key and certificate of the credential: PKCS#7, RSA or EC, as base64',
			},
			{
				name: 'Given',
				value: 'given',
				description: 'A signature that was made elsewhere, such as by a signing service of yours',
			},
			{
				name: 'RSA-SHA256',
				value: 'rsaSha256',
				description: 'The node signs with the RSA key of the credential: the bare signature as base64',
			},
		],
		default: 'given',
		displayOptions: { show },
		description:
			'How each package is signed (signedBody). The API description does not show it: the bank tells you. ' +
			'Signed is the JSON of the package without signedBody, byte for byte as it is sent.',
	},
	{
		displayName: 'Given Signature',
		name: 'signedBody',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.signature }}',
		displayOptions: { show: { ...show, signature: ['given'], preview: [false] } },
		description:
			'Electronic signature of the package (signedBody). Preview gives the text to sign as toSign, and its SHA-256 as fingerprint.',
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
			{
				displayName: 'Signature Position',
				name: 'signaturePosition',
				type: 'options',
				options: [
					{ name: 'First', value: 'first' },
					{ name: 'Last', value: 'last' },
				],
				default: 'last',
				description: 'Where signedBody stands among the fields of the package. The API description does not show it.',
			},
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
