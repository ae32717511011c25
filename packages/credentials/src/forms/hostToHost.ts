import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';
import { accessTokenUrl, clientFields, kept, keptToken } from './oauth2.ts';
import { serviceDetailsProperty } from '../serviceDetails.ts';
import { purposeNotice } from './purpose.ts';
import { operationRestrictions } from './restrictions.ts';

export const hostToHostProperties: INodeProperties[] = [
	purposeNotice(
		'For the same operations as Bank OAuth2 API if n8n cannot connect, for example if the token endpoint requires a certificate.',
	),
	...environmentProperties,
	accessTokenUrl,
	...clientFields,
	{
		displayName: 'Begin With',
		name: 'beginWith',
		type: 'options',
		options: [
			{
				name: 'Authorization Code',
				value: 'authorizationCode',
				description: 'Code from the redirect URL after the consent. Valid once.',
			},
			{
				name: 'Refresh Token',
				value: 'refreshToken',
				description: 'From your bank, or from a code exchanged elsewhere',
			},
		],
		default: 'authorizationCode',
		description: 'Grant for the first token. Later tokens are refreshed automatically.',
	},
	{
		displayName: 'Authorization Code',
		name: 'authorizationCode',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		description: 'Code to exchange. Enter a new one to start over.',
		displayOptions: { show: { beginWith: ['authorizationCode'] } },
	},
	{
		displayName: 'Redirect URI',
		name: 'redirectUri',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://company.example/callback',
		description: 'Redirect URI of the authorization request, unchanged',
		displayOptions: { show: { beginWith: ['authorizationCode'] } },
	},
	{
		displayName: 'Refresh Token',
		name: 'refreshToken',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		description: 'First refresh token. Enter a new one to start over.',
		displayOptions: { show: { beginWith: ['refreshToken'] } },
	},
	...optionalCertificateProperties,
	...optionalGatewayProperties,
	...operationRestrictions,
	serviceDetailsProperty,
	...keptToken,
	kept('Held Refresh Token', 'heldRefreshToken'),
	kept('Held Refresh Token From', 'heldRefreshTokenFrom'),
];
