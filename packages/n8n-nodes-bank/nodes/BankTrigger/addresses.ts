import { isOwnAddress, isRecord } from '@bank/core';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * The two URLs of this trigger, with and without a secret. n8n puts a path that has a variable part below the webhook ID.
 * Whether the path itself contains the ID depends on `isFullPath`. With `isFullPath` two workflows could not use the same
 * path, so this trigger does not set it, and the ID occurs twice in the URL.
 */
export function addressesOf(context: IHookFunctions) {
	const open = context.getNodeWebhookUrl('default') ?? '';
	const own = open.slice(0, open.lastIndexOf('/'));
	const { webhookId } = context.getNode();
	const base = webhookId === undefined ? own : open.slice(0, open.indexOf(`/${webhookId}/`));
	return {
		/** Prefix of all URLs of this trigger. */
		own,
		open,
		withSecret: (secret: string) =>
			webhookId === undefined ? undefined : `${own}/${webhookId}/bank/${encodeURIComponent(secret)}`,
		/** Whether a URL belongs to another Bank Trigger of this n8n. */
		isOfAnother: (address = '') =>
			address.startsWith(`${base}/`) &&
			!isOwnAddress(address, own) &&
			/^\/[^/]+(?:\/[^/]+)?\/bank(?:[/?]|$)/.test(address.slice(base.length)),
	};
}

/** The secret at the end of the called URL; undefined for the URL without a secret. */
export function secretOf(context: IWebhookFunctions): string | undefined {
	if (context.getWebhookName() !== 'setup') return undefined;
	const params: unknown = context.getParamsData();
	const secret = isRecord(params) ? params.secret : undefined;
	return typeof secret === 'string' ? secret : undefined;
}

/** A URL of a Bank Trigger, as errors and logs may show it: without the secret that may be its last part. */
export const shownAddress = (address = ''): string =>
	address.replace(/[?#].*$/s, '').replace(/(\/bank\/)[^/]*$/, '$1…');
