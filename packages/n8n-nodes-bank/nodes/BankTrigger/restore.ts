import { isOwnAddress, isReadable, type Subscription, textOf } from '@bank/core';
import type { IHookFunctions } from 'n8n-workflow';

import { Parameters } from '../shared/form/parameters.ts';
import { warn } from '../shared/inbound/authenticate.ts';
import { probe } from '../shared/inbound/probe.ts';
import { addressesOf, shownAddress } from './addresses.ts';
import { accountsOf, registeredAddress, targetOf } from './desiredSubscription.ts';
import { lifecycleError, stillSubscribed } from './lifecycleErrors.ts';
import { failedActivations, isTest, memoryOf, nodeKey, storedSubscription } from './memory.ts';
import { ignoreNotFound, webhookApi } from './webhookApi.ts';

/** delete: undoes only what the trigger changed at the bank, because other workflows may use the subscription. */
export async function restoreSubscription(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	if (memory.testing === true || isTest(context)) {
		delete memory.testing;
		return true;
	}
	const key = nodeKey(context);
	if (failedActivations.get(key) === true) {
		failedActivations.set(key, false);
		return true;
	}
	// After a failed activation the subscription is never deleted, because deleting cannot be undone.
	const how = failedActivations.has(key) ? 'restore' : Parameters.ofTrigger(context).text('onDeactivation');
	try {
		// The stored state is kept: the trigger may register again, for example after an edit of the node.
		if (how === 'leave') return true;
		await release(context, how);
		delete memory.subscription;
		return true;
	} catch (error) {
		throw lifecycleError(context, error, stillSubscribed);
	}
}

/**
 * @param how value of *On Unpublishing*, other than `leave`
 * @param isUndo whether this undoes an activation that failed after it had taken the subscription
 */
export async function release(context: IHookFunctions, how: string, isUndo = false): Promise<void> {
	const target = targetOf(context);
	const { own } = addressesOf(context);
	const subscription = storedSubscription(context, target);
	const organizationIdHash =
		subscription?.organizationIdHash ?? textOf(Parameters.ofTrigger(context).options().organizationIdHash);
	const api = await webhookApi(context, target);

	if (!isReadable(target.object)) {
		// Without stored settings, another workflow may use the subscription.
		if (subscription === undefined)
			return warn(
				context,
				'changes nothing at the bank, because n8n has no record that this workflow changed the subscription. ' +
					'If it points to this workflow, disable it with the Bank node (Webhook: Update).',
			);
		if (how === 'delete') return await api.remove();
		const callbackUri = registeredAddress(context)?.callbackUri;
		if (how !== 'disable' && (await isGivenBack(context, callbackUri)))
			return void (await api.edit({ enabled: true, callbackUri, organizationIdHash }));
		// The request has no URL: the trigger cannot read the registered one and must not choose another.
		await api.edit({ enabled: false, organizationIdHash });
		return;
	}

	const present = await api.read().catch(ignoreNotFound);
	if (present === undefined)
		return warn(context, 'has no subscription at the bank: it was deleted, or the base URL of the credential is wrong');
	const isOwn = present.callbackUri === undefined ? subscription !== undefined : isOwnAddress(present.callbackUri, own);
	if (!isOwn) return warn(context, 'changes nothing at the bank: the subscription no longer points to this workflow');
	if (how === 'delete') return await api.remove();
	const before = how === 'disable' ? undefined : subscription?.before;
	const { isOfAnother } = addressesOf(context);
	// A subscription stays disabled if the bank had disabled it, or if its earlier workflow is unpublished by now.
	const mayEnable =
		isUndo ||
		(present.enabled !== false &&
			(!isOfAnother(before?.callbackUri) || (await isGivenBack(context, before?.callbackUri))));
	await api.edit({
		// Without a URL to restore, the bank would send to one that no longer works.
		enabled: before?.enabled === true && before.callbackUri !== undefined && mayEnable,
		callbackUri: before?.callbackUri ?? present.callbackUri,
		data: before?.data ?? present.data ?? registeredData(context),
		organizationIdHash,
	});
}

/** Whether the Bank Trigger that received the events before is still published. */
async function isGivenBack(context: IHookFunctions, address: string | undefined): Promise<boolean> {
	if (address === undefined || !addressesOf(context).isOfAnother(address)) return false;
	const { isAnswered, text } = await probe(context, address);
	warn(
		context,
		isAnswered
			? `gives the subscription back to another Bank Trigger, at ${shownAddress(address)}`
			: `disables the subscription of another Bank Trigger, which seems to be unpublished (${shownAddress(address)}: ` +
					`${text}). Publish that workflow again to enable it`,
	);
	return isAnswered;
}

/** The accounts that the trigger has registered, for a bank that does not return them. An edit must list them. */
function registeredData(context: IHookFunctions): Subscription['data'] {
	const accounts = accountsOf(context);
	return accounts === 'keep' ? undefined : { accounts: accounts === 'all' ? [] : [...accounts] };
}
