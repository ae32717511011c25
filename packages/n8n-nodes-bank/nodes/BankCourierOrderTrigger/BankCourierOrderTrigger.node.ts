import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testInboundSettings } from '../shared/inbound/authenticate.ts';
import { probesOf } from '../shared/inbound/probe.ts';
import { triggerFields, triggerPanel } from './description.ts';
import { checkSettings, receiveOrders } from './receive.ts';
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
		// Versions start at 2 because n8n treats webhooks of typeVersion 1 like the old Webhook node: it evaluates an
		// expression for each request before it reads the body (parseRequestBody in n8n/dist/webhooks/webhook-helpers.js).
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
			// Not required: n8n hides the help of a trigger while something required is missing.
			{
				name: 'bankInboundApi',
				testedBy: 'testInboundSettings',
				displayOptions: { show: { verifySender: [true] } },
			},
		],
		webhooks: [probesOf(courierOrderWebhook), courierOrderWebhook],
		properties: triggerFields,
	};

	methods = { credentialTest: { testInboundSettings } };

	// The user gives the URL to the bank; the node registers nothing.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
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
		return await receiveOrders(this);
	}
}
