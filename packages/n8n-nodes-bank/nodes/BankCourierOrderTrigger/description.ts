import type { INodeProperties } from 'n8n-workflow';

export const triggerPanel = {
	header: 'Try it with an order that you send',
	executionsHelp:
		'<b>While building your workflow</b>, copy the Test URL (under <i>Webhook URLs</i>) now, because n8n covers it while it listens. ' +
		'Then click the button, and send an order to it: from the console of the sandbox bank, or with a POST request of your own, which ' +
		'must pass the checks of <i>Verify Sender</i> too.<br /><br /><b>Publish the workflow</b> and tell the bank its Production URL. The ' +
		'orders of the bank show up in the <a data-key="executions">executions list</a>, not here.',
	activationHint:
		'First copy the Test URL under Webhook URLs, then click and send the order to it. Once published, ' +
		'the bank can send to the Production URL.',
};

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Path Prefix',
		name: 'pathPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. courier',
		description:
			'Path before deliveryapi/order. Only one published workflow may use the same ' +
			'path. With the check Secret in the Path, the last part of the prefix is the secret.',
	},
	{
		displayName: 'Verify Sender',
		name: 'verifySender',
		type: 'boolean',
		default: true,
		noDataExpression: true,
		description:
			'Whether to reject requests that fail the checks of a Bank Triggers (Inbound) API credential, with the code 003',
	},
	{
		displayName:
			'Requests are not authenticated: anyone who knows the URL can create orders. ' +
			'Turn off Verify Sender only if a proxy in front of n8n checks the sender.',
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
		placeholder: 'e.g. orderId',
		description:
			'Field that identifies an order, or a path such as order.number. Required except in tests. An order without ' +
			'an identifier is rejected with the code 004, a repeated order with the code 009.',
		hint: 'Ask your bank which field of an order identifies it',
	},
	{
		displayName: 'Required Fields',
		name: 'requiredFields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
		default: [],
		placeholder: 'e.g. recipient.phone',
		description:
			'Fields that an order must have, or paths to them. If one is ' +
			'missing or empty, the order is rejected with the code 008 and the name of the field.',
	},
	{
		displayName: 'Respond',
		name: 'respond',
		type: 'options',
		options: [
			{ name: 'Immediately', value: 'onReceived', description: 'Respond when n8n has stored the execution' },
			{
				name: 'Using Respond to Webhook Node',
				value: 'responseNode',
				description: 'Respond with the Respond to Webhook node',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description: 'Respond with the first item of the last node',
			},
		],
		default: 'onReceived',
		description:
			'When to respond to a valid order. An invalid order is rejected immediately and does not start the workflow.',
	},
	{
		displayName:
			'To reject an order, let the last node return <code>{ "errorInfo": { "errorCode": "011", "errorString": ' +
			'"Address geocoding error" } }</code>. The bank may send a rejected order again.',
		name: 'lastNodeNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { respond: ['lastNode'] } },
	},
	{
		displayName:
			'The Respond to Webhook node looks for a Webhook node before it. Connect a deactivated Webhook node ' +
			'to it as well, or choose When Last Node Finishes. To reject an order, respond with <code>{ ' +
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
					'Field or path of the list of orders in the body; the other fields become the envelope. ' +
					'Leave empty if the body is an order or a list of orders.',
			},
			{
				displayName: 'Rejection Status',
				name: 'refusalStatus',
				type: 'options',
				options: [
					{ name: '200', value: 200 },
					{ name: '400', value: 400 },
				],
				default: 400,
				description: 'HTTP status of rejections. The API allows both.',
			},
			{
				displayName: 'Success Response',
				name: 'successResponse',
				type: 'json',
				default: '{}',
				displayOptions: { show: { '/respond': ['onReceived'] } },
				description: 'Response to an accepted order. Ask your bank.',
			},
		],
	},
];
