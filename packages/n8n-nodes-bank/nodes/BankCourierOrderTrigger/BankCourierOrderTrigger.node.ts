import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHookFunctions,
	type INodeCredentialTestResult,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { triggerFields, triggerPanel } from './description.ts';

export class BankCourierOrderTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Courier Order Trigger',
		name: 'bankCourierOrderTrigger',
		icon: {
			light: 'file:../../icons/bank-courier-order-trigger.svg',
			dark: 'file:../../icons/bank-courier-order-trigger.dark.svg',
		},
		group: ['trigger'],
		version: [1],
		defaultVersion: 1,
		subtitle: 'POST deliveryapi/order',
		description: 'Starts the workflow when the bank sends a courier delivery order',
		eventTriggerDescription: 'Waiting for an order that you send to the Test URL',
		triggerPanel,
		defaults: { name: 'Bank Courier Order Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'bankInboundApi',
				required: true,
				testedBy: 'testInboundSettings',
				displayOptions: { show: { verifySender: [true] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				// 4.13: the bank calls `deliveryapi/order`, at an address of the partner's.
				path:
					'={{ ($parameter["pathPrefix"] || "").split("/").map((part) => ' +
					'part.trim()).filter((part) => part !== "").concat("deliveryapi", ' +
					'"order").join("/") }}',
				isFullPath: true,
				// Immediately means: when the run is stored. Then n8n answers with what 'webhook' gives it, as nothing stands here.
				responseMode: '={{ $parameter["respond"] }}',
				responseData: '={{ $parameter["respond"] === "onReceived" ? "" : "firstEntryJson" }}',
			},
		],
		properties: triggerFields,
	};

	methods = {
		credentialTest: {
			async testInboundSettings(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { testInbound } = await import('../shared/inbound.ts');
				return testInbound(credential);
			},
		},
	};

	// The bank is told the address by a person; nothing is registered with it.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { checkSettings } = await import('./receive.ts');
				await checkSettings(this);
				return true;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receiveOrders } = await import('./receive.ts');
		return await receiveOrders(this);
	}
}
