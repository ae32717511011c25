import { operations, type Auth } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

/** The scopes of part 5, by flow, each with the operations that need it. */
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
		// Not "scopes": n8n's editor keeps its own permissions on a credential under that name, and takes them for the field.
		name: 'bankScopes',
		type: 'multiOptions',
		options,
		// Of what comes by a file without it. n8n 2.41's own dialog shows, and saves, nothing as chosen.
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

/** n8n's own fields that have one right value here. */
export const fixed = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

/** Named as in n8n's own OAuth2 credential. */
export const clientFields: INodeProperties[] = [
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		default: '',
		required: true,
		description: 'Your bank gives it to you',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Your bank gives it to you. Leave empty if you authenticate with a client certificate only.',
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

/** What is kept with the credential. All of it masked, so that saving the form does not put an old token back. */
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
