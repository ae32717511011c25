import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';
import { accessTokenUrl, fixed, scopesProperty } from './oauth2.ts';
import { serviceDetailsProperty } from '../serviceDetails.ts';
import { purposeNotice } from './purpose.ts';
import { operationRestrictions } from './restrictions.ts';

const connectNotice: INodeProperties = {
	displayName:
		"The certificate is used for API calls only, not by n8n's Connect button and token refresh. If the token " +
		'endpoint requires one, use the credential Bank Host-to-Host OAuth2 API.',
	name: 'connectNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { useCertificate: [true] } },
};

export const authorizationCodeProperties: INodeProperties[] = [
	purposeNotice(
		'For operations that act for a person who gives consent at the bank: account operations, statements, card limits, taxes and webhooks.',
	),
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
		description: 'Authorization code flow that your bank granted you',
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
		description: 'Whether to show the consent again when you connect (prompt=consent). Needed after adding a scope.',
	},
	{
		displayName: 'Authorization Parameters',
		name: 'authorizationParameters',
		type: 'string',
		default: '',
		placeholder: 'e.g. login_hint=company-42',
		description: 'Additional query parameters of the authorization request, if your bank requires them',
	},
	fixed(
		'authQueryParameters',
		'={{ [$self["requestConsent"] ? "prompt=consent" : "", $self["authorizationParameters"]].filter((part) => part).join("&") }}',
	),
	...optionalCertificateProperties.flatMap((property) =>
		property.name === 'useCertificate' ? [property, connectNotice] : [property],
	),
	...optionalGatewayProperties,
	...operationRestrictions,
	serviceDetailsProperty,
];
