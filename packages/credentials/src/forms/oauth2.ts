import { operations, type Auth } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';

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
		// Not "scopes": n8n's editor keeps its own permissions on a credential under that name, and takes them for the field.
		name: 'bankScopes',
		type: 'multiOptions',
		options,
		// Of what comes by a file without it. n8n 2.41's own dialog shows, and saves, nothing as chosen.
		default: options.map((option) => option.value),
		hint: 'Choose what the bank has opened to you: with nothing chosen no scope is asked for',
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
	description: 'URL that issues tokens. Your bank gives it to you with the client ID.',
};

/** n8n's own fields that have one right value here. */
const fixed = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

/** Named as in n8n's own OAuth2 credential. */
const client: INodeProperties[] = [
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		default: '',
		required: true,
		description: 'As the bank gave it to you',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'As the bank gave it to you. Leave it empty only if the bank knows you by the client certificate alone',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{ name: 'Body', value: 'body', description: 'Client ID and secret as fields of the token request' },
			{ name: 'Header', value: 'header', description: 'Client ID and secret as Basic Auth' },
		],
		default: 'header',
		description: 'How the token request carries client ID and secret',
	},
];

/** What is kept with the credential. All of it masked, so that saving the form does not put an old token back. */
const kept = (
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

const keptToken = [
	kept('Access Token', 'accessToken', { expirable: true }),
	kept('Access Token Expires At', 'accessTokenExpiresAt'),
	kept('Access Token For', 'accessTokenFor'),
	kept('Access Token Scope', 'accessTokenScope'),
];

/** What every package of payments says of who sends it (2.2): kept here, it need not stand in every form. */
const sender: INodeProperties[] = [
	{
		displayName: 'Partner ID',
		name: 'partnerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1001',
		description: 'For payments whose form leaves it empty: your partner identifier at the bank',
	},
	{
		displayName: 'Tax Number',
		name: 'inn',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7700000000',
		description: "For payments whose form leaves it empty: the client's tax number",
	},
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		default: '',
		placeholder: 'e.g. 40702810000000000001',
		description: 'For payments whose form leaves it empty: the account they are sent from',
	},
];

export const clientCredentialsProperties: INodeProperties[] = [
	...environmentProperties,
	accessTokenUrl,
	...client,
	scopesProperty('clientCredentials'),
	{
		displayName: 'Additional Scopes',
		name: 'additionalScopes',
		type: 'string',
		default: '',
		placeholder: 'e.g. trip-data profile',
		description: 'Further scopes, separated by spaces, such as those of the partner services. Ask your bank.',
	},
	...sender,
	...optionalCertificateProperties,
	...optionalGatewayProperties,
	...keptToken,
];

export const hostToHostProperties: INodeProperties[] = [
	...environmentProperties,
	accessTokenUrl,
	...client,
	{
		displayName: 'Begin With',
		name: 'beginWith',
		type: 'options',
		options: [
			{
				name: 'Authorization Code',
				value: 'authorizationCode',
				description: 'From the address to which the bank sent the user after the consent. Good for one use',
			},
			{
				name: 'Refresh Token',
				value: 'refreshToken',
				description: 'From the bank, or from a code that was exchanged elsewhere',
			},
		],
		default: 'authorizationCode',
		description: 'What the bank gave you. It is used once; from then on the credential keeps itself alive',
	},
	{
		displayName: 'Authorization Code',
		name: 'authorizationCode',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		description: 'Enter a new one to begin anew',
		displayOptions: { show: { beginWith: ['authorizationCode'] } },
	},
	{
		displayName: 'Redirect URI',
		name: 'redirectUri',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://company.example/callback',
		description: 'Exactly as it was when the code was asked for',
		displayOptions: { show: { beginWith: ['authorizationCode'] } },
	},
	{
		displayName: 'Refresh Token',
		name: 'refreshToken',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		description:
			'Enter a new one to begin anew. Later ones, which the bank gives in its place, are kept without being shown here',
		displayOptions: { show: { beginWith: ['refreshToken'] } },
	},
	...optionalCertificateProperties,
	...optionalGatewayProperties,
	...keptToken,
	kept('Held Refresh Token', 'heldRefreshToken'),
	kept('Held Refresh Token From', 'heldRefreshTokenFrom'),
];

const connectNotice: INodeProperties = {
	displayName:
		"The certificate goes with the calls of the API only. n8n's Connect button and its renewal of tokens send " +
		'none: if the token endpoint demands one, use the credential Bank Host-to-Host OAuth2 API.',
	name: 'connectNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { useCertificate: [true] } },
};

/**
 * n8n's own fields with another default: it sends this token itself, without asking us where to. Otherwise every workflow could send
 * it to any host.
 */
const domainProperties: INodeProperties[] = [
	{
		displayName: 'Allowed HTTP Request Domains',
		name: 'allowedHttpRequestDomains',
		type: 'options',
		options: [
			{ name: 'All', value: 'all', description: 'The token goes wherever a workflow sends it' },
			{ name: 'None', value: 'none', description: 'The Bank nodes only' },
			{ name: 'Specific Domains', value: 'domains', description: 'Also to these hosts' },
		],
		default: 'none',
		description: 'Where HTTP Request and GraphQL nodes may send the token. The Bank nodes send it to the bank only',
	},
	{
		displayName: 'Allowed Domains',
		name: 'allowedDomains',
		type: 'string',
		default: '',
		placeholder: 'e.g. api.bank.example',
		description: 'Hosts, separated by commas',
		displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
	},
];

export const authorizationCodeProperties: INodeProperties[] = [
	...environmentProperties,
	fixed('grantType', 'authorizationCode'),
	{
		displayName: 'Flow',
		name: 'flow',
		type: 'options',
		options: [
			{
				name: 'Authorization Code',
				value: 'authorizationCode',
				description: 'For operations that act for a user',
			},
			{
				name: 'Authorization Code H2H',
				value: 'h2h',
				description:
					'Host-to-host variant for webhooks: requests only webhook scopes and the parameters your bank gave you',
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
		description: 'URL where the user signs in and gives consent. Your bank gives it to you with the client ID.',
	},
	accessTokenUrl,
	scopesProperty('authorizationCode', { show: { flow: ['authorizationCode'] } }),
	{
		displayName: 'Webhook Scopes',
		name: 'eventScopes',
		type: 'string',
		default: '',
		placeholder: 'e.g. statement-events incoming-payment-events',
		description: 'Scopes of the webhook events you subscribe to, separated by spaces. Ask your bank.',
	},
	fixed(
		'scope',
		'={{ [...($self["flow"] === "h2h" ? [] : $self["bankScopes"]), $self["eventScopes"]].filter((scope) => scope).join(" ") }}',
	),
	{
		displayName: 'Ask for Consent Again',
		name: 'requestConsent',
		type: 'boolean',
		default: false,
		description:
			'Whether connecting makes the bank show the consent again (prompt=consent). Needed after adding a scope: switch on, save and reconnect',
	},
	{
		displayName: 'Authorization Parameters',
		name: 'authorizationParameters',
		type: 'string',
		default: '',
		placeholder: 'e.g. login_hint=company-42',
		description: 'Further query parameters of the authorization request, if the bank asks for some',
	},
	fixed(
		'authQueryParameters',
		'={{ [$self["requestConsent"] ? "prompt=consent" : "", $self["authorizationParameters"]].filter((part) => part).join("&") }}',
	),
	...optionalCertificateProperties.flatMap((property) =>
		property.name === 'useCertificate' ? [property, connectNotice] : [property],
	),
	...optionalGatewayProperties,
	...domainProperties,
];
