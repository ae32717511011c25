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

export class BankChecks implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Checks',
		name: 'bankChecks',
		icon: { light: 'file:../../icons/bank-checks.svg', dark: 'file:../../icons/bank-checks.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Check persons and companies before a contract: unified checks and entry score',
		defaults: { name: 'Bank Checks' },
		usableAsTool: true,
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
			{ name: 'bankGatewayApi', required: true, displayOptions: { show: { authenticateWith: ['gateway'] } } },
			{
				name: 'bankHostToHostOAuth2Api',
				required: true,
				displayOptions: { show: { authenticateWith: ['hostToHost'] } },
			},
			// `hide`, because n8n's editor would hide the field below if `show` covered all of its values, and would then
			// offer the credential that was saved last, of any type.
			{
				name: 'bankMutualTlsApi',
				required: true,
				displayOptions: {
					hide: { authenticateWith: ['authorizationCode', 'clientCredentials', 'gateway', 'hostToHost'] },
				},
			},
		],
		properties: [
			{ ...authenticationField, default: 'mutualTls' },
			credentialsPlace,
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Entry Score',
						value: 'entryScore',
						description: 'Compliance risk of a client who opens a settlement account',
					},
					{
						name: 'Unified Check',
						value: 'unifiedCheck',
						description: 'Eight checks of persons and companies in one request',
					},
				],
				default: 'unifiedCheck',
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
