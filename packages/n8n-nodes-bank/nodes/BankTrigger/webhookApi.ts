import {
	call,
	type DesiredSubscription,
	definitions,
	editRequest,
	isBankFailure,
	isReadable,
	type Operation,
	type OperationInput,
	prepare,
	type Subscription,
	subscriptionOf,
} from '@bank/core';
import type { IHookFunctions } from 'n8n-workflow';

import { restCredential } from '../shared/base/authentication.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { BankHttpClient } from '../shared/http/bankHttpClient.ts';
import { requestLimitsOf } from '../shared/http/deadline.ts';

export type WebhookApi = Awaited<ReturnType<typeof webhookApi>>;

/** Reads, edits and deletes the subscription at the bank (P9-P11). */
export async function webhookApi(context: IHookFunctions, target: Pick<DesiredSubscription, 'id' | 'object'>) {
	const { id, object } = target;
	const credentialType = restCredential('authorizationCode', context.getNodeParameter('flow', 'authorizationCode'));
	const limits = requestLimitsOf(Parameters.ofTrigger(context).options(), 30);
	const { send } = await BankHttpClient.open(context, credentialType, limits);
	const run = async (operation: Operation, input: OperationInput): Promise<unknown> =>
		(await call(operation, prepare(operation, input), send)).data;
	const { webhook } = definitions;
	return {
		/** Reads the subscription; undefined if P9 cannot read this object. */
		read: async () =>
			isReadable(object) ? subscriptionOf(await run(webhook.get, { path: { id }, query: { object } })) : undefined,
		edit: async (edited: Subscription) => subscriptionOf(await run(webhook.update, editRequest(target, edited))),
		remove: async () => void (await run(webhook.delete, { path: { id }, query: { object } }).catch(ignoreNotFound)),
	};
}

/** A deleted subscription needs neither restoring nor deleting. */
export function ignoreNotFound(error: unknown): undefined {
	if (!isBankFailure(error) || error.details.httpStatus !== 404) throw error;
}
