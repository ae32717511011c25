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

export class BankCourier implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Courier',
		name: 'bankCourier',
		icon: { light: 'file:../../icons/bank-courier.svg', dark: 'file:../../icons/bank-courier.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work as a courier partner: files of an application, courier authorization, status and notes',
		defaults: { name: 'Bank Courier' },
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
					{
						name: 'Application',
						value: 'application',
						description: 'Account-opening applications that couriers work on',
					},
					{ name: 'Courier', value: 'courier', description: 'Couriers who certify documents' },
					{ name: 'File', value: 'file', description: 'Files of an application' },
				],
				default: 'file',
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
