import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { actionOf } from '../shared/execute.ts';
import { authenticationFields, chosenCredential, credentialsByAuthentication } from '../shared/base/authentication.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { debit } from './forms/debit.ts';

const { execute, methods } = actionOf(
	{ name: 'bankPartnerServices', credentialFor: chosenCredential, forms: [debit] },
	operationFields,
);

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
		properties: [...authenticationFields('gateway'), ...operationFields],
	};

	methods = methods;

	execute = execute;
}
