import { isRecord } from '@bank/core';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Where this trigger listens, in the two ways that its description names. */
export interface Addresses {
	/** All addresses of this trigger begin with it. */
	own: string;
	open: string;
	withSecret: (secret: string) => string | undefined;
	/** Whether an address is that of any Bank Trigger of this n8n. */
	isOfBankTrigger: (address: string | undefined) => boolean;
}

/**
 * n8n serves a path with a part that varies below the webhook's id. Whether the path has the id in it already depends on
 * `isFullPath`: with it two workflows could not have the same path, so this trigger does not use it, and the ID appears twice in the URL.
 */
export function addressesOf(context: IHookFunctions): Addresses {
	const open = context.getNodeWebhookUrl('default') ?? '';
	const own = open.slice(0, open.lastIndexOf('/'));
	const { webhookId } = context.getNode();
	const base = webhookId === undefined ? own : open.slice(0, open.indexOf(`/${webhookId}/`));
	return {
		own,
		open,
		withSecret: (secret) =>
			webhookId === undefined ? undefined : `${own}/${webhookId}/bank/${encodeURIComponent(secret)}`,
		isOfBankTrigger: (address = '') =>
			address.startsWith(`${base}/`) && /^\/[^/]+(?:\/[^/]+)?\/bank(?:[/?]|$)/.test(address.slice(base.length)),
	};
}

/** The secret with which the address called ends, if it was the address with a secret. */
export function secretOf(context: IWebhookFunctions): string | undefined {
	if (context.getWebhookName() !== 'setup') return undefined;
	const params: unknown = context.getParamsData();
	const secret = isRecord(params) ? params.secret : undefined;
	return typeof secret === 'string' ? secret : undefined;
}
