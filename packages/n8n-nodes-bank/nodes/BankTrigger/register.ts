import {
	type BankFailure,
	type DesiredSubscription,
	editedSubscription,
	InputError,
	isBankFailure,
	isInEffect,
	isOwnAddress,
	isReadable,
	omitUndefined,
	type Subscription,
	subscriptionIssues,
	unconfirmedChanges,
} from '@bank/core';
import { createRedactor } from '@bank/credentials';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';

import { isOn, Parameters } from '../shared/form/parameters.ts';
import { warn, warnOfMissingAuthentication } from '../shared/inbound/authenticate.ts';
import { probe } from '../shared/inbound/probe.ts';
import { addressesOf, shownAddress } from './addresses.ts';
import { desiredSubscription, ownAddress, registeredAddress } from './desiredSubscription.ts';
import { lifecycleError, notListening } from './lifecycleErrors.ts';
import { failedActivations, isStart, isTest, memoryOf, nodeKey, type Previous, storedSubscription } from './memory.ts';
import { release } from './restore.ts';
import { type WebhookApi, webhookApi } from './webhookApi.ts';

/**
 * checkExists of the webhooks for probes, which n8n creates first. A test with which every delivery would be rejected must fail here:
 * after a later error n8n calls `delete` with static data that no longer shows that it was a test.
 * @throws NodeOperationError
 */
export async function checkTest(context: IHookFunctions): Promise<boolean> {
	if (isTest(context)) await ownAddress(context);
	return true;
}

/**
 * create: registers the trigger, unless the subscription is as wanted. n8n calls it at each activation and, without its publication
 * service, at each start. It calls `delete` at deactivation, and several times after a failed activation, which this is until it returns.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	if (isTest(context)) {
		memory.testing = true;
		return true;
	}
	delete memory.testing;
	if (context.getNodeParameter('verifySender', true) === false) warnOfMissingAuthentication(context);
	failedActivations.set(nodeKey(context), true);
	try {
		const desired = await desiredSubscription(context);
		const api = await webhookApi(context, desired);
		const present = await api.read();
		if (!isStart(context) || !isLeftAlone(context, desired, present)) await register(context, desired, api, present);
		failedActivations.delete(nodeKey(context));
		return true;
	} catch (error) {
		throw lifecycleError(context, error, notListening, await reachability(context, error));
	}
}

/**
 * Whether a start of n8n leaves the subscription as it is: of two workflows with one subscription, the one that a
 * person published last keeps it. If the subscription cannot be read, it is enough that this trigger has registered
 * once.
 */
function isLeftAlone(
	context: IHookFunctions,
	desired: DesiredSubscription,
	present: Subscription | undefined,
): boolean {
	if (!isReadable(desired.object)) return storedSubscription(context, desired) !== undefined;
	if (present?.enabled !== true || !addressesOf(context).isOfAnother(present.callbackUri)) return false;
	warn(
		context,
		`receives no events: another Bank Trigger has its subscription, at ${shownAddress(present.callbackUri)}`,
	);
	return true;
}

/** The advice if the bank cannot reach the URL: what was called, and what n8n answers at that URL. */
async function reachability(context: IHookFunctions, error: unknown): Promise<string | undefined> {
	if (!isBankFailure(error) || error.details.code !== 'insufficient_privileges') return undefined;
	const address = await ownAddress(context);
	const { isAnswered, text } = await probe(context, address);
	const next = isAnswered
		? 'Ask the bank whether it can reach it, and whether webhooks are enabled for you'
		: 'Check N8N_WEBHOOK_URL and the proxy';
	return `A GET from n8n to ${shownAddress(address)} got ${text}. ${next}`;
}

/** @throws NodeOperationError if another published workflow receives the events, unless the user has chosen to take them over */
async function refuseTakingOver(context: IHookFunctions, known: Subscription | undefined): Promise<void> {
	const { callbackUri = '', enabled } = known ?? {};
	if (enabled === false || !addressesOf(context).isOfAnother(callbackUri)) return;
	if (isOn(Parameters.ofTrigger(context).options().takeOver))
		return warn(context, `takes the subscription from another Bank Trigger, at ${shownAddress(callbackUri)}`);
	// The workflow may have been unpublished while the bank was unavailable, or deleted.
	if (!(await probe(context, callbackUri)).isAnswered) return;
	throw new NodeOperationError(
		context.getNode(),
		`Another workflow receives the events of this subscription, at ${shownAddress(callbackUri)}`,
		{ description: 'Unpublish that workflow, or add the option "Take Over". Nothing was changed at the bank.' },
	);
}

/** Sends the whole subscription (P10), unless it is in effect. The response must confirm it. */
async function register(
	context: IHookFunctions,
	desired: DesiredSubscription,
	api: WebhookApi,
	present: Subscription | undefined,
): Promise<void> {
	const memory = memoryOf(context);
	const { id, object } = desired;
	if (present !== undefined && isInEffect(editedSubscription(desired, present), present)) {
		memory.subscription = { ...storedSubscription(context, desired), id, object };
		return;
	}
	const known: Subscription | undefined = present ?? registeredAddress(context);
	await refuseTakingOver(context, known);
	const edited = editedSubscription(desired, known);
	const issues = subscriptionIssues(object, edited, known);
	if (issues.length > 0) throw new InputError(issues);
	const before = previousOf(context, desired, present);
	const response = await api.edit(edited).catch((error: unknown) => {
		if (!isBankFailure(error) || error.details.outcome !== 'unknown') throw error;
		return error;
	});
	const returned = isBankFailure(response) ? undefined : response.organizationIdHash;
	memory.subscription = omitUndefined({
		id,
		object,
		before: before && { ...before },
		organizationIdHash: desired.organizationIdHash ?? returned,
	});
	await confirm(context, api, edited, response).catch(async (error: unknown) => {
		await undo(context);
		throw error;
	});
}

/** @throws if the bank does not confirm the edit, or if its outcome is unknown and the subscription is not as requested */
async function confirm(
	context: IHookFunctions,
	api: WebhookApi,
	edited: Subscription,
	response: Subscription | BankFailure,
): Promise<void> {
	if (isBankFailure(response)) {
		const now = await api.read().catch(() => undefined);
		if (now === undefined || !isInEffect(edited, now)) throw response;
		return;
	}
	const now = response.enabled === undefined ? { ...response, ...(await api.read()) } : response;
	const unconfirmed = unconfirmedChanges(edited, now);
	if (unconfirmed.length === 0) return;
	const reasons = withoutSecret(context, edited, unconfirmed.join('; '));
	throw new NodeOperationError(context.getNode(), `The bank did not enable the subscription as requested: ${reasons}`, {
		description: 'Ask the bank for the reason, or correct the node, then publish again.',
	});
}

/** If restoring fails, the `delete` that n8n calls next tries again. */
async function undo(context: IHookFunctions): Promise<void> {
	try {
		await release(context, 'restore', true);
		delete memoryOf(context).subscription;
	} catch {
		failedActivations.set(nodeKey(context), false);
	}
}

/** The bank's reasons may repeat the URL, which may end in a secret. */
function withoutSecret(context: IHookFunctions, { callbackUri = '' }: Subscription, text: string): string {
	const [address = ''] = callbackUri.split(/[?#]/);
	if (address === addressesOf(context).open) return text;
	return createRedactor({ secrets: [address.slice(address.lastIndexOf('/') + 1)] })(text);
}

/** The state to restore at deactivation: that of an earlier activation while the subscription points to this trigger. */
function previousOf(
	context: IHookFunctions,
	desired: DesiredSubscription,
	present: Subscription | undefined,
): Previous | undefined {
	const stored = storedSubscription(context, desired)?.before;
	const { own } = addressesOf(context);
	// The own URL is not stored, because it may contain a secret.
	const isOwn = isOwnAddress(present?.callbackUri, own);
	if (stored !== undefined && (isOwn || present?.callbackUri === undefined)) return stored;
	if (present === undefined) return undefined;
	const { enabled, callbackUri, data } = present;
	return omitUndefined({ enabled, callbackUri: isOwn ? undefined : callbackUri, data });
}
