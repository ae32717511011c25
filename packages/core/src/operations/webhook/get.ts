import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { choice, fields } from '../../schemas/fields.ts';
import { webhook, webhookId, webhookObjects } from '../../schemas/webhook.ts';

const { ul_transaction_default } = webhookObjects;

export const get = defineOperation({
	id: 'webhook.get',
	spec: '4, P9',
	action: 'Get webhook',
	description: 'Read a webhook subscription',
	responseSummary:
		'object (the subscribed entity), enabled, callbackUri (URL that receives the events), data.accounts (empty: all accounts).',
	notes: ['A token of the Authorization Code Flow H2H works as well.'],
	auth: 'authorizationCode', // or its H2H variant; the scope is that of the subscribed event
	effect: 'read',
	method: 'GET',
	path: '/api/v1/webhooks/{id}',
	pathFields: fields({ id: webhookId }),
	query: fields({
		// The only value listed for reading; reading the other object is not described.
		object: choice(
			{ ul_transaction_default },
			'Object',
			'The entity the webhook is subscribed to. Only this one can be read',
			{ initial: 'ul_transaction_default' },
		),
	}),
	response: webhook,
	errors: restErrors('unknown_route'),
});
