import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { actionOf } from '../shared/execute.ts';
import { authenticationFields, chosenCredential, credentialsByAuthentication } from '../shared/base/authentication.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { getContent } from './forms/getContent.ts';

const { execute, methods } = actionOf(
	{ name: 'bankCourier', credentialFor: chosenCredential, forms: [getContent] },
	operationFields,
);

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
		properties: [...authenticationFields('gateway'), ...operationFields],
	};

	methods = methods;

	execute = execute;
}
