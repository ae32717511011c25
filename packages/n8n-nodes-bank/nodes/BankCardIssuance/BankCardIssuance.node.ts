import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { execute, listSearch, resourceMapping } from './action.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export class BankCardIssuance implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Card Issuance',
		name: 'bankCardIssuance',
		icon: { light: 'file:../../icons/bank-card-issuance.svg', dark: 'file:../../icons/bank-card-issuance.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			"Issue the bank's credit cards, from the short application to the confirmation, and in partner sales channels",
		defaults: { name: 'Bank Card Issuance' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'bankGatewayApi', required: true }],
		properties: [...operationFields],
	};

	methods = { listSearch, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
