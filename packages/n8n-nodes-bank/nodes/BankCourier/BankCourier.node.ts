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
		credentials: credentialsByAuthentication('gateway'),
		properties: [authenticationField, credentialsPlace, ...operationFields],
	};

	methods = { resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
