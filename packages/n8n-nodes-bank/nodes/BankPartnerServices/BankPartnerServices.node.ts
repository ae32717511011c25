import {
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { authenticationField, credentialsPlace } from '../shared/authentication.ts';
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
		credentials: [
			{
				name: 'bankAuthorizationCodeOAuth2Api',
				required: true,
				displayOptions: { show: { authenticateWith: ['authorizationCode'] } },
			},
			{
				name: 'bankClientCredentialsOAuth2Api',
				required: true,
				displayOptions: { show: { authenticateWith: ['clientCredentials'] } },
			},
			// `hide`, because n8n's editor would hide the field below if `show` covered all of its values, and would then
			// offer the credential that was saved last, of any type.
			{
				name: 'bankGatewayApi',
				required: true,
				displayOptions: {
					hide: { authenticateWith: ['authorizationCode', 'clientCredentials', 'hostToHost', 'mutualTls'] },
				},
			},
			{
				name: 'bankHostToHostOAuth2Api',
				required: true,
				displayOptions: { show: { authenticateWith: ['hostToHost'] } },
			},
			{ name: 'bankMutualTlsApi', required: true, displayOptions: { show: { authenticateWith: ['mutualTls'] } } },
		],
		properties: [
			authenticationField,
			credentialsPlace,
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Direct Debit', value: 'directDebit', description: 'Debits from borrowers under a consent' },
					{ name: 'Profile', value: 'profile', description: 'Data to register a legal-entity user' },
					{ name: 'Trip', value: 'trip', description: 'Data of completed trips' },
				],
				default: 'directDebit',
			},
			...operationFields,
		],
	};

	methods = {
		resourceMapping: {
			async bodyFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
				return await (await import('./action.ts')).bodyFields(this);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./action.ts');
		return await execute(this, operationFields);
	}
}
