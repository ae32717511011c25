import type { INodeProperties } from 'n8n-workflow';

import { credentialsPlace, flowField } from '../shared/authentication.ts';

/** Without it n8n says: go to Bank and create an event. There is no place for that. */
export const triggerPanel = {
	header: 'Try it with an event that you send',
	executionsHelp:
		'<b>While building your workflow</b>, click the button, then send an event to the Test URL (under <i>Webhook URLs</i>): ' +
		'from the console of the sandbox bank, or with a POST request of your own, which must pass the checks of <i>Verify ' +
		'Sender</i> too. The bank does not know that address and sends nothing to it.<br /><br /><b>Publish the workflow</b> ' +
		'for the events of the bank. They show up in the <a data-key="executions">executions list</a>, not here.',
	activationHint:
		'Then send it to the Test URL, above under Webhook URLs. Publishing leads the subscription of the bank here.',
};

const statements = { show: { object: ['ul_transaction_default'] } };

/** What it emits: for n8n's editor, before anything has come. The payload is not shown. */
export const exampleItem = {
	eventId: '9f86d081884c7d659a2feaa0c55ad015',
	object: 'jp_sbp_incoming_payments',
	receivedAt: '2026-11-30T10:15:30.000Z',
	payload: {},
};

export const triggerFields: INodeProperties[] = [
	flowField,
	credentialsPlace,
	{
		displayName: 'Subscription ID',
		name: 'id',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		hint: 'The bank gives it to you when it sets the subscription up. It is none of the addresses under Webhook URLs.',
		description:
			'The webhook ID of the API. It has no operation to create or to list subscriptions, so only the bank knows it.',
	},
	{
		displayName: 'Event',
		name: 'object',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Incoming Fast Payment',
				value: 'jp_sbp_incoming_payments',
				description: 'Incoming payments of legal entities through the fast payment system',
			},
			{
				name: 'Transaction of a Legal Entity',
				value: 'ul_transaction_default',
				description: 'Transactions on the accounts of a legal entity',
			},
		],
		default: 'ul_transaction_default',
		description: 'What the bank reports, as the subscription was set up for it',
	},
	{
		displayName: 'Accounts',
		name: 'accountsMode',
		type: 'options',
		options: [
			{
				name: 'All Accounts',
				value: 'all',
				description: 'The bank takes an empty list as all accounts, so an empty list is what it gets',
			},
			{ name: 'As Registered', value: 'keep', description: 'The accounts that the subscription has now' },
			{ name: 'Listed Below', value: 'listed', description: 'Exactly these, in place of those that are registered' },
		],
		default: 'keep',
		displayOptions: statements,
		description: 'Which accounts the subscription covers',
	},
	{
		displayName: 'Account Numbers',
		name: 'accounts',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
		default: [],
		required: true,
		placeholder: 'e.g. 40702810000000000001',
		displayOptions: { show: { ...statements.show, accountsMode: ['listed'] } },
		description: 'All accounts the subscription is to cover, not only new ones: a list, or several separated by commas',
	},
	{
		displayName: 'On Unpublishing',
		name: 'onDeactivation',
		type: 'options',
		options: [
			{ name: 'Delete the Subscription', value: 'delete', description: 'For good: the API cannot create it again' },
			{ name: 'Disable the Subscription', value: 'disable', description: 'The bank sends no more events' },
			{
				name: 'Leave It as It Is',
				value: 'leave',
				description: 'The bank goes on sending to an address where nobody listens',
			},
			{
				name: 'Restore the Previous State',
				value: 'restore',
				description:
					'Puts back the address, the accounts and the state that were found when the workflow ' +
					'was published. Incoming payments cannot be read, so they are disabled.',
			},
		],
		default: 'restore',
		description:
			'What happens to the subscription when the workflow is unpublished, and for a moment when a change of this ' +
			'node is published. Where the bank cannot be asked then, only the log of n8n says so: look with Webhook: Get of the Bank node.',
	},
	{
		displayName:
			'A deleted subscription is gone: the API cannot create it again, only the bank can. It is also deleted ' +
			'when you publish a change of this node, because n8n then gives up the old version first.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { onDeactivation: ['delete'] } },
	},
	{
		displayName: 'Verify Sender',
		name: 'verifySender',
		type: 'boolean',
		noDataExpression: true,
		default: true,
		description: 'Whether to refuse deliveries that do not pass the checks of a Bank Inbound API credential',
	},
	{
		displayName:
			'Nothing is checked: whoever learns the address of this trigger can start the ' +
			'workflow with events that the bank never sent. Switch on Verify Sender, or ' +
			'check each event against the bank before anything depends on it.',
		name: 'senderNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { verifySender: [false] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Event ID Field',
				name: 'eventIdField',
				type: 'string',
				default: '',
				placeholder: 'e.g. data.documentId',
				description:
					'Where an event holds its identifier. Without it the usual names are looked for ' +
					'(eventId, notificationId, messageId, uuid, ID), then the content decides.',
			},
			{
				displayName: 'Event List Field',
				name: 'eventsField',
				type: 'string',
				default: '',
				placeholder: 'e.g. data.records',
				description:
					'Where a delivery holds its list of events. Without it a list is taken as it is, and ' +
					'the usual names are looked for (events, items, notifications, messages).',
			},
			{
				displayName: 'Include Raw Body',
				name: 'rawBody',
				type: 'boolean',
				default: false,
				description: 'Whether each item also carries the text of the whole delivery as it came',
			},
			{
				displayName: 'Organization ID Hash',
				name: 'organizationIdHash',
				type: 'string',
				default: '',
				placeholder: 'e.g. 5d41402abc4b2a76b9719d911017c592',
				description:
					'Hash of the organization identifier, if the bank wants it in every edit. Reading a subscription does not show it.',
			},
			{
				displayName: 'Registered Callback URI',
				name: 'registeredCallbackUri',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://n8n.example.com/webhook/old',
				displayOptions: { show: { '/object': ['jp_sbp_incoming_payments'] } },
				description:
					'The address registered now, to check before anything is changed that only ' +
					'its path would change. It cannot be read for incoming payments.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 30,
				description: 'Seconds to wait for an answer of the bank',
			},
		],
	},
];
