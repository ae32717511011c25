import type { INodeProperties } from 'n8n-workflow';

/** What it emits: for n8n's editor, before anything has come. */
export const exampleItem = { orderId: 'order-17', receivedAt: '2026-11-30T10:15:30.000Z', order: {} };

export const triggerPanel = {
	header: 'Try it with an order that you send',
	executionsHelp:
		'<b>While building your workflow</b>, click the button, then send an order to the Test URL (under <i>Webhook URLs</i>): ' +
		'from the console of the sandbox bank, or with a POST request of your own, which must pass the checks of <i>Verify ' +
		'Sender</i> too.<br /><br /><b>Publish the workflow</b> and tell the bank its Production URL. The orders of the bank ' +
		'show up in the <a data-key="executions">executions list</a>, not here.',
	activationHint:
		'Then send it to the Test URL, above under Webhook URLs. Once published, the bank can send to the Production URL.',
};

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Path Prefix',
		name: 'pathPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. courier',
		description:
			'What stands before deliveryapi/order in the path. Only one published workflow may have the same ' +
			'path. With the check Secret in the Path, the last part of the prefix is the secret.',
	},
	{
		displayName: 'Verify Sender',
		name: 'verifySender',
		type: 'boolean',
		default: true,
		noDataExpression: true,
		description:
			'Whether to refuse whoever does not pass the checks of a Bank Inbound API credential, with the code 003',
	},
	{
		displayName:
			'Nothing tells the bank from anybody else: whoever knows the address can create orders. ' +
			'Switch Verify Sender off only where something in front of n8n checks the sender.',
		name: 'senderNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { verifySender: [false] } },
	},
	{
		displayName: 'Identifier Field',
		name: 'identifierField',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. order.number',
		description:
			'Field that identifies an order, or a path such as order.number. Ask your bank. ' +
			'An order without an identifier is rejected with the code 004.',
	},
	{
		displayName: 'Required Fields',
		name: 'requiredFields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
		default: [],
		placeholder: 'e.g. recipient.phone',
		description:
			'Fields that an order must have, or paths to them. An order in which one is ' +
			'missing or empty is refused with the code 008 and the name of the field.',
	},
	{
		displayName: 'Respond',
		name: 'respond',
		type: 'options',
		options: [
			{ name: 'Immediately', value: 'onReceived', description: 'Accept the order when n8n has stored the run' },
			{
				name: 'Using Respond to Webhook Node',
				value: 'responseNode',
				description: 'The workflow answers with the Respond to Webhook node',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description: 'The workflow answers with the first item of its last node',
			},
		],
		default: 'onReceived',
		description:
			'When to answer an order that has passed the checks. An order that fails them is answered at once and does not start the workflow.',
	},
	{
		displayName:
			'To refuse an order, let the last node give <code>{ "errorInfo": { "errorCode": "011", "errorString": ' +
			'"Address geocoding error" } }</code>. An order refused in this way may be sent again.',
		name: 'lastNodeNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { respond: ['lastNode'] } },
	},
	{
		displayName:
			'The Respond to Webhook node looks for a Webhook node before it. Connect a deactivated Webhook node ' +
			'to it as well, or choose When Last Node Finishes. To refuse an order, respond with <code>{ ' +
			'"errorInfo": { "errorCode": "011", "errorString": "Address geocoding error" } }</code>.',
		name: 'responseNodeNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { respond: ['responseNode'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Orders Field',
				name: 'ordersField',
				type: 'string',
				default: '',
				placeholder: 'e.g. orders',
				description:
					'Where the body holds the list of orders, as a field or a path. Leave empty if the body is an order or a list of orders.',
			},
			{
				displayName: 'Refuse Repeats',
				name: 'refuseRepeats',
				type: 'boolean',
				default: true,
				description:
					'Whether to refuse an order whose identifier has come before, with the code 009. The last ' +
					'10,000 are remembered, over a restart of n8n only when responding immediately. ' +
					'Without Verify Sender only an order that is the same in all its fields is a repeat.',
			},
			{
				displayName: 'Status of Refusals',
				name: 'refusalStatus',
				type: 'options',
				options: [
					{ name: '200', value: 200 },
					{ name: '400', value: 400 },
				],
				default: 400,
				description: 'The HTTP status with which orders are refused. The API allows both.',
			},
			{
				displayName: 'Success Answer',
				name: 'successAnswer',
				type: 'json',
				default: '{}',
				displayOptions: { show: { '/respond': ['onReceived'] } },
				description: 'Response to an accepted order. Ask your bank.',
			},
		],
	},
];
