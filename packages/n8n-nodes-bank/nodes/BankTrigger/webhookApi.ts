import {
	call,
	type DesiredSubscription,
	definitions,
	isBankFailure,
	type Operation,
	type OperationInput,
	prepare,
	type Subscription,
	subscriptionOf,
} from '@bank/core';
import type { IHookFunctions } from 'n8n-workflow';

import { restCredential } from '../shared/authentication.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { BankHttpClient } from '../shared/http/bankHttpClient.ts';
import { requestLimitsOf } from '../shared/pipeline/settings.ts';

/** The subscription at the bank. */
export interface WebhookApi {
	/** P9 */
	read: () => Promise<Subscription>;
	/** P10 */
	edit: (input: OperationInput) => Promise<Subscription>;
	/** P11 */
	remove: () => Promise<void>;
}

export async function webhookApi(
	context: IHookFunctions,
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
): Promise<WebhookApi> {
	const credentialType = restCredential('authorizationCode', context.getNodeParameter('flow', 'authorizationCode'));
	const limits = requestLimitsOf(Parameters.ofTrigger(context).options(), 30);
	const { send } = await BankHttpClient.open(context, credentialType, limits);
	const run = async (operation: Operation, input: OperationInput): Promise<unknown> =>
		(await call(operation, prepare(operation, input), send)).data;
	const { webhook } = definitions;
	return {
		read: async () => subscriptionOf(await run(webhook.get, { path: { id }, query: { object } })),
		edit: async (input) => subscriptionOf(await run(webhook.update, input)),
		remove: async () => void (await run(webhook.delete, { path: { id }, query: { object } }).catch(ignoreNotFound)),
	};
}

/** A deleted subscription needs neither restoring nor deleting. */
export function ignoreNotFound(error: unknown): undefined {
	if (!isBankFailure(error) || error.details.httpStatus !== 404) throw error;
}
