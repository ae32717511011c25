import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { optionalGatewayProperties } from '../gateway.ts';
import { accessTokenUrl, clientFields, keptToken, scopesProperty } from './oauth2.ts';
import { serviceDetailsProperty } from '../serviceDetails.ts';
import { purposeNotice } from './purpose.ts';
import { paymentRestrictions } from './restrictions.ts';

/** Sender of packages of payments (2.2). The node can override it. */
const sender: INodeProperties[] = [
	{
		displayName: 'Partner ID',
		name: 'partnerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1001',
		description: 'Your partner ID, for payments with the sender from the credential',
	},
	{
		displayName: 'Tax Number',
		name: 'inn',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7700000000',
		description: 'Your tax number, for payments with the sender from the credential',
	},
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		default: '',
		placeholder: 'e.g. 40702810000000000001',
		description: 'Account to pay from, for payments with the sender from the credential',
	},
];

export const clientCredentialsProperties: INodeProperties[] = [
	purposeNotice('For payments, loan applications, and partner services that accept a client credentials token.'),
	...environmentProperties,
	accessTokenUrl,
	...clientFields,
	scopesProperty('clientCredentials'),
	{
		displayName: 'Additional Scopes',
		name: 'additionalScopes',
		type: 'string',
		default: '',
		placeholder: 'e.g. trip-data profile',
		description:
			'Scopes that are not listed above, such as those of partner services, separated by spaces. Ask your bank.',
	},
	...sender,
	...optionalCertificateProperties,
	...optionalGatewayProperties,
	...paymentRestrictions,
	serviceDetailsProperty,
	...keptToken,
];
