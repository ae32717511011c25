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
import { courierOrderWebhook } from './webhook.ts';

export class BankCourierOrderTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Courier Order Trigger',
		name: 'bankCourierOrderTrigger',
		icon: {
			light: 'file:../../icons/bank-courier-order-trigger.svg',
			dark: 'file:../../icons/bank-courier-order-trigger.dark.svg',
		},
		group: ['trigger'],
		// There is no version 1: n8n treats each webhook of typeVersion 1 as an old Webhook node, for which it evaluates an expression
		// at each delivery, before it reads the body (n8n/dist/webhooks/webhook-helpers.js, parseRequestBody).
		version: [2],
		defaultVersion: 2,
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
		webhooks: [courierOrderWebhook],
		properties: triggerFields,
	};

	methods = {
		credentialTest: {
			async testInboundSettings(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { testInboundCredential } = await import('../shared/inbound/authenticate.ts');
				return testInboundCredential(credential);
			},
		},
	};

	// A person gives the bank the address; the node registers nothing.
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
