import { operations, type Auth } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { noScopes, scopesOf } from '../state.ts';
import { environmentProperties, gatewayProperties, serviceDetailsProperty, useGateway } from './connection.ts';
import { choice, hiddenField, notice, purposeNotice, secret, shownFor, testNotice, text, toggle } from './fields.ts';
import { certificateProperties, signatureProperties, useCertificate } from './keyPair.ts';
import { operationRestrictions, paymentRestrictions } from './restrictions.ts';

/** Scopes of a flow, with the operations that need them. No other default than empty: n8n's editor would save it as empty. */
function scopesProperty(auth: Auth, more: [name: string, value: string, description: string][] = []): INodeProperties {
	const actionsOf = (wanted: string) =>
		operations
			.flatMap(({ auth: flow, scope, action }) => (flow === auth && scope === wanted ? [action] : []))
			.join('; ');
	const options = scopesOf(auth).map((scope): [string, string, string] => [scope, scope, actionsOf(scope)]);
	// The field is not named "scopes", because n8n's editor stores permissions on the credential under that name.
	return choice('Scopes', 'bankScopes', 'Scopes to request for the token', [], [...options, ...more], {
		hint: 'If empty, all of them are requested. If your bank granted you fewer, select those.',
	});
}

const accessTokenUrl = text(
	'Access Token URL',
	'accessTokenUrl',
	'URL that issues tokens. Your bank gives it to you with the client ID.',
	{ required: true, placeholder: 'e.g. https://id.bank.example/token' },
);

/** Same names as in n8n's own OAuth2 credential. */
const clientFields: INodeProperties[] = [
	text('Client ID', 'clientId', 'Client ID of your registration at the bank', { required: true }),
	secret(
		'Client Secret',
		'clientSecret',
		'Client secret of your registration. Leave empty if you authenticate with a client certificate only.',
	),
	choice('Authentication', 'authentication', 'How to send client ID and secret in token requests', 'header', [
		['Body', 'body'],
		['Header', 'header', 'Basic Auth'],
	]),
];

/** A hidden field that n8n stores with the credential. Masked, so that saving the form does not restore an old token. */
const kept = (displayName: string, name: string, typeOptions?: INodeProperties['typeOptions']): INodeProperties => ({
	...hiddenField(name, '', displayName),
	typeOptions: { ...typeOptions, password: true },
});

const keptToken = [
	kept('Access Token', 'accessToken', { expirable: true }),
	kept('Access Token Expires At', 'accessTokenExpiresAt'),
	kept('Access Token For', 'accessTokenFor'),
	kept('Access Token Scope', 'accessTokenScope'),
];

/** Sender of packages of payments (2.2), and values for rows that have none of their own. The node can override them. */
const paymentFields: INodeProperties[] = [
	text('Partner ID', 'partnerId', 'Your partner ID, for payments with the sender from the credential', {
		placeholder: 'e.g. 1001',
	}),
	text('Tax Number', 'inn', 'Your tax number, for payments with the sender from the credential', {
		placeholder: 'e.g. 7700000000',
	}),
	text('Account', 'account', 'Account to pay from, for payments with the sender from the credential', {
		placeholder: 'e.g. 40702810000000000001',
	}),
	text('Income Kind Code', 'ric', 'Code of the kind of income, for payments whose row has none', {
		placeholder: 'e.g. 1',
	}),
	text(
		'Payment Description',
		'paymentDescription',
		'What the payment is for, for payments whose row has no description',
		{
			placeholder: 'e.g. Reward',
		},
	),
	text(
		'Bank Names',
		'bankNames',
		'Names of banks and their numbers, as pasted from a sheet: one bank per line, name and number separated by a tab, comma or ' +
			'semicolon. Rows can then name the bank. Your bank tells you the numbers.',
		{ typeOptions: { rows: 4 }, placeholder: 'e.g. Example Bank, 100000000111' },
	),
	...signatureProperties,
];

export const clientCredentialsProperties: INodeProperties[] = [
	purposeNotice('For payments, loan applications, and partner services that accept a client credentials token.'),
	...environmentProperties,
	accessTokenUrl,
	...clientFields,
	scopesProperty('clientCredentials', [['None', noScopes, 'Only the additional scopes']]),
	text(
		'Additional Scopes',
		'additionalScopes',
		'Scopes that are not listed above, such as those of partner services, separated by spaces. Ask your bank.',
		{ placeholder: 'e.g. trip-data profile' },
	),
	...paymentFields,
	useCertificate,
	...certificateProperties,
	useGateway,
	...gatewayProperties,
	...paymentRestrictions,
	serviceDetailsProperty,
	testNotice,
	...keptToken,
];

export const hostToHostProperties: INodeProperties[] = [
	purposeNotice(
		'For the operations of Bank OAuth2 API if n8n cannot connect, for example if the token endpoint requires a certificate.',
	),
	...environmentProperties,
	accessTokenUrl,
	...clientFields,
	choice(
		'Begin With',
		'beginWith',
		'Grant for the first token. Later tokens are refreshed automatically.',
		'authorizationCode',
		[
			['Authorization Code', 'authorizationCode', 'Code from the redirect URL after the consent. Valid once.'],
			['Refresh Token', 'refreshToken', 'From your bank, or from a code exchanged elsewhere'],
		],
	),
	...shownFor({ beginWith: ['authorizationCode'] }, [
		secret('Authorization Code', 'authorizationCode', 'Code to exchange. Enter a new one to start over.', {
			required: true,
		}),
		text('Redirect URI', 'redirectUri', 'Redirect URI of the authorization request, unchanged', {
			required: true,
			placeholder: 'e.g. https://company.example/callback',
		}),
	]),
	...shownFor({ beginWith: ['refreshToken'] }, [
		secret('Refresh Token', 'refreshToken', 'First refresh token. Enter a new one to start over.', { required: true }),
	]),
	useCertificate,
	...certificateProperties,
	useGateway,
	...gatewayProperties,
	...operationRestrictions,
	serviceDetailsProperty,
	testNotice,
	...keptToken,
	kept('Held Refresh Token', 'heldRefreshToken'),
	kept('Held Refresh Token From', 'heldRefreshTokenFrom'),
];

export const authorizationCodeProperties: INodeProperties[] = [
	purposeNotice(
		'For operations that act for a person who gives consent at the bank: account operations, statements, card limits, taxes and webhooks.',
	),
	...environmentProperties,
	hiddenField('grantType', 'authorizationCode'),
	choice('Flow', 'flow', 'Authorization code flow that your bank granted you', 'authorizationCode', [
		['Authorization Code', 'authorizationCode', 'For operations that act for a user'],
		[
			'Authorization Code H2H',
			'h2h',
			'Host-to-host variant for webhooks: requests only webhook scopes and the parameters your bank gave you',
		],
	]),
	text(
		'Authorization URL',
		'authUrl',
		'URL where the user signs in and gives consent. Your bank gives it to you with the client ID.',
		{ required: true, placeholder: 'e.g. https://id.bank.example/authorize' },
	),
	accessTokenUrl,
	...clientFields,
	...shownFor({ flow: ['authorizationCode'] }, [scopesProperty('authorizationCode')]),
	text(
		'Webhook Scopes',
		'eventScopes',
		'Scopes of the webhook events you subscribe to, separated by spaces. Ask your bank.',
		{ placeholder: 'e.g. statement-events incoming-payment-events' },
	),
	hiddenField(
		'scope',
		'={{ [...($self["flow"] === "h2h" ? [] : $self["bankScopes"].length > 0 ? $self["bankScopes"] : ' +
			`${JSON.stringify(scopesOf('authorizationCode'))}), $self["eventScopes"]].filter((scope) => scope).join(" ") }}`,
	),
	toggle(
		'Ask for Consent Again',
		'requestConsent',
		'Whether to show the consent again when you connect (prompt=consent). Needed after adding a scope.',
	),
	text(
		'Authorization Parameters',
		'authorizationParameters',
		'Additional query parameters of the authorization request, if your bank requires them',
		{ placeholder: 'e.g. login_hint=company-42' },
	),
	hiddenField(
		'authQueryParameters',
		'={{ [$self["requestConsent"] ? "prompt=consent" : "", $self["authorizationParameters"]].filter((part) => part).join("&") }}',
	),
	useCertificate,
	...shownFor({ useCertificate: [true] }, [
		notice(
			'connectNotice',
			"The certificate is used for API calls only, not by n8n's Connect button and token refresh. If the token " +
				'endpoint requires one, use the credential Bank Host-to-Host OAuth2 API.',
		),
	]),
	...certificateProperties,
	useGateway,
	...gatewayProperties,
	...operationRestrictions,
	serviceDetailsProperty,
	testNotice,
];
