import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';
import { accessTokenUrl, fixed, scopesProperty } from './oauth2.ts';

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
