import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../shared/form/formParts.ts';
import { timeout } from '../../shared/form/timeout.ts';
import { maxPayments, packagePerItem, preparedItem } from './payment.preparePackage.ts';
import { ifAlreadySent, logToDataTable, shareProtectionWith } from '../../shared/idempotency/fields.ts';

/** Written by hand: only the fields for sending. The fields of a package are in payment.preparePackage.ts. */

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
		displayOptions: { show },
		description:
			'How to sign each package (signedBody). The signed text is the JSON of the package without signedBody, exactly as it is sent.',
		hint: 'Ask your bank which one it expects',
	},
	{
		displayName: 'Package Signature',
		name: 'signedBody',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.signature }}',
		displayOptions: { show: { ...show, signature: ['given'] } },
		description:
			'Electronic signature of the package (signedBody). Prepare Package returns the text to sign (toSign) and its SHA-256 (fingerprint).',
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
					'Statuses with which your bank accepts a payment, besides common ones such as ACCEPTED. Payments with other statuses are unknown.',
			},
			ifAlreadySent,
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
				description: 'Position of signedBody among the fields of the package. Ask your bank.',
			},
			{
				...timeout,
				description: 'Seconds to wait for the response. After that, the outcome of the payments is unknown.',
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
		'The node returns one item for each payment: the fields of `payments[]` with `client` and `payPackage` beside them, and its ' +
		'[`outcome`](payments.md#outcomes).',
};
