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
import { receive } from './receive.ts';
import { deliveries, securedDeliveries } from './webhook.ts';
import { checkTest, registerSubscription } from './register.ts';
import { restoreSubscription } from './restore.ts';

export class BankTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Trigger',
		name: 'bankTrigger',
		icon: { light: 'file:../../icons/bank-trigger.svg', dark: 'file:../../icons/bank-trigger.dark.svg' },
		group: ['trigger'],
		// Versions start at 2 because n8n treats webhooks of typeVersion 1 like the old Webhook node: it evaluates an
		// expression for each request before it reads the body (parseRequestBody in n8n/dist/webhooks/webhook-helpers.js).
		version: [2],
		defaultVersion: 2,
		subtitle: '={{ $parameter["object"] === "jp_sbp_incoming_payments" ? "incoming payments" : "statement events" }}',
		// n8n's node panel shows this description for the Bank node too.
		description:
			'Starts the workflow when the bank reports a transaction or payment; with actions to pay people and read accounts',
		eventTriggerDescription: 'Waiting for an event that you send to the Test URL: the bank does not know that address',
		triggerPanel,
		defaults: { name: 'Bank Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			// Not required: n8n hides the help of a trigger while something required is missing.
			{ name: 'bankAuthorizationCodeOAuth2Api', displayOptions: { hide: { flow: ['hostToHost'] } } },
			{ name: 'bankHostToHostOAuth2Api', displayOptions: { show: { flow: ['hostToHost'] } } },
			{
				name: 'bankInboundApi',
				testedBy: 'testInboundSettings',
				displayOptions: { show: { verifySender: [true] } },
			},
		],
		// Probes come first: see `probesOf`.
		webhooks: [probesOf(deliveries), probesOf(securedDeliveries), securedDeliveries, deliveries],
		properties: triggerFields,
	};

	methods = { credentialTest: { testInboundSettings } };

	webhookMethods = {
		setup: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkTest(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await registerSubscription(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await restoreSubscription(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
