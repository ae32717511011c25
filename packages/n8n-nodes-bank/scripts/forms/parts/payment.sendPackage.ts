import type { INodeProperties } from 'n8n-workflow';

import { type FormParts, textField } from '../formParts.ts';
import { timeout } from '../options.ts';
import { builtFields, packageFields, packageOptions, preparedItem, recipientsFrom } from './payment.preparePackage.ts';

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

export const parts: FormParts = {
	notice: {
		displayName: 'Execute Step pays for real. To check first, put "Check payments without paying" before this node.',
	},
	handWritten: [...builtFields, 'maxResponseSize', 'signedBody'],
	fields: [recipientChoices, prepared, ...packageFields],
	options: [
		textField(
			'Accepted Statuses',
			'acceptedStatuses',
			'Statuses with which your bank accepts a payment, besides common ones such as ACCEPTED. Payments with other statuses are unknown.',
			{
				placeholder: 'e.g. IN_QUEUE, ACTC',
			},
		),
		...packageOptions,
		textField(
			'Package Signature',
			'signedBody',
			'Signature that was made elsewhere (signedBody), if the credential says so. Prepare Package returns the text to sign (toSign) and ' +
				'its SHA-256 (fingerprint).',
			{ placeholder: 'e.g. {{ $json.signature }}' },
		),
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
