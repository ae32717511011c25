import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

/**
 * Under this name n8n (2.41 and newer) looks up functions to call instead of evaluating a webhook's expressions. It evaluates those before
 * it reads the body, so a client that sends its body very slowly would block one expression engine per call.
 */
const resolvers = Symbol.for('n8n.webhookDescriptionResolvers');

// 4.13: the bank calls `deliveryapi/order`, at an address of the partner's.
const path = {
	template:
		'={{ [$parameter["pathPrefix"] || "", "deliveryapi/order"].join("/").split("/").map((part) => ' +
		'part.trim()).filter((part) => part !== "").join("/") }}',
	resolve: ({ pathPrefix }: INodeParameters): string =>
		[pathPrefix || '', 'deliveryapi/order']
			.join('/')
			.split('/')
			.map((part) => part.trim())
			.filter((part) => part !== '')
			.join('/'),
};

const responseMode = {
	template: '={{ $parameter["respond"] }}',
	resolve: ({ respond }: INodeParameters): unknown => respond,
};

// Immediately means: when the run is stored. Then n8n responds with what `webhook` returns, because nothing is set here.
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
	[resolvers]: { path, responseMode, responseData },
} satisfies IWebhookDescription;
