import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';
import { accessTokenUrl, clientFields, kept, keptToken } from './oauth2.ts';

export const hostToHostProperties: INodeProperties[] = [
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
