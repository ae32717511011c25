import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

import { resolversSymbol } from '../shared/inbound/webhookResolvers.ts';

/** The segments of a path. The expression in `path` does the same. */
export const pathParts = (path: string): string[] =>
	path
		.split('/')
		.map((part) => part.trim())
		.filter((part) => part !== '');

// 4.13: the bank calls `deliveryapi/order` on the partner's server.
const path = {
	template:
		'={{ [$parameter["pathPrefix"] || "", "deliveryapi/order"].join("/").split("/").map((part) => ' +
		'part.trim()).filter((part) => part !== "").join("/") }}',
	resolve: ({ pathPrefix }: INodeParameters): string => pathParts(`${pathPrefix || ''}/deliveryapi/order`).join('/'),
};

const responseMode = {
	template: '={{ $parameter["respond"] }}',
	resolve: ({ respond }: INodeParameters): unknown => respond,
};

// By default n8n responds when the execution is stored, with the return value of `webhook`.
const responseData = {
	template: '={{ $parameter["respond"] === "onReceived" ? "" : "firstEntryJson" }}',
	resolve: ({ respond }: INodeParameters): string => (respond === 'onReceived' ? '' : 'firstEntryJson'),
};

export const courierOrderWebhook = {
	name: 'default',
	httpMethod: 'POST',
	path: path.template,
	isFullPath: true,
	responseMode: responseMode.template,
	responseData: responseData.template,
	[resolversSymbol]: { path, responseMode, responseData },
} satisfies IWebhookDescription;
