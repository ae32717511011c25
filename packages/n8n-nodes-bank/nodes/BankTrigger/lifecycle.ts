import { createHash } from 'node:crypto';

import {
	answerFaults,
	asRegistered,
	call,
	definitions,
	giveBack,
	InputError,
	isAsWanted,
	isAway,
	isBankFailure,
	isOwnAddress,
	isReadable,
	isRecord,
	isWebhookObject,
	noAccounts,
	type Operation,
	type OperationInput,
	prepare,
	splitList,
	type Subscription,
	subscriptionOf,
	switchOn,
	textOf,
	type WebhookObject,
	type Wish,
	wishFaults,
} from '@bank/core';
import { type IDataObject, type IHookFunctions, type NodeApiError, NodeOperationError } from 'n8n-workflow';

import { restCredential } from '../shared/authentication.ts';
import { credentialNames, credentialOf } from '../shared/credential.ts';
import { errorFor, failureOf } from '../shared/failures.ts';
import { warnOfMissingAuthentication } from '../shared/inbound/authenticate.ts';
import { pathSecretOf, settingsFaults } from '../shared/inbound/checks.ts';
import { connect } from '../shared/run/connection.ts';
import { Network } from '../shared/run/send.ts';
import { boundsOf } from '../shared/run/settings.ts';
import { addressesOf } from './addresses.ts';
import { Parameters } from '../shared/parameters.ts';

/**
 * The subscription over the life of the workflow. n8n calls `checkExists`, and `create` where that says no, at each activation
 * and each start; `delete` at deactivation, but also after an activation that failed, and it tries a failed activation several
 * times. The bank's subscription may be somebody else's until we have it, so `delete` undoes what we did and nothing more.
 */

/** What n8n keeps for the node. */
interface Memory extends IDataObject {
	/** A test run listens. It leaves the bank alone, and so must the `delete` that ends it. */
	testing?: boolean;
	subscription?: {
		id: string;
		object: WebhookObject;
		/** A digest of the address that the bank was given, because that may end in a secret. */
		address?: string;
		/** Those that the bank was given, for a bank that does not say which are registered. */
		accounts?: string[];
		/** What stood before; absent where it cannot be read. */
		before?: Before & IDataObject;
		organizationIdHash?: string;
	};
}

/** `callbackUri` is absent where the address was ours already. */
type Before = Pick<Subscription, 'enabled' | 'callbackUri' | 'data'>;

/**
 * An activation under way. In the memory of the process and not in n8n's, which may not keep what a failed activation wrote.
 * n8n activates, and cleans up after itself, in one process.
 */
interface Attempt {
	present?: Subscription;
	before?: Before;
	/** The accounts that the bank was given. */
	accounts?: string[];
	/** The bank may have changed the subscription for us. */
	changed: boolean;
}

const attempts = new Map<string, Attempt>();

const waysToLeave = ['restore', 'disable', 'leave', 'delete'] as const;
type OnDeactivation = (typeof waysToLeave)[number];

function wayToLeave(context: IHookFunctions): OnDeactivation {
	const chosen = Parameters.ofTrigger(context).text('onDeactivation');
	return waysToLeave.find((way) => way === chosen) ?? 'restore';
}

const placeOf = (context: IHookFunctions) => `${context.getWorkflow().id} ${context.getNode().id}`;
const memoryOf = (context: IHookFunctions) => context.getWorkflowStaticData('node') as Memory;
const isTest = (context: IHookFunctions) => context.getActivationMode() === 'manual';

/** What is remembered of this subscription, and not of one that the node was for before. */
function rememberedOf(context: IHookFunctions, { id, object }: Pick<Wish, 'id' | 'object'>): Memory['subscription'] {
	const { subscription } = memoryOf(context);
	return subscription?.id === id && subscription.object === object ? subscription : undefined;
}

/** checkExists: true where the bank already sends here what the user wants, so that nothing has to be changed. */
export async function isSubscribed(context: IHookFunctions): Promise<boolean> {
	if (isTest(context)) return false;
	if (context.getNodeParameter('verifySender', true) === false) warnOfMissingAuthentication(context);
	const attempt: Attempt = { changed: false };
	attempts.set(placeOf(context), attempt);
	try {
		const wish = await wishOf(context);
		if (!isReadable(wish.object)) return false;
		const bank = await bankOf(context, wish);
		const present = await bank.read().catch((error: unknown) => keepOnTrust(context, wish, error));
		if (present === 'on trust' || isAsWanted(aimed(wish, present), present)) {
			attempts.delete(placeOf(context));
			const { id, object } = wish;
			memoryOf(context).subscription = {
				...rememberedOf(context, wish),
				id,
				object,
				address: digestOf(wish.callbackUri),
			};
			return true;
		}
		attempt.present = present;
		return false;
	} catch (error) {
		throw inactive(context, error);
	}
}

/**
 * n8n starts while the bank is away: what was registered most likely still is, and events must not find a deaf n8n. n8n itself would
 * wait longer and longer before it tries again, up to a day.
 */
function keepOnTrust(context: IHookFunctions, wish: Wish, error: unknown): 'on trust' {
	const isRegistered = rememberedOf(context, wish)?.address === digestOf(wish.callbackUri);
	if (!isRegistered || !isBankFailure(error) || !isAway(error)) throw error;
	context.logger.warn(
		`"${context.getNode().name}" could not ask the bank about its subscription and ` +
			`goes on with what it registered before. ${error.details.message}`,
		{ workflowId: context.getWorkflow().id },
	);
	return 'on trust';
}

function digestOf(address: string): string {
	return createHash('sha256').update(address).digest('hex');
}

/** create: the whole subscription is sent (P10), and its answer must say what we asked for. */
export async function takeSubscription(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	if (isTest(context)) {
		memory.testing = true;
		return true;
	}
	delete memory.testing;
	const attempt = attempts.get(placeOf(context)) ?? { changed: false };
	attempts.set(placeOf(context), attempt);
	try {
		const own = await wishOf(context);
		const bank = await bankOf(context, own);
		const present = isReadable(own.object) ? (attempt.present ?? (await bank.read())) : undefined;
		const known: Subscription | undefined = present ?? registeredAddress(context);
		const wish = aimed(own, known);
		const faults = wishFaults(wish, known);
		if (faults.length > 0) throw new InputError(faults);
		attempt.before = beforeOf(context, wish, present);
		const answer = await change(bank, wish, known, attempt).catch((error: unknown) => {
			if (isReadable(wish.object)) throw error;
			return keepOnTrust(context, own, error);
		});
		if (answer === 'on trust') {
			attempts.delete(placeOf(context));
			return true;
		}
		const wrong = answerFaults(wish, known, answer);
		if (wrong.length > 0) {
			throw new NodeOperationError(
				context.getNode(),
				`The bank did not switch the subscription on as asked: ${wrong.join('; ')}`,
				{
					description: 'Ask the bank what stands against it, or correct the node, then publish again.',
				},
			);
		}
		const organizationIdHash = answer.organizationIdHash ?? wish.organizationIdHash;
		memory.subscription = {
			id: wish.id,
			object: wish.object,
			address: digestOf(own.callbackUri),
			...(attempt.accounts === undefined ? {} : { accounts: attempt.accounts }),
			...(attempt.before === undefined ? {} : { before: { ...attempt.before } }),
			...(organizationIdHash === undefined ? {} : { organizationIdHash }),
		};
		attempts.delete(placeOf(context));
		return true;
	} catch (error) {
		throw inactive(context, error);
	}
}

/** At the address that may be registered. Deliveries to it arrive, whatever follows its path. */
function aimed(wish: Wish, registered: Subscription | undefined): Wish {
	return { ...wish, callbackUri: asRegistered(wish.callbackUri, registered?.callbackUri) };
}

async function change(
	bank: Bank,
	wish: Wish,
	known: Subscription | undefined,
	attempt: Attempt,
): Promise<Subscription> {
	attempt.changed = true;
	const input = switchOn(wish, known);
	const accounts = accountsIn(input.body);
	if (accounts !== undefined) attempt.accounts = accounts;
	const answer = await bank.edit(input).catch((error: unknown) => lookAgain(bank, wish, attempt, error));
	return answer.enabled === undefined && isReadable(wish.object) ? { ...answer, ...(await bank.read()) } : answer;
}

/** The accounts that an edit lists. */
function accountsIn(body: unknown): string[] | undefined {
	const data = isRecord(body) ? body.data : undefined;
	const accounts = isRecord(data) ? data.accounts : undefined;
	return Array.isArray(accounts) ? accounts.map(String) : undefined;
}

/** After an edit of which nobody knows whether it was carried out: what is registered now. */
async function lookAgain(bank: Bank, wish: Wish, attempt: Attempt, error: unknown): Promise<Subscription> {
	const isUnclear = isBankFailure(error) && error.details.outcome === 'unknown';
	attempt.changed = isUnclear;
	const now = isUnclear && isReadable(wish.object) ? await bank.read().catch(() => undefined) : undefined;
	if (now === undefined || !isAsWanted(wish, now)) throw error;
	return now;
}

/** What a deactivation should put back. What was remembered at an earlier activation stands for as long as it has been ours since. */
function beforeOf(context: IHookFunctions, wish: Wish, present: Subscription | undefined): Before | undefined {
	const remembered = rememberedOf(context, wish)?.before;
	// Nobody will listen at our own address then. It is not kept, because it may end in a secret.
	const isOurs = isOwnAddress(present?.callbackUri, addressesOf(context).own);
	if (remembered !== undefined && (isOurs || present?.callbackUri === undefined)) return remembered;
	if (present === undefined) return undefined;
	const { enabled, callbackUri, data } = present;
	return {
		enabled: enabled === true && !isOurs,
		...(isOurs || callbackUri === undefined ? {} : { callbackUri }),
		...(data === undefined ? {} : { data }),
	};
}

/** delete: gives the subscription back, as far as it is ours. */
export async function giveBackSubscription(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	if (memory.testing === true || isTest(context)) {
		delete memory.testing;
		return true;
	}
	const attempt = attempts.get(placeOf(context));
	attempts.delete(placeOf(context));
	if (attempt?.changed === false) return true;
	const how = attempt === undefined ? wayToLeave(context) : 'restore';
	try {
		// What is left as it is stays known: it may be taken up again, by a change of the node for one.
		if (how === 'leave') return true;
		await release(context, how, attempt);
		delete memory.subscription;
		return true;
	} catch (error) {
		throw stillSubscribed(context, error);
	}
}

async function release(
	context: IHookFunctions,
	how: Exclude<OnDeactivation, 'leave'>,
	attempt: Attempt | undefined,
): Promise<void> {
	const target = targetOf(context);
	const { own } = addressesOf(context);
	const { subscription } = memoryOf(context);
	const bank = await bankOf(context, target);
	const say = (text: string) =>
		context.logger.warn(`"${context.getNode().name}": ${text}`, { workflowId: context.getWorkflow().id });

	if (!isReadable(target.object)) {
		// Without a memory of having changed it, it may be anybody's.
		if (subscription === undefined && attempt === undefined)
			return say('the subscription was not changed by this workflow and stays as it is');
		if (how === 'delete') return await bank.remove();
		const { organizationIdHash } = subscription ?? {};
		// Without an address: where it leads by now cannot be read, and is not ours to say.
		await bank.edit(giveBack(target, { enabled: false, organizationIdHash }));
		return;
	}

	const present = await bank.read().catch(whereGone);
	if (present === undefined) return say('the subscription is no longer there');
	const isOurs =
		present.callbackUri === undefined
			? (attempt ?? subscription) !== undefined
			: isOwnAddress(present.callbackUri, own);
	if (!isOurs) return say('the subscription no longer leads here and stays as it is');
	if (how === 'delete') return await bank.remove();
	const before = how === 'restore' ? (attempt ?? subscription)?.before : undefined;
	// What the bank has switched off meanwhile stays off.
	const mayEnable = attempt !== undefined || present.enabled !== false;
	const to: Subscription = {
		enabled: before?.enabled === true && mayEnable,
		callbackUri: before?.callbackUri ?? present.callbackUri,
		data: before?.data ?? present.data ?? dataOf((attempt ?? subscription)?.accounts),
		organizationIdHash: subscription?.organizationIdHash,
	};
	const same =
		present.enabled === to.enabled &&
		present.callbackUri === to.callbackUri &&
		JSON.stringify(present.data) === JSON.stringify(to.data);
	if (!same) await bank.edit(giveBack(target, to));
}

function dataOf(accounts: string[] | undefined): Subscription['data'] {
	return accounts === undefined ? undefined : { accounts };
}

/** Deleted by whoever: there is nothing to give back. */
function whereGone(error: unknown): undefined {
	if (!isBankFailure(error) || error.details.httpStatus !== 404) throw error;
}

interface Bank {
	/** P9 */
	read: () => Promise<Subscription>;
	/** P10 */
	edit: (input: OperationInput) => Promise<Subscription>;
	/** P11 */
	remove: () => Promise<void>;
}

async function bankOf(context: IHookFunctions, { id, object }: Pick<Wish, 'id' | 'object'>): Promise<Bank> {
	const { send } = new Network(
		context,
		await connect(context, restCredential('authorizationCode', context.getNodeParameter('flow', 'authorizationCode'))),
		boundsOf(Parameters.ofTrigger(context).options(), 30),
	);
	const run = async (operation: Operation, input: OperationInput): Promise<unknown> =>
		(await call(operation, prepare(operation, input), send)).data;
	const { webhook } = definitions;
	return {
		read: async () => subscriptionOf(await run(webhook.get, { path: { id }, query: { object } })),
		edit: async (input) => subscriptionOf(await run(webhook.update, input)),
		remove: async () => void (await run(webhook.delete, { path: { id }, query: { object } }).catch(whereGone)),
	};
}

function targetOf(context: IHookFunctions): Pick<Wish, 'id' | 'object'> {
	const parameters = Parameters.ofTrigger(context);
	const object = parameters.text('object');
	if (!isWebhookObject(object))
		throw new InputError([{ path: 'object', message: 'is none that the bank sends events of' }]);
	return { id: parameters.text('id'), object };
}

async function wishOf(context: IHookFunctions): Promise<Wish> {
	const organizationIdHash = textOf(Parameters.ofTrigger(context).options().organizationIdHash);
	return {
		...targetOf(context),
		callbackUri: await ownAddress(context),
		accounts: accountsOf(context.getNodeParameter('accountsMode', 'keep'), context.getNodeParameter('accounts', [])),
		...(organizationIdHash === '' ? {} : { organizationIdHash }),
	};
}

function accountsOf(mode: unknown, accounts: unknown): Wish['accounts'] {
	if (mode === 'keep' || mode === 'all') return mode;
	const listed = splitList(accounts, 'identifier');
	if (listed.length > 0) return listed;
	throw new InputError([noAccounts]);
}

/** The address to register. Its secret is in the credential, so that neither the workflow nor n8n's own tables hold it. */
async function ownAddress(context: IHookFunctions): Promise<string> {
	const { open, withSecret } = addressesOf(context);
	if (context.getNodeParameter('verifySender', true) === false) return open;
	const settings = await credentialOf(context, 'bankInboundApi');
	const missing = settingsFaults(settings);
	if (missing.length > 0)
		throw new NodeOperationError(
			context.getNode(),
			`The ${credentialNames.bankInboundApi} credential is not complete: ${missing.join('; ')}`,
		);
	const secret = pathSecretOf(settings);
	if (secret === undefined) return open;
	const address = withSecret(secret);
	if (address !== undefined) return address;
	throw new NodeOperationError(
		context.getNode(),
		'n8n has given this node no webhook ID, so its address cannot end in a secret: delete the node and add it again',
	);
}

/** For incoming payments, what the user knows to be registered, so that its host is compared before anything is changed. */
function registeredAddress(context: IHookFunctions): Subscription | undefined {
	const registeredCallbackUri = textOf(Parameters.ofTrigger(context).options().registeredCallbackUri);
	return registeredCallbackUri === '' ? undefined : { callbackUri: registeredCallbackUri };
}

function inactive(context: IHookFunctions, error: unknown): NodeApiError | NodeOperationError {
	return told(context, error, 'The workflow does not listen.');
}

function stillSubscribed(context: IHookFunctions, error: unknown): NodeApiError | NodeOperationError {
	return told(
		context,
		error,
		'The workflow no longer listens, but the subscription at the bank may still lead to ' +
			'it: disable it with the Bank node (Webhook: Update), or ask the bank.',
	);
}

/** n8n shows only the message of what goes wrong here, so it holds the advice as well. */
function told(context: IHookFunctions, error: unknown, consequence: string): NodeApiError | NodeOperationError {
	const failure = failureOf(context, error);
	const shown = errorFor(context, failure);
	const parts =
		failure instanceof InputError
			? [failure.message, 'Nothing was changed at the bank']
			: [shown.message, shown.description ?? ''];
	shown.message = [
		...parts.map((part) => part.trim().replace(/(?<![.\s])[.\s]+$/, '')).filter((part) => part !== ''),
		consequence,
	].join('. ');
	return shown;
}
