import type { IWebhookDescription } from 'n8n-workflow';

const common = {
	httpMethod: 'POST',
	// n8n responds when the execution is stored, so an event that got the response 200 is not lost.
	responseMode: 'onReceived',
	responseData: 'noData',
} as const;

export const deliveries = { ...common, name: 'default', path: 'bank' } satisfies IWebhookDescription;

/** The same URL with a secret as the last part of the path (see addresses.ts). "setup" is n8n's name for a second URL. */
export const securedDeliveries = {
	...common,
	name: 'setup',
	path: 'bank/:secret',
	ndvHideUrl: true,
} satisfies IWebhookDescription;
