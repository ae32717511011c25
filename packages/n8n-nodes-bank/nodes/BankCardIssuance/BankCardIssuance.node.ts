import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { actionOf } from '../shared/execute.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { setStatus } from './forms/setStatus.ts';
import { uploadScans } from './forms/uploadScans.ts';

const { execute, methods } = actionOf(
	{ name: 'bankCardIssuance', credentialFor: () => 'bankGatewayApi', forms: [setStatus, uploadScans] },
	operationFields,
);

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

	methods = methods;

	execute = execute;
}
