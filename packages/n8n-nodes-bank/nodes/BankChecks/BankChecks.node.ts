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
		credentials: credentialsByAuthentication('mutualTls'),
		properties: [{ ...authenticationField, default: 'mutualTls' }, credentialsPlace, ...operationFields],
	};

	methods = { resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
