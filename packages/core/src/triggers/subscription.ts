import * as v from 'valibot';

import { omitUndefined } from '../omitUndefined.ts';
import { type ValidationIssue } from '../validation.ts';
import type { OperationInput } from '../operation.ts';
import { hostIssues, type WebhookBody, withRegisteredQuery } from '../operations/webhook/update.ts';
import { type webhookObjects } from '../schemas/webhook.ts';

/**
 * Manages a webhook subscription of the bank (P9-P11, 3.3). The API can read, edit and delete subscriptions, but not
 * create them, so a trigger takes over an existing one and restores it later.
 */

export type WebhookObject = keyof typeof webhookObjects;

/** A field of the wrong type is ignored. */
const ifRight = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

const reason = v.object({ cause: ifRight(v.string()), description: ifRight(v.string()) });

/**
 * A subscription, as returned by P9 and P10. All fields are optional (2.8). An unreadable account list is unknown rather
 * than empty, because empty means all accounts (P10, rule 2).
 */
const subscription = v.object({
	enabled: ifRight(v.boolean()),
	callbackUri: ifRight(v.pipe(v.string(), v.nonEmpty())),
	data: ifRight(v.object({ accounts: v.array(v.pipe(v.union([v.string(), v.number()]), v.transform(String))) })),
	organizationIdHash: ifRight(v.string()),
	statusDescriptions: ifRight(v.array(v.fallback(reason, {}))),
});
export type Subscription = v.InferOutput<typeof subscription>;

export const subscriptionOf = (response: unknown): Subscription =>
	omitUndefined(v.parse(v.fallback(subscription, {}), response));

export interface DesiredSubscription {
	id: string;
	object: WebhookObject;
	/** Webhook URL of the trigger. */
	callbackUri: string;
	/** `keep`: the registered accounts. `all`: an empty list (P10, rule 2). Ignored for incoming payments. */
	accounts: 'keep' | 'all' | readonly string[];
	organizationIdHash?: string;
}

/** Whether a subscription can be read: P9 reads only one of the objects; the other can be edited but not read. */
export function isReadable(object: WebhookObject): boolean {
	return object === 'ul_transaction_default';
}

/**
 * The subscription to register in place of the present one. Only the path of the URL changes (P10, rule 4). The accounts are
 * undefined if they are unknown or not applicable (P10, rule 3).
 * @param present the registered subscription, as far as known
 */
export function editedSubscription(desired: DesiredSubscription, present: Subscription | undefined): Subscription {
	const { object, callbackUri, accounts, organizationIdHash } = desired;
	const listed = { keep: present?.data?.accounts, all: [] };
	const chosen = typeof accounts === 'string' ? listed[accounts] : [...accounts];
	return omitUndefined({
		enabled: true,
		callbackUri: withRegisteredQuery(callbackUri, present?.callbackUri),
		data: object === 'ul_transaction_default' && chosen ? { accounts: chosen } : undefined,
		organizationIdHash: organizationIdHash ?? present?.organizationIdHash,
	});
}

/** Whether the registered subscription is as the edit would make it. */
export function isInEffect(edited: Subscription, present: Subscription): boolean {
	return (
		present.enabled === true &&
		present.callbackUri === edited.callbackUri &&
		isSameList(edited.data?.accounts, present.data?.accounts)
	);
}

function isSameList(some: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
	if (some === undefined || others === undefined) return some === others;
	const [a, b] = [new Set(some), new Set(others)];
	return a.size === b.size && [...a].every((account) => b.has(account));
}

export function subscriptionIssues(
	object: WebhookObject,
	edited: Subscription,
	present: Subscription | undefined,
): ValidationIssue[] {
	const issues = hostIssues(present?.callbackUri, edited.callbackUri);
	const message =
		'cannot be kept, because the bank does not say which are registered. Choose all accounts, or list them';
	if (object === 'ul_transaction_default' && edited.data === undefined) issues.push({ path: 'accounts', message });
	return issues;
}

/**
 * P10 request that gives the subscription these settings. It has every field, because the description does not say what
 * happens to missing ones. Unknown accounts are omitted: an empty list would mean all accounts.
 */
export function editRequest(
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
	{ enabled, callbackUri, data, organizationIdHash }: Subscription,
): OperationInput {
	const body: WebhookBody = omitUndefined({
		object,
		enabled: enabled === true,
		organizationIdHash: organizationIdHash || undefined,
		data: object === 'ul_transaction_default' && data?.accounts ? { accounts: [...data.accounts] } : undefined,
		callbackUri,
		version: 1,
	});
	return { path: { id }, body };
}

/** Changes that the response to the edit does not confirm. Missing fields are ignored. */
export function unconfirmedChanges(edited: Subscription, response: Subscription): string[] {
	const issues: string[] = [];
	if (Object.keys(response).length === 0) issues.push('its response shows no subscription');
	if (response.enabled === false) {
		const reasons = (response.statusDescriptions ?? [])
			.map(({ cause, description }) => [cause, description].filter(Boolean).join(': '))
			.filter((reason) => reason !== '');
		const why = reasons.length === 0 ? ' and gives no reason' : ` (${reasons.join('; ')})`;
		issues.push(`the bank keeps the subscription disabled${why}`);
	}
	if (response.callbackUri !== undefined && response.callbackUri !== edited.callbackUri)
		issues.push('the bank has kept another callback address');
	if (edited.data && response.data && !isSameList(edited.data.accounts, response.data.accounts))
		issues.push('the bank has kept other accounts');
	return issues;
}

/** Whether a URL belongs to this trigger, with any secret at its end. */
export function isOwnAddress(address: string | undefined, own: string): boolean {
	return address !== undefined && (address === own || address.startsWith(`${own}/`));
}
