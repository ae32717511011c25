import {
	unconfirmedChanges,
	withRegisteredQuery,
	type DesiredSubscription,
	desiredSubscriptionIssues,
	enableRequest,
	InputError,
	isBankFailure,
	isOwnAddress,
	isReadable,
	matchesDesired,
	omitUndefined,
	type Subscription,
} from '@bank/core';
import { createRedactor } from '@bank/credentials';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';

import { warnOfMissingAuthentication } from '../shared/inbound/authenticate.ts';
import { addressesOf } from './addresses.ts';
import { desiredSubscription, registeredAddress } from './desired.ts';
import { lifecycleError, notListening } from './lifecycleErrors.ts';
import { type Attempt, attempts, isTest, memoryOf, nodeKey, type Previous, rememberedOf } from './memory.ts';
import { type WebhookApi, webhookApi } from './webhookApi.ts';

/**
 * Registers the trigger at the bank. At each activation and at each start, n8n calls `checkExists`, and `create` if it
 * returns false. It calls `delete` at deactivation, and several times after a failed activation.
 */

/** checkExists: whether the subscription at the bank already matches the settings of this trigger. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	if (isTest(context)) return false;
	if (context.getNodeParameter('verifySender', true) === false) warnOfMissingAuthentication(context);
	// What an earlier activation has changed and could not undo is still to be restored at deactivation.
	const { before } = attempts.get(nodeKey(context)) ?? {};
	const attempt: Attempt = omitUndefined({ changed: false, before });
	attempts.set(nodeKey(context), attempt);
	try {
		const desired = await desiredSubscription(context);
		if (!isReadable(desired.object)) return false;
		const api = await webhookApi(context, desired);
		const present = await api.read();
		if (matchesDesired(atRegisteredAddress(desired, present), present)) {
			attempts.delete(nodeKey(context));
			const { id, object } = desired;
			memoryOf(context).subscription = {
				...rememberedOf(context, desired),
				id,
				object,
				...(before && { before: { ...before } }),
			};
			return true;
		}
		attempt.present = present;
		return false;
	} catch (error) {
		throw lifecycleError(context, error, notListening);
	}
}

/** create: sends the whole subscription (P10). The response must confirm it. */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	if (isTest(context)) {
		memory.testing = true;
		return true;
	}
	delete memory.testing;
	const attempt = attempts.get(nodeKey(context)) ?? { changed: false };
	attempts.set(nodeKey(context), attempt);
	try {
		const own = await desiredSubscription(context);
		const api = await webhookApi(context, own);
		const present = isReadable(own.object) ? (attempt.present ?? (await api.read())) : undefined;
		const known: Subscription | undefined = present ?? registeredAddress(context);
		const desired = atRegisteredAddress(own, known);
		const issues = desiredSubscriptionIssues(desired, known);
		if (issues.length > 0) throw new InputError(issues);
		attempt.before = previousOf(context, desired, present, attempt.before);
		const response = await enable(api, desired, known, attempt);
		const unconfirmed = unconfirmedChanges(desired, known, response);
		if (unconfirmed.length > 0) {
			const reasons = withoutSecret(context, own, unconfirmed.join('; '));
			throw new NodeOperationError(
				context.getNode(),
				`The bank did not enable the subscription as requested: ${reasons}`,
				{ description: 'Ask the bank for the reason, or correct the node, then publish again.' },
			);
		}
		memory.subscription = omitUndefined({
			id: desired.id,
			object: desired.object,
			before: attempt.before && { ...attempt.before },
			organizationIdHash: response.organizationIdHash ?? desired.organizationIdHash,
		});
		attempts.delete(nodeKey(context));
		return true;
	} catch (error) {
		throw lifecycleError(context, error, notListening);
	}
}

/** The bank's reasons may repeat the URL, which may end in a secret. */
function withoutSecret(context: IHookFunctions, { callbackUri }: DesiredSubscription, text: string): string {
	if (callbackUri === addressesOf(context).open) return text;
	return createRedactor({ secrets: [callbackUri.slice(callbackUri.lastIndexOf('/') + 1)] })(text);
}

/** Only the path of the registered URL may differ. The rest is kept, and deliveries still arrive. */
function atRegisteredAddress(desired: DesiredSubscription, registered: Subscription | undefined): DesiredSubscription {
	return { ...desired, callbackUri: withRegisteredQuery(desired.callbackUri, registered?.callbackUri) };
}

async function enable(
	api: WebhookApi,
	desired: DesiredSubscription,
	known: Subscription | undefined,
	attempt: Attempt,
): Promise<Subscription> {
	attempt.changed = true;
	const request = enableRequest(desired, known);
	const response = await api.edit(request).catch((error: unknown) => readAfterEdit(api, desired, attempt, error));
	return response.enabled === undefined && isReadable(desired.object)
		? { ...response, ...(await api.read()) }
		: response;
}

/** After an edit with an unknown outcome: reads what is registered now. */
async function readAfterEdit(
	api: WebhookApi,
	desired: DesiredSubscription,
	attempt: Attempt,
	error: unknown,
): Promise<Subscription> {
	const isUnclear = isBankFailure(error) && error.details.outcome === 'unknown';
	attempt.changed = isUnclear;
	const now = isUnclear && isReadable(desired.object) ? await api.read().catch(() => undefined) : undefined;
	if (now === undefined || !matchesDesired(desired, now)) throw error;
	return now;
}

/** The state to restore at deactivation: that of an earlier activation while the subscription points to this trigger. */
function previousOf(
	context: IHookFunctions,
	desired: DesiredSubscription,
	present: Subscription | undefined,
	unrestored: Previous | undefined,
): Previous | undefined {
	const stored = unrestored ?? rememberedOf(context, desired)?.before;
	const { own } = addressesOf(context);
	// The own URL is not stored, because it may contain a secret.
	const isOwn = isOwnAddress(present?.callbackUri, own);
	if (stored !== undefined && (isOwn || present?.callbackUri === undefined)) return stored;
	if (present === undefined) return undefined;
	const { enabled, callbackUri, data } = present;
	return omitUndefined({ enabled, callbackUri: isOwn ? undefined : callbackUri, data });
}
