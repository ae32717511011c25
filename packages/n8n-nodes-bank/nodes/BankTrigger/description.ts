import type { INodeProperties } from 'n8n-workflow';

import { credentialsPosition, flowField } from '../shared/base/authentication.ts';
import { commonFields } from '../shared/descriptions/generated/commonFields.ts';

/** Replaces n8n's default text "Go to Bank and create an event", because the bank has no place to create one. */
export const triggerPanel = {
	header: 'Try it with an event that you send',
	executionsHelp:
		'<b>While building your workflow</b>, copy the Test URL (under <i>Webhook URLs</i>) now, because n8n covers it while it listens. Then ' +
		'click the button, and send an event to it: ' +
		'from the console of the sandbox bank, or with a POST request of your own, which must pass the checks of <i>Verify ' +
		'Sender</i> too. The bank does not know that address and sends nothing to it.<br /><br /><b>Publish the workflow</b> ' +
		'for the events of the bank. They show up in the <a data-key="executions">executions list</a>, not here.',
	activationHint:
		'First copy the Test URL under Webhook URLs, then click and send the event to it. Publishing points ' +
		'the subscription of the bank to this workflow.',
};

const statements = { show: { object: ['ul_transaction_default'] } };

export const triggerFields: INodeProperties[] = [
	flowField,
	credentialsPosition,
	{
		displayName: 'Subscription ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		hint: 'Your bank gives it to you when it sets up the subscription. It is not one of the Webhook URLs.',
		description: 'Webhook ID of the API. The API can neither create nor list subscriptions, so ask your bank.',
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
		description: 'Event that the subscription was set up for',
	},
	{
		displayName: 'Accounts',
		name: 'accountsMode',
		type: 'options',
		options: [
			{ name: 'All Accounts', value: 'all', description: 'Send an empty list, which means all accounts' },
			{ name: 'As Registered', value: 'keep', description: 'Keep the accounts that the subscription has now' },
			{ name: 'Listed Below', value: 'listed', description: 'Replace the registered accounts with these' },
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
		description: 'All accounts to cover, not only new ones: a list, or several separated by commas',
	},
	{
		displayName: 'On Unpublishing',
		name: 'onDeactivation',
		type: 'options',
		options: [
			{ name: 'Delete the Subscription', value: 'delete', description: 'Permanently: the API cannot create it again' },
			{ name: 'Disable the Subscription', value: 'disable', description: 'The bank sends no more events' },
			{
				name: 'Leave It as It Is',
				value: 'leave',
				description: 'The bank keeps sending events to a URL that no longer works',
			},
			{
				name: 'Restore the Previous State',
				value: 'restore',
				description:
					'Restore the URL, the accounts and the state from before the workflow ' +
					'was published. Incoming payments cannot be read, so they are disabled.',
			},
		],
		default: 'restore',
		description:
			'What to do with the subscription when the workflow is unpublished, and briefly when a change of this ' +
			'node is published. If the bank cannot be reached then, n8n only logs it: check with Webhook: Get of the Bank node.',
	},
	{
		displayName:
			'The API cannot create a deleted subscription again, only the bank can. It is also deleted ' +
			'when you publish a change of this node, because n8n unpublishes the old version first.',
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
		description: 'Whether to reject deliveries that fail the checks of a Bank Triggers (Inbound) API credential',
	},
	{
		displayName:
			'Requests are not authenticated: anyone who knows the URL can start the workflow with false events. ' +
			'Turn on Verify Sender, or check each event with the bank before you rely on it.',
		name: 'senderNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { verifySender: [false] } },
	},
	{
		displayName: 'Respond',
		name: 'respond',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Immediately', value: 'onReceived', description: 'When n8n has stored the execution' },
			{
				name: 'When Stored',
				value: 'responseNode',
				description: 'When Event: Skip Repeats has stored the event, or else when the workflow ends',
			},
		],
		default: 'onReceived',
		description:
			'When to confirm a delivery to the bank. Choose When Stored if Event: Skip Repeats follows: a bank that gets no response ' +
			'because n8n was stopped delivers again.',
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
					'Path of the identifier in an event. If empty, the usual names are used ' +
					'(eventId, notificationId, messageId), or else the content identifies the event.',
			},
			{
				displayName: 'Event List Field',
				name: 'eventsField',
				type: 'string',
				default: '',
				placeholder: 'e.g. data.records',
				description:
					'Path of the list of events in a delivery. If empty, a list is used as it is, or else ' +
					'the usual names (events, items, notifications, messages).',
			},
			{
				...commonFields.organizationIdHash,
				description:
					'Hash of the organization identifier, if your bank requires it in every edit. Reading a subscription does not return it.',
			},
			{
				...commonFields.registeredCallbackUri,
				displayOptions: { show: { '/object': ['jp_sbp_incoming_payments'] } },
				description:
					'URL registered now. Used to check that only its path changes. For incoming payments the node cannot read it.',
			},
			{
				displayName: 'Take Over',
				name: 'takeOver',
				type: 'boolean',
				default: false,
				description:
					'Whether to take the subscription from another published workflow that receives its events now. It gets them back ' +
					'when this workflow is unpublished. For incoming payments the node sees only the Registered Callback URI.',
			},
			{ ...commonFields.timeout, default: 30 },
		],
	},
];
