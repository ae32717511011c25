import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../shared/formParts.ts';
import { maxPayments, packagePerItem, preparedItem } from './payment.preparePackage.ts';
import { ifAlreadySent, logToDataTable, shareProtectionWith } from '../../shared/idempotency/fields.ts';

/** Written by hand: what sending asks for besides what a package holds, which stands in payment.preparePackage.ts. */

const show = { resource: ['payment'], operation: ['sendPackage'] };

export const paymentSendPackageForm: INodeProperties[] = [
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
		displayOptions: { show: { ...show, signature: ['given'] } },
		description:
			'Electronic signature of the package (signedBody). Prepare Package gives the text to sign as toSign, and its SHA-256 as fingerprint.',
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
				displayName: 'Accepted Statuses',
				name: 'acceptedStatuses',
				type: 'string',
				default: '',
				placeholder: 'e.g. IN_QUEUE, ACTC',
				description:
					'Statuses by which your bank says that it accepted a payment, besides plain ones such as ACCEPTED. Any other status counts as unknown.',
			},
			ifAlreadySent,
			{
				displayName: 'Largest Response',
				name: 'largestAnswer',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 16,
				description: 'Megabytes that a response of the bank may have. With a larger one the payments are unknown.',
			},
			logToDataTable,
			maxPayments,
			packagePerItem,
			shareProtectionWith,
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
	item: {
		...preparedItem,
		outcome: 'accepted',
		transactionId: 'A60301015300000100000500',
		feeAmount: 5,
		createDate: '2026-11-30T10:15:30.000Z',
		payPackage: 500100,
	},
	returns:
		'The node returns one item for each payment: the fields of `payments[]` with `client` and `payPackage` beside them, and ' +
		'`outcome`. It is `accepted`, or `unknown` where the bank accepted the package and its answer does not name the payment.',
};
