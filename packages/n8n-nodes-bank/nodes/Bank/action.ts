import { actionOf } from '../shared/action.ts';
import { chosenCredential, restCredential } from '../shared/authentication.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';
import { checkConnection } from './forms/checkConnection.ts';
import { createLoanApplication } from './forms/createLoanApplication.ts';
import { findInOperations } from './forms/findInOperations.ts';
import { preparePackage } from './forms/preparePackage.ts';
import { resolve } from './forms/resolve.ts';
import { sendPackage } from './forms/sendPackage.ts';
import { updateWebhook } from './forms/updateWebhook.ts';

export const { execute, listSearch } = actionOf(
	{
		name: 'bank',
		credentialFor: (operation, parameter) =>
			operation.auth === 'notShown'
				? chosenCredential(operation, parameter)
				: restCredential(operation.auth, parameter('flow')),
		forms: [
			checkConnection,
			createLoanApplication,
			findInOperations,
			preparePackage,
			resolve,
			sendPackage,
			updateWebhook,
		],
	},
	operationFields,
);
