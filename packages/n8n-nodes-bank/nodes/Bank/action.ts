import { actionOf } from '../shared/action.ts';
import { chosenCredential, restCredential } from '../shared/authentication.ts';
import { forms } from './forms/index.ts';

export { testSignature } from '@bank/credentials';
export { recipientColumns } from './forms/columns.ts';

export const { execute, search } = actionOf({
	name: 'bank',
	credentialFor: (operation, parameter) =>
		operation.auth === 'notShown'
			? chosenCredential(operation, parameter)
			: restCredential(operation.auth, parameter('flow')),
	forms,
});
