import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import type { ValidationIssue } from '../../validation.ts';
import { defineOperation } from '../../operation.ts';
import { fields, flag, group, identifiers, optionalText, whole } from '../../schemas/fields.ts';
import { webhook, webhookId, webhookObject } from '../../schemas/webhook.ts';

const webhookBody = fields({
	object: webhookObject,
	enabled: v.optional(flag('Enabled', 'Whether the bank sends events', { initial: true })),
	organizationIdHash: optionalText('Organization ID Hash', 'Hash of the organization identifier', {
		placeholder: 'e.g. 5d41402abc4b2a76b9719d911017c592',
	}),
	data: v.optional(
		group(
			{
				// Required inside `data`: an empty list means all accounts and must not count as absent.
				accounts: identifiers(
					'Account',
					'Accounts',
					'All accounts the webhook covers, not only new ones. An empty list means all accounts',
					{ placeholder: 'e.g. 40702810000000000001', holds: 'account' },
				),
			},
			'Data',
			'Extra data of ul_transaction_default',
		),
	),
	callbackUri: optionalText('Callback URI', 'Address that receives the events. Only its path may change', {
		placeholder: 'e.g. https://partner.example/events',
	}),
	version: v.optional(
		v.pipe(
			whole('Version', 'Data format version; the only value is 1'),
			v.value(1, 'must be 1, the only data format version'),
		),
	),
});

export type WebhookBody = v.InferOutput<typeof webhookBody>;

/** Issues of a subscription's data (P10, rules 1 and 3). Rule 2 defines the empty list, field checks cover rule 5, `hostIssues` rule 4. */
function webhookIssues({ object, data, callbackUri }: WebhookBody): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	if (object === 'ul_transaction_default' && data?.accounts === undefined)
		issues.push({
			path: 'data.accounts',
			message:
				'is required for ul_transaction_default and must list all accounts, not only new ones; an empty list means all accounts',
		});
	if (object === 'jp_sbp_incoming_payments' && data !== undefined)
		issues.push({ path: 'data', message: 'must be left out for jp_sbp_incoming_payments' });
	if (callbackUri !== undefined && hostOf(callbackUri) === undefined)
		issues.push({ path: 'callbackUri', message: 'must be a complete URL such as https://example.com/path' });
	return issues;
}

/** What surrounds the path of a URL: the lowercase origin without a default port, and query and fragment. */
function aroundPath(address: string): { host: string; rest: string } | undefined {
	const [, host, rest = ''] = /^(https?:\/\/[^\s/?#@]+)(?:\/[^\s?#]*)?([?#]\S*)?$/i.exec(address) ?? [];
	if (host === undefined) return undefined;
	return { host: host.toLowerCase().replace(/(?<=^https:.*):443$|(?<=^http:.*):80$/, ''), rest };
}

/** The lowercase origin of an http(s) URL; undefined if it is not one. */
export function hostOf(address: string): string | undefined {
	return aroundPath(address)?.host;
}

/** Appends query and fragment of the registered URL, which an edit may not change (rule 4 of P10). */
export function withRegisteredQuery(address: string, registered: string | undefined): string {
	return registered === undefined ? address : address + (aroundPath(registered)?.rest ?? '');
}

/** Rule 4 of P10: only the path of `callbackUri` may change. */
export function hostIssues(present: string | undefined, wanted: string | undefined): ValidationIssue[] {
	if (present === undefined || wanted === undefined || present === wanted) return [];
	const [registered, asked] = [aroundPath(present), aroundPath(wanted)];
	const issue = (message: string): ValidationIssue[] => [
		{ path: 'callbackUri', message: `may change only in its path: ${message}` },
	];
	if (registered === undefined || registered.host !== asked?.host) {
		const hosts = [registered, asked].map((address) => address?.host ?? 'an unreadable URL');
		return issue(`the webhook is registered for ${hosts.join(', not ')}. Ask the bank to move it to another host`);
	}
	return registered.rest === asked.rest
		? []
		: issue('the part after the path (from ? or # on) must stay as it is registered');
}

export const update = defineOperation({
	id: 'webhook.update',
	spec: '4, P10',
	action: 'Update webhook',
	description: 'Replace the settings of a webhook subscription',
	responseSummary: 'The subscription as it is then; replaces lists each field that changed, with from and to.',
	notes: [
		'`data` is required for `ul_transaction_default`, and left out for `jp_sbp_incoming_payments`.',
		'The bank does not state the flow. A token that can read the webhook is used.',
	],
	auth: 'authorizationCode', // the flow is not stated; the scope is that of the subscribed event
	effect: 'change',
	method: 'PUT',
	path: '/api/v2/webhooks/{id}',
	pathFields: fields({ id: webhookId }),
	body: webhookBody,
	response: webhook,
	echoes: ['id', 'object'],
	errors: restErrors('insufficient_privileges', 'unknown_route'),
	rules: ({ body }) => webhookIssues(body),
});
