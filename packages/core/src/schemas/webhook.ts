import * as v from 'valibot';

import { responseObject, choice, uuid } from './fields.ts';

/** Subscribed entities of 2.8. */
export const webhookObjects = {
	ul_transaction_default: 'Statement on Legal-Entity Accounts',
	jp_sbp_incoming_payments: 'Incoming Fast Payments',
} as const;

export const webhookId = uuid('Webhook ID', 'Identifier of the subscription, as the bank gave it when it was created');

export const webhookObject = choice(webhookObjects, 'Object', 'The entity the webhook is subscribed to', {
	initial: 'ul_transaction_default',
});

const about = (title: string, description: string) =>
	v.optional(v.pipe(v.string(), v.title(title), v.description(description)));

/** A subscription, as returned by P9 and P10 (2.8). */
export const webhook = responseObject({
	id: about('ID', 'Record identifier'),
	object: about('Object', 'Subscribed entity'),
	enabled: v.optional(v.pipe(v.boolean(), v.title('Enabled'), v.description('Whether the bank sends events'))),
	organizationIdHash: about('Organization ID Hash', 'Hash of the organization identifier; returned by PUT'),
	data: v.optional(
		responseObject({
			accounts: v.optional(
				v.pipe(v.array(v.string()), v.title('Accounts'), v.description('Account list; empty means all accounts')),
			),
		}),
	),
	callbackUri: about('Callback URI', 'Partner URL that receives the webhook'),
	version: v.optional(
		v.pipe(v.number(), v.integer(), v.title('Version'), v.description('Data format version; 1 for both objects')),
	),
	statusDescriptions: v.optional(
		v.pipe(
			v.array(responseObject({ cause: about('Cause', 'Cause'), description: about('Description', 'Description') })),
			v.title('Status Descriptions'),
			v.description('Why the webhook is disabled; returned by PUT'),
		),
	),
});
