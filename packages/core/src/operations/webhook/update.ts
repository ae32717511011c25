import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import type { Fault } from '../../faults.ts';
import { defineOperation } from '../../operation.ts';
import { fields, flag, group, identifiers, text } from '../../schemas/fields.ts';
import { webhook, webhookId, webhookObject } from '../../schemas/webhook.ts';

const webhookBody = fields({
	object: webhookObject,
	enabled: v.optional(flag('Enabled', 'Whether the bank sends events')),
	organizationIdHash: v.optional(
		text('Organization ID Hash', 'Hash of the organization identifier', {
			placeholder: 'e.g. 5d41402abc4b2a76b9719d911017c592',
		}),
	),
	data: v.optional(
		group(
			{
				// Required inside data so that an empty list, which means all accounts, is sent and not taken for absent.
				accounts: identifiers(
					'Account',
					'Accounts',
					'All accounts the webhook covers, not only new ones. An empty list means all accounts',
					{
						placeholder: 'e.g. 40702810000000000001',
						holds: 'account',
					},
				),
			},
			'Data',
			'Extra data of ul_transaction_default',
		),
	),
	callbackUri: v.optional(
		text('Callback URI', 'Address that receives the events. Only its path may change', {
			placeholder: 'e.g. https://partner.example/events',
		}),
	),
	version: v.optional(
		v.pipe(
			v.number(),
			v.safeInteger('must be a whole number'),
			v.value(1, 'must be 1, the only data format version'),
			v.title('Version'),
			v.description('Data format version; the only value is 1'),
		),
	),
});

export type WebhookBody = v.InferOutput<typeof webhookBody>;

/**
 * Rules 1 and 3 of P10. Rule 2 is the meaning of an empty list, rule 5 stands at the field, rule 4 needs the present
 * address: see `hostFaults`.
 */
function webhookFaults({ object, data, callbackUri }: WebhookBody): Fault[] {
	const faults: Fault[] = [];
	if (object === 'ul_transaction_default' && data?.accounts === undefined) {
		faults.push({
			path: 'data.accounts',
			message:
				'is required for ul_transaction_default and must list all accounts, not only new ones; an empty list means all accounts',
		});
	}
	if (object === 'jp_sbp_incoming_payments' && data !== undefined) {
		faults.push({ path: 'data', message: 'must be left out for jp_sbp_incoming_payments' });
	}
	if (callbackUri !== undefined && hostOf(callbackUri) === undefined) {
		faults.push({ path: 'callbackUri', message: 'must be a whole address such as https://example.com/path' });
	}
	return faults;
}

/** A list left empty by accident must not pass for rule 2, where an empty list means all accounts. */
export const noAccounts: Fault = {
	path: 'accounts',
	message: 'is empty, which would mean all accounts',
	code: 'accountsEmpty',
};

/** An address without its path: scheme, host and port in lower case, then what follows the path. */
function aroundPath(address: string): { host: string; rest: string } | undefined {
	const [, host, rest = ''] = /^(https?:\/\/[^\s/?#@]+)(?:\/[^\s?#]*)?([?#]\S*)?$/i.exec(address) ?? [];
	return host === undefined ? undefined : { host: host.toLowerCase(), rest };
}

/** Scheme, host and port of an address, in lower case; undefined where it is not a whole http(s) address. */
export function hostOf(address: string): string | undefined {
	return aroundPath(address)?.host;
}

/** An address with what follows the path of the registered one: an edit may not change that (rule 4 of P10). */
export function asRegistered(address: string, registered: string | undefined): string {
	return registered === undefined ? address : address + (aroundPath(registered)?.rest ?? '');
}

/** Rule 4 of P10: in `callbackUri` only the path may be edited, the host may not be changed. */
export function hostFaults(present: string | undefined, wanted: string | undefined): Fault[] {
	if (present === undefined || wanted === undefined || present === wanted) return [];
	const [registered, asked] = [aroundPath(present), aroundPath(wanted)];
	const fault = (message: string): Fault[] => [
		{ path: 'callbackUri', message: `may change only in its path: ${message}` },
	];
	if (registered === undefined || registered.host !== asked?.host) {
		const another = 'an address that cannot be read';
		return fault(
			`the webhook is registered for ${registered?.host ?? another}, not ${asked?.host ?? another}. Ask the bank to move it to another host`,
		);
	}
	return registered.rest === asked.rest
		? []
		: fault('what follows the path (the part from ? or #) must stay as it is registered');
}

export const update = defineOperation({
	id: 'webhook.update',
	spec: '4, P10',
	name: 'Update',
	action: 'Update webhook',
	description: 'Replace the settings of a webhook subscription',
	answers: 'The subscription as it is then; replaces lists each field that changed, with from and to.',
	notes: [
		'For `ul_transaction_default`, `data.accounts` is required and lists all accounts, not only new ones.',
		'An empty `data.accounts` means all accounts.',
		'For `jp_sbp_incoming_payments`, `data` is left out.',
		'In `callbackUri` only the path may change, the host may not.',
		'`version` is 1.',
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
	rules: ({ body }) => webhookFaults(body),
});
