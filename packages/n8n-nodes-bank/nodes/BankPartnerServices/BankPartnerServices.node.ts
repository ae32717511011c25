import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { authenticationField, credentialsByAuthentication, credentialsPlace } from '../shared/authentication.ts';
import { execute, resourceMapping } from './action.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export class BankPartnerServices implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Partner Services',
		name: 'bankPartnerServices',
		icon: {
			light: 'file:../../icons/bank-partner-services.svg',
			dark: 'file:../../icons/bank-partner-services.dark.svg',
		},
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Debit borrowers under a consent, send trip data and get profile data of legal-entity users',
		defaults: { name: 'Bank Partner Services' },
		usableAsTool: true,
		// Secrets in the output of Exchange Code. The API description does not show their names: these are from RFC 6749,
		// with common spellings.
		sensitiveOutputFields: ['access_token', 'refresh_token', 'id_token', 'accessToken', 'refreshToken', 'idToken'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialsByAuthentication('gateway'),
		properties: [authenticationField, credentialsPlace, ...operationFields],
	};

	methods = { resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
