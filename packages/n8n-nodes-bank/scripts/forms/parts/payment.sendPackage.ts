import type { INodeProperties } from 'n8n-workflow';

import { type FormParts, textField } from '../formParts.ts';
import { timeout } from '../options.ts';
import {
	builtFields,
	maxPayments,
	packageFields,
	packagePerItem,
	preparedItem,
	recipientsFrom,
} from './payment.preparePackage.ts';

const recipientChoices: INodeProperties = {
	...recipientsFrom,
	options: [
		...(recipientsFrom.options ?? []),
		{ name: 'Prepared Package', value: 'prepared', description: 'The exact package that Prepare Package built' },
	],
};

const prepared: INodeProperties = textField(
	'Prepared Package',
	'prepared',
	'Items of Prepare Package. If empty, the input items are used. The package is rejected if rows are missing or changed, or if it was ' +
		'prepared for another bank.',
	{
		placeholder: "e.g. {{ $('Prepare').all().map((one) => one.json) }}",
		displayOptions: { show: { recipientsFrom: ['prepared'] } },
		hint: 'If empty, the input items are used',
	},
);

const signature: INodeProperties[] = [
	{
		displayName: 'Signature',
		name: 'signature',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'CMS Detached',
				value: 'cmsDetached',
				description: 'Sign with the key and certificate of the credential (PKCS#7, RSA or EC, base64)',
			},
			{
				name: 'Existing Signature',
				value: 'given',
				description: 'Use a signature made elsewhere, such as by a signing service',
			},
			{
				name: 'RSA-SHA256',
				value: 'rsaSha256',
				description: 'Sign with the RSA key of the credential (raw signature, base64)',
			},
		],
		default: 'cmsDetached',
		description:
			'How to sign each package (signedBody). The signed text is the JSON of the package without signedBody, exactly as it is sent.',
		hint: 'Ask your bank which one it expects',
	},
	textField(
		'Package Signature',
		'signedBody',
		'Electronic signature of the package (signedBody). Prepare Package returns the text to sign (toSign) and its SHA-256 (fingerprint).',
		{
			typeOptions: { rows: 2 },
			required: true,
			placeholder: 'e.g. {{ $json.signature }}',
			displayOptions: { show: { signature: ['given'] } },
		},
	),
];

export const parts: FormParts = {
	notice: {
		displayName:
			'Execute Step pays for real. To check first, put <i>Check payments without paying</i> before this node and choose Recipients From: ' +
			'Prepared Package.',
	},
	asksItself: [...builtFields, 'maxResponseSize', 'signedBody'],
	fields: [recipientChoices, prepared, ...packageFields, ...signature],
	options: [
		textField(
			'Accepted Statuses',
			'acceptedStatuses',
			'Statuses with which your bank accepts a payment, besides common ones such as ACCEPTED. Payments with other statuses are unknown.',
			{
				placeholder: 'e.g. IN_QUEUE, ACTC',
			},
		),
		maxPayments,
		packagePerItem,
		{
			displayName: 'Signature Position',
			name: 'signaturePosition',
			type: 'options',
			options: [
				{ name: 'First', value: 'first' },
				{ name: 'Last', value: 'last' },
			],
			default: 'last',
			description: 'Position of signedBody among the fields of the package. Ask your bank.',
		},
		{
			...timeout,
			description: 'Seconds to wait for the response. After that, the outcome of the payments is unknown.',
		},
	],
	item: {
		...preparedItem,
		outcome: 'accepted',
		transactionId: 'A60301015300000100000500',
		feeAmount: 5,
		createDate: '2026-11-30T10:15:30.000Z',
		payPackage: 500100,
	},
	returns:
		'The node returns one item for each payment: the fields of `payments[]` with `client` and `payPackage` beside them, and its ' +
		'[`outcome`](payments.md#outcomes).',
};
