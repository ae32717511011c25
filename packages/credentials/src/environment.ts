import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

/** Production or sandbox, each with its own base URL (part 1: the paths are identical in both). */
export const environmentProperties: INodeProperties[] = [
	{
		displayName: 'Environment',
		name: 'environment',
		type: 'options',
		options: [
			{ name: 'Production', value: 'production' },
			{ name: 'Sandbox', value: 'sandbox' },
		],
		default: 'sandbox',
		description: 'Environment to send requests to',
	},
	{
		displayName: 'Production Base URL',
		name: 'productionBaseUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://api.bank.example',
		description: 'URL of the production environment. Your bank gives it to you.',
		displayOptions: { show: { environment: ['production'] } },
	},
	{
		displayName: 'Sandbox Base URL',
		name: 'sandboxBaseUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://sandbox.bank.example',
		description: 'URL of the sandbox environment, as the bank gave it to you',
		displayOptions: { show: { environment: ['sandbox'] } },
	},
];

/** The base URL that a credential selects, without a slash at its end; empty where the user has not given one. */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const url = credential.environment === 'production' ? credential.productionBaseUrl : credential.sandboxBaseUrl;
	return textOf(url).replace(/(?<!\/)\/+$/, '');
}
