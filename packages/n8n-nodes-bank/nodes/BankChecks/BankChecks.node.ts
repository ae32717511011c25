import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { actionOf } from '../shared/execute.ts';
import { authenticationFields, chosenCredential, credentialsByAuthentication } from '../shared/base/authentication.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { runChecks } from './forms/runChecks.ts';

const { execute, methods } = actionOf(
	{ name: 'bankChecks', credentialFor: chosenCredential, forms: [runChecks] },
	operationFields,
);

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
		properties: [...authenticationFields('mutualTls'), ...operationFields],
	};

	methods = methods;

	execute = execute;
}
