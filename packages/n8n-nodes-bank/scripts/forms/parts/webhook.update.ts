import { definitions } from '@bank/core';

import { bodyField } from '../field.ts';
import { type FormParts, textField } from '../formParts.ts';

const { update } = definitions.webhook;

/** An empty account list means all accounts, which should be chosen and not happen by accident. */
export const parts: FormParts = {
	notice: {
		displayName: 'Execute Step changes the webhook at the bank for real. Turn on Preview to check first.',
		displayOptions: { show: { preview: [false] } },
	},
	handWritten: ['callbackUri', 'data', 'maxResponseSize', 'version'],
	lastFields: [
		{
			displayName: 'Covered Accounts',
			name: 'accountsMode',
			type: 'options',
			options: [
				{ name: 'All Accounts', value: 'all', description: 'Send an empty list' },
				{ name: 'Listed Accounts', value: 'listed', description: 'Replace the list of accounts' },
			],
			default: 'listed',
			displayOptions: { show: { object: ['ul_transaction_default'] } },
			description: 'Which accounts the webhook covers after the update',
		},
		bodyField(update, 'data.accounts', {
			displayOptions: { show: { object: ['ul_transaction_default'], accountsMode: ['listed'] } },
			description: 'All accounts to cover, not only new ones',
		}),
		{
			displayName: 'Preview',
			name: 'preview',
			type: 'boolean',
			default: false,
			description: 'Whether to return the request without sending it',
		},
	],
	additionalFields: [
		bodyField(update, 'callbackUri', { placeholder: 'e.g. https://n8n.example.com/webhook/bank' }),
		textField(
			'Registered Callback URI',
			'registeredCallbackUri',
			'URL registered now, if the node cannot read it. Its host must not change.',
			{
				placeholder: 'e.g. https://n8n.example.com/webhook/old',
			},
		),
		{
			displayName: 'Version',
			name: 'version',
			type: 'options',
			options: [{ name: '1', value: 1 }],
			default: 1,
			description: 'Data format version; the only value is 1',
		},
	],
	options: [
		{
			displayName: 'Read Before Update',
			name: 'readBefore',
			type: 'boolean',
			default: true,
			description:
				'Whether to read the webhook first, to check the host and list what is replaced. Statement webhooks only.',
		},
	],
	returns:
		'Where the node could read the webhook first (*Read Before Update*), the item also has `replaces`: each field that the ' +
		'update changed, with `field`, `from` and `to`. Where it does not know the registered address, `notChecked` says that the host ' +
		'of *Callback URI* was sent unchecked.',
};
