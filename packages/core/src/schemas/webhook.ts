import * as v from 'valibot';

import { choice, flag, listOf, optionalText, responseObject, uuid, whole } from './fields.ts';

/** Subscribed entities of 2.8. */
export const webhookObjects = {
	ul_transaction_default: 'Statement on Legal-Entity Accounts',
	jp_sbp_incoming_payments: 'Incoming Fast Payments',
} as const;

export const webhookId = uuid('Webhook ID', 'Identifier of the subscription, as the bank gave it when it was created');

export const webhookObject = choice(webhookObjects, 'Object', 'The entity the webhook is subscribed to', {
	initial: 'ul_transaction_default',
});

/** A subscription, as returned by P9 and P10 (2.8). */
export const webhook = responseObject({
	id: optionalText('ID', 'Record identifier'),
	object: optionalText('Object', 'Subscribed entity'),
	enabled: v.optional(flag('Enabled', 'Whether the bank sends events')),
	organizationIdHash: optionalText('Organization ID Hash', 'Hash of the organization identifier; returned by PUT'),
	data: v.optional(
		responseObject({ accounts: v.optional(listOf(v.string(), 'Accounts', 'Account list; empty means all accounts')) }),
	),
	callbackUri: optionalText('Callback URI', 'Partner URL that receives the webhook'),
	version: v.optional(whole('Version', 'Data format version; 1 for both objects')),
	statusDescriptions: v.optional(
		listOf(
			responseObject({
				cause: optionalText('Cause', 'Cause'),
				description: optionalText('Description', 'Description'),
			}),
			'Status Descriptions',
			'Why the webhook is disabled; returned by PUT',
		),
	),
});
