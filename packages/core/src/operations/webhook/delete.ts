import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { fields } from '../../schemas/fields.ts';
import { webhookId, webhookObject } from '../../schemas/webhook.ts';

export const deleteWebhook = defineOperation({
	id: 'webhook.delete',
	spec: '4, P11',
	action: 'Delete webhook',
	description: 'Delete a webhook subscription permanently. The API cannot create it again',
	notes: ['The bank does not state the flow. A token that can read the webhook is used.'],
	auth: 'authorizationCode', // the flow is not stated; the scope is that of the subscribed event
	effect: 'delete',
	method: 'DELETE',
	path: '/api/v1/webhooks/{id}',
	pathFields: fields({ id: webhookId }),
	query: fields({ object: webhookObject }),
	errors: restErrors('insufficient_privileges', 'unknown_route'),
});
