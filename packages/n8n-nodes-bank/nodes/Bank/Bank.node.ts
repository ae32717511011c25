import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { actionOf } from '../shared/execute.ts';
import {
	authenticationField,
	chosenCredential,
	credentialsPosition,
	flowField,
	choicesExcept,
	restCredential,
} from '../shared/base/authentication.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { checkConnection } from './forms/checkConnection.ts';
import { createLoanApplication } from './forms/createLoanApplication.ts';
import { eventDone } from './forms/events/done.ts';
import { listUnfinished } from './forms/events/listUnfinished.ts';
import { skipRepeats } from './forms/events/skipRepeats.ts';
import { findInOperations } from './forms/findInOperations.ts';
import { preparePackage } from './forms/preparePackage.ts';
import { resolve } from './forms/resolve.ts';
import { sendPackage } from './forms/sendPackage.ts';
import { updateWebhook } from './forms/updateWebhook.ts';

const { execute, methods } = actionOf(
	{
		name: 'bank',
		credentialFor: (operation, parameter) =>
			operation.auth === 'notShown'
				? chosenCredential(operation, parameter)
				: restCredential(operation.auth, parameter('flow')),
		forms: [
			checkConnection,
			createLoanApplication,
			eventDone,
			findInOperations,
			listUnfinished,
			preparePackage,
			resolve,
			sendPackage,
			skipRepeats,
			updateWebhook,
		],
	},
	operationFields,
);

/** Operations that accept only a token of the client credentials flow. */
const byClient = { resource: ['loanApplication'], operation: ['preparePackage', 'resolve', 'sendPackage'] };

/**
 * Operations that need no token of the authorization code flow: those of `byClient`, and those that need no credential.
 */
const withoutToken = { ...byClient, resource: [...byClient.resource, 'event'] };

export class Bank implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank',
		name: 'bank',
		icon: { light: 'file:../../icons/bank.svg', dark: 'file:../../icons/bank.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			"Pay by phone number, order statements, read operations and work with limits, loan drafts and webhooks through the bank's partner API",
		defaults: { name: 'Bank' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		// Event: Skip Repeats has a second output.
		outputs: `={{ $parameter["operation"] === "skipRepeats"
			? [{ type: "main", displayName: "New" }, { type: "main", displayName: "Repeats" }]
			: ["main"] }}`,
		credentials: [
			{
				name: 'bankClientCredentialsOAuth2Api',
				required: true,
				displayOptions: {
					show: { resource: ['connection', 'payment', ...byClient.resource] },
					hide: { operation: ['findInOperations', 'resolve'], ...choicesExcept('clientCredentials') },
				},
			},
			{
				name: 'bankAuthorizationCodeOAuth2Api',
				required: true,
				// `hide` instead of `show`: if `show` covers every value of a field, n8n's editor treats that field as the
				// choice of an authentication method and hides it, and the user can no longer choose the resource.
				displayOptions: { hide: { ...withoutToken, flow: ['hostToHost'], ...choicesExcept('authorizationCode') } },
			},
			{
				name: 'bankHostToHostOAuth2Api',
				required: true,
				displayOptions: { hide: { ...withoutToken, flow: ['authorizationCode'], ...choicesExcept('hostToHost') } },
			},
			{ name: 'bankGatewayApi', required: true, displayOptions: { show: { authenticateWith: ['gateway'] } } },
			{ name: 'bankMutualTlsApi', required: true, displayOptions: { show: { authenticateWith: ['mutualTls'] } } },
		],
		properties: [
			{
				...flowField,
				displayOptions: { hide: { ...withoutToken, resource: [...withoutToken.resource, 'connection'] } },
			},
			{ ...authenticationField, default: 'authorizationCode', displayOptions: { show: { resource: ['connection'] } } },
			credentialsPosition,
			...operationFields,
		],
	};

	methods = methods;

	execute = execute;
}
