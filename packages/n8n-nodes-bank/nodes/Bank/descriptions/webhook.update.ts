import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../shared/form/formParts.ts';
import { timeout } from '../../shared/form/timeout.ts';

/** Written by hand: an empty account list means all accounts, which should be chosen and not happen by accident. */

const show = { resource: ['webhook'], operation: ['update'] };

export const webhookUpdateForm: INodeProperties[] = [
	{
		displayName: 'Execute Step changes this at the bank for real. Turn on Preview to check first.',
		name: 'hasEffect',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, preview: [false] } },
	},
	{
		displayName: 'Webhook ID',
		name: 'id',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 123e4567-e89b-42d3-a456-426614174000',
		displayOptions: { show },
		description: 'Identifier of the subscription, assigned by the bank when it was created',
	},
	{
		displayName: 'Object',
		name: 'object',
		type: 'options',
		options: [
			{ name: 'Incoming Fast Payments', value: 'jp_sbp_incoming_payments' },
			{ name: 'Statement on Legal-Entity Accounts', value: 'ul_transaction_default' },
		],
		default: 'ul_transaction_default',
		displayOptions: { show },
		description: 'The entity the webhook is subscribed to',
	},
	{
		displayName: 'Covered Accounts',
		name: 'accountsMode',
		type: 'options',
		options: [
			{ name: 'All Accounts', value: 'all', description: 'Send an empty list' },
			{ name: 'Listed Accounts', value: 'listed', description: 'Replace the list of accounts' },
		],
		default: 'listed',
		displayOptions: { show: { ...show, object: ['ul_transaction_default'] } },
		description: 'Which accounts the webhook covers after the update',
	},
	{
		displayName: 'Accounts',
		name: 'accounts',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
		default: [],
		required: true,
		placeholder: 'e.g. 40702810000000000001',
		displayOptions: { show: { ...show, object: ['ul_transaction_default'], accountsMode: ['listed'] } },
		description: 'All accounts to cover, not only new ones',
	},
	{
		displayName: 'Preview',
		name: 'preview',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description: 'Whether to return the request without sending it',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show },
		options: [
			{
				displayName: 'Callback URI',
				name: 'callbackUri',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://n8n.example.com/webhook/bank',
				description: 'URL that receives the events. Only its path may change.',
			},
			{
				displayName: 'Enabled',
				name: 'enabled',
				type: 'boolean',
				default: true,
				description: 'Whether the bank sends events',
			},
			{
				displayName: 'Organization ID Hash',
				name: 'organizationIdHash',
				type: 'string',
				default: '',
				placeholder: 'e.g. 5d41402abc4b2a76b9719d911017c592',
				description: 'Hash of the organization identifier',
			},
			{
				displayName: 'Registered Callback URI',
				name: 'registeredCallbackUri',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://n8n.example.com/webhook/old',
				description: 'URL registered now, if the node cannot read it. Its host must not change.',
			},
			{
				displayName: 'Version',
				name: 'version',
				type: 'options',
				options: [{ name: '1', value: 1 }],
				default: 1,
				description: 'Data format version; the only value is 1',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show },
		options: [
			{
				displayName: 'Read Before Update',
				name: 'readBefore',
				type: 'boolean',
				default: true,
				description:
					'Whether to read the webhook first, to check the host and list what is replaced. Statement webhooks only.',
			},
			timeout,
		],
	},
];

export const parts: FormParts = {
	returns:
		'Where the node could read the webhook first (*Read Before Update*), the item also has `replaces`: each field that the ' +
		'update changed, with `field`, `from` and `to`. Where it does not know the registered address, `notChecked` says that the host ' +
		'of *Callback URI* was sent unchecked.',
};
