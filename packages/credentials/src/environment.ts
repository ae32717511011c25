import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

/** Paths are identical in both environments (part 1). */
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
		description: 'URL of the sandbox environment. Your bank gives it to you.',
		displayOptions: { show: { environment: ['sandbox'] } },
	},
];

/** Base URL of the chosen environment, without trailing slashes; empty if none was entered. */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const url = credential.environment === 'production' ? credential.productionBaseUrl : credential.sandboxBaseUrl;
	return textOf(url).replace(/(?<!\/)\/+$/, '');
}
