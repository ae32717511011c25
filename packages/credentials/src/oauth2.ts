import { operations, type Auth } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { environmentProperties } from './environment.ts';

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

function scopesProperty(auth: Auth, displayOptions: INodeProperties['displayOptions'] = {}): INodeProperties {
	const options = scopeOptions(auth);
	return {
		displayName: 'Scopes',
		name: 'scopes',
		type: 'multiOptions',
		options,
		default: options.map((option) => option.value),
		description: 'What the token is for. Ask only for scopes that the bank has opened to you',
		displayOptions,
	};
}

const accessTokenUrl: INodeProperties = {
	displayName: 'Access Token URL',
	name: 'accessTokenUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://id.bank.example/token',
	description: 'Where tokens are issued. The API description does not show it: the bank gives it to you with the client ID',
};

/** n8n's own fields that have one right value here. */
const fixed = (name: string, value: string): INodeProperties => ({ displayName: name, name, type: 'hidden', default: value });

/** OAuth 2.0 Client Credentials Flow (part 5): P1 and P3. n8n fetches the token and keeps it. */
export abstract class ClientCredentialsOAuth2Base {
	extends = ['oAuth2Api'];

	properties: INodeProperties[] = [
		...environmentProperties,
		fixed('grantType', 'clientCredentials'),
		accessTokenUrl,
		scopesProperty('clientCredentials'),
		fixed('scope', '={{ $self["scopes"].join(" ") }}'),
		fixed('authUrl', ''),
		fixed('authQueryParameters', ''),
	];
}

/** OAuth 2.0 Authorization Code Flow and its H2H variant (part 5): P2, P4-P11. Connected with n8n's Connect button. */
export abstract class AuthorizationCodeOAuth2Base {
	extends = ['oAuth2Api'];

	properties: INodeProperties[] = [
		...environmentProperties,
		fixed('grantType', 'authorizationCode'),
		{
			displayName: 'Flow',
			name: 'flow',
			type: 'options',
			options: [
				{ name: 'Authorization Code', value: 'authorizationCode', description: 'For every operation that acts for a user' },
				{
					name: 'Authorization Code H2H',
					value: 'h2h',
					description: 'Host-to-host variant, which the API description names for webhooks and does not explain: it asks only for webhook scopes and the parameters that the bank gave you',
				},
			],
			default: 'authorizationCode',
			description: 'Which authorization code flow the bank has opened to you',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://id.bank.example/authorize',
			description: 'Where the user signs in and gives consent. The API description does not show it: the bank gives it to you with the client ID',
		},
		accessTokenUrl,
		scopesProperty('authorizationCode', { show: { flow: ['authorizationCode'] } }),
		{
			displayName: 'Webhook Scopes',
			name: 'eventScopes',
			type: 'string',
			default: '',
			placeholder: 'e.g. statement-events incoming-payment-events',
			description: 'Scopes of the webhook events you subscribe to, separated by spaces. The API description does not list them: ask the bank',
		},
		fixed('scope', '={{ [...($self["flow"] === "h2h" ? [] : $self["scopes"]), $self["eventScopes"]].filter((scope) => scope).join(" ") }}'),
		{
			displayName: 'Ask for Consent Again',
			name: 'requestConsent',
			type: 'boolean',
			default: false,
			description: 'Whether connecting makes the bank show the consent again (prompt=consent). Needed after adding a scope: switch on, save and reconnect',
		},
		{
			displayName: 'Authorization Parameters',
			name: 'authorizationParameters',
			type: 'string',
			default: '',
			placeholder: 'e.g. login_hint=company-42',
			description: 'Further query parameters of the authorization request, if the bank asks for some',
		},
		fixed('authQueryParameters', '={{ [$self["requestConsent"] ? "prompt=consent" : "", $self["authorizationParameters"]].filter((part) => part).join("&") }}'),
	];
}
