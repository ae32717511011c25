import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

import { resolversSymbol } from '../shared/inbound/webhookResolvers.ts';

const responseMode = {
	template: '={{ $parameter["respond"] }}',
	resolve: ({ respond }: INodeParameters): unknown => respond,
};

const common = {
	httpMethod: 'POST',
	// `onReceived`: when n8n has stored the execution. `responseNode`: when Event: Skip Repeats has stored the event.
	responseMode: responseMode.template,
	responseData: 'noData',
	[resolversSymbol]: { responseMode },
} as const;

export const deliveries = { ...common, name: 'default', path: 'bank' } satisfies IWebhookDescription;

/**
 * The webhook whose URL has a secret as the last part of the path (see addresses.ts). "setup" is n8n's name for a
 * second URL.
 */
export const securedDeliveries = {
	...common,
	name: 'setup',
	path: 'bank/:secret',
	ndvHideUrl: true,
} satisfies IWebhookDescription;
