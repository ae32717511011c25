import { isRecord } from '../json.ts';
import { type Fault } from '../faults.ts';
import type { OperationInput } from '../operation.ts';
import { hostFaults, type WebhookBody } from '../operations/webhook/update.ts';
import { webhookObjects } from '../schemas/webhook.ts';

/**
 * What a trigger does to a subscription over its life (P9-P11, 3.3). The API can read, edit and delete one, not create one: the
 * trigger attaches itself to what the bank has set up and gives it back.
 */

export type WebhookObject = keyof typeof webhookObjects;

export function isWebhookObject(value: string): value is WebhookObject {
	return Object.hasOwn(webhookObjects, value);
}

/** A subscription as P9 and P10 answer it (2.8). */
export interface Subscription {
	enabled?: boolean;
	callbackUri?: string;
	data?: { accounts?: string[] };
	organizationIdHash?: string;
	statusDescriptions?: { cause?: string; description?: string }[];
}

/**
 * An answer of P9 or P10 as a subscription: all fields are optional (2.8), and what is not of its type says nothing. In particular a
 * list of accounts that cannot be read is unknown and not empty, which would mean all accounts (P10, rule 2).
 */
export function subscriptionOf(answer: unknown): Subscription {
	if (!isRecord(answer)) return {};
	const { enabled, callbackUri, data, organizationIdHash, statusDescriptions } = answer;
	const accounts: unknown = isRecord(data) ? data.accounts : undefined;
	const isList =
		Array.isArray(accounts) && accounts.every((account) => typeof account === 'string' || typeof account === 'number');
	const reasons = [statusDescriptions ?? []].flat().map((reason: unknown) => {
		const { cause, description } = isRecord(reason) ? reason : { cause: undefined, description: reason };
		return {
			...(typeof cause === 'string' ? { cause } : {}),
			...(typeof description === 'string' ? { description } : {}),
		};
	});
	return {
		...(typeof enabled === 'boolean' ? { enabled } : {}),
		...(typeof callbackUri === 'string' ? { callbackUri } : {}),
		...(isList ? { data: { accounts: accounts.map(String) } } : {}),
		...(typeof organizationIdHash === 'string' ? { organizationIdHash } : {}),
		...(reasons.length > 0 ? { statusDescriptions: reasons } : {}),
	};
}

/** What the user wants of it. */
export interface DesiredSubscription {
	id: string;
	object: WebhookObject;
	/** Where the caller listens. */
	callbackUri: string;
	/** Those that are registered, all (an empty list, P10 rule 2), or these. Without meaning for incoming payments. */
	accounts: 'keep' | 'all' | readonly string[];
	organizationIdHash?: string;
}

/** P9 lists one object only; the other one can be edited, but not read. */
export function isReadable(object: WebhookObject): boolean {
	return object === 'ul_transaction_default';
}

/** The accounts that the subscription should have; undefined where they are not known, or have no place (P10, rule 3). */
function wantedAccounts(
	{ object, accounts }: DesiredSubscription,
	present: Subscription | undefined,
): readonly string[] | undefined {
	if (object !== 'ul_transaction_default') return undefined;
	if (accounts === 'all') return [];
	return accounts === 'keep' ? present?.data?.accounts : accounts;
}

/** Whether nothing has to be changed. */
export function matchesDesired(desired: DesiredSubscription, present: Subscription): boolean {
	return (
		present.enabled === true &&
		present.callbackUri === desired.callbackUri &&
		isSameList(wantedAccounts(desired, present), present.data?.accounts)
	);
}

function isSameList(some: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
	if (some === undefined || others === undefined) return some === others;
	const [a, b] = [new Set(some), new Set(others)];
	return a.size === b.size && [...a].every((account) => b.has(account));
}

/** What speaks against switching it on here. `present` is what is registered, as far as it is known. */
export function desiredFaults(desired: DesiredSubscription, present: Subscription | undefined): Fault[] {
	const faults = hostFaults(present?.callbackUri, desired.callbackUri);
	if (desired.object === 'ul_transaction_default' && wantedAccounts(desired, present) === undefined) {
		faults.push({
			path: 'accounts',
			message: 'cannot be kept, because the bank does not say which are registered',
			code: 'accountsUnknown',
		});
	}
	return faults;
}

/** P10 with every field, so that nothing depends on what the bank does with one that is left out. */
export function enableRequest(desired: DesiredSubscription, present: Subscription | undefined): OperationInput {
	return edit(desired, {
		enabled: true,
		callbackUri: desired.callbackUri,
		accounts: wantedAccounts(desired, present),
		organizationIdHash: desired.organizationIdHash ?? present?.organizationIdHash,
	});
}

/** P10 that only switches it off, or that puts back what stood before. Statements need `data`: see `subscriptionOf`. */
export function restoreRequest(
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
	to: Subscription,
): OperationInput {
	return edit(
		{ id, object },
		{
			enabled: to.enabled === true,
			callbackUri: to.callbackUri,
			accounts: to.data?.accounts,
			organizationIdHash: to.organizationIdHash,
		},
	);
}

interface Edit {
	enabled: boolean;
	callbackUri: string | undefined;
	accounts: readonly string[] | undefined;
	organizationIdHash: string | undefined;
}

function edit(
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
	{ enabled, callbackUri, accounts, organizationIdHash }: Edit,
): OperationInput {
	const body: WebhookBody = {
		object,
		enabled,
		...(organizationIdHash === undefined || organizationIdHash === '' ? {} : { organizationIdHash }),
		// Never an empty list where none is known: that would mean all accounts.
		...(object === 'ul_transaction_default' && accounts !== undefined ? { data: { accounts: [...accounts] } } : {}),
		...(callbackUri === undefined ? {} : { callbackUri }),
		version: 1,
	};
	return { path: { id }, body };
}

/** What the bank's response to `enableRequest` does not confirm. Fields that it leaves out say nothing. */
export function answerFaults(
	desired: DesiredSubscription,
	present: Subscription | undefined,
	answer: Subscription,
): string[] {
	const faults: string[] = [];
	if (Object.keys(answer).length === 0) faults.push('its answer shows no subscription');
	if (answer.enabled === false) {
		const reasons = (answer.statusDescriptions ?? [])
			.map(({ cause, description }) =>
				[cause, description].filter((part) => part !== undefined && part !== '').join(': '),
			)
			.filter((reason) => reason !== '');
		faults.push(
			`the bank keeps the subscription disabled${reasons.length === 0 ? ' and gives no reason' : ` (${reasons.join('; ')})`}`,
		);
	}
	if (answer.callbackUri !== undefined && answer.callbackUri !== desired.callbackUri)
		faults.push('the bank has kept another callback address');
	const accounts = wantedAccounts(desired, present);
	if (accounts !== undefined && answer.data?.accounts !== undefined && !isSameList(accounts, answer.data.accounts))
		faults.push('the bank has kept other accounts');
	return faults;
}

/** Whether an address leads to this trigger, with whatever secret at its end. */
export function isOwnAddress(address: string | undefined, own: string): boolean {
	return address !== undefined && (address === own || address.startsWith(`${own}/`));
}
