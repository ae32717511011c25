import { operations, type Auth } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

/** Scopes of part 5 for a flow, with the operations that need them. */
function scopeOptions(auth: Auth): { name: string; value: string; description: string }[] {
	const byScope = new Map<string, string[]>();
	for (const { auth: flow, scope, action } of operations) {
		if (flow !== auth || scope === undefined) continue;
		byScope.set(scope, [...(byScope.get(scope) ?? []), action]);
	}
	return [...byScope]
		.sort(([a], [b]) => a.localeCompare(b, 'en'))
		.map(([scope, actions]) => ({ name: scope, value: scope, description: actions.join('; ') }));
}

export function scopesProperty(auth: Auth, displayOptions: INodeProperties['displayOptions'] = {}): INodeProperties {
	const options = scopeOptions(auth);
	return {
		displayName: 'Scopes',
		// Not named "scopes", because n8n's editor stores permissions on the credential under that name.
		name: 'bankScopes',
		type: 'multiOptions',
		options,
		// Used for imported credentials without this field. The dialog of n8n 2.41 ignores it and starts with nothing chosen.
		default: options.map((option) => option.value),
		hint: 'Select the scopes that your bank granted you',
		description: 'Scopes to request for the token',
		displayOptions,
	};
}

export const accessTokenUrl: INodeProperties = {
	displayName: 'Access Token URL',
	name: 'accessTokenUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://id.bank.example/token',
	description: 'URL that issues tokens. Your bank gives it to you with the client ID.',
};

/** A hidden n8n field with a fixed value. */
export const fixed = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

/** Same names as in n8n's own OAuth2 credential. */
export const clientFields: INodeProperties[] = [
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		default: '',
		required: true,
		description: 'Client ID of your registration at the bank',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Client secret of your registration. Leave empty if you authenticate with a client certificate only.',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{ name: 'Body', value: 'body' },
			{ name: 'Header', value: 'header', description: 'Basic Auth' },
		],
		default: 'header',
		description: 'How to send client ID and secret in token requests',
	},
];

/** A hidden field that n8n stores with the credential. Masked, so that saving the form does not restore an old token. */
export const kept = (
	displayName: string,
	name: string,
	typeOptions: INodeProperties['typeOptions'] = {},
): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	typeOptions: { ...typeOptions, password: true },
	default: '',
});

export const keptToken = [
	kept('Access Token', 'accessToken', { expirable: true }),
	kept('Access Token Expires At', 'accessTokenExpiresAt'),
	kept('Access Token For', 'accessTokenFor'),
	kept('Access Token Scope', 'accessTokenScope'),
];
