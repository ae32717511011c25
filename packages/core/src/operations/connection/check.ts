import { defineOperation } from '../../operation.ts';
import { getMany } from '../accountOperation/getMany.ts';

/** Whether the bank can be reached and knows who asks. By which credential is for the user to choose. */
export const check = defineOperation({
	id: 'connection.check',
	spec: '5',
	name: 'Check',
	action: 'Check connection',
	description: 'Check that the bank is reachable and accepts your token or certificate',
	answers: 'ok, and problems with what to do; token, scopes, missingScopes, certificate.daysLeft.',
	auth: 'notShown',
	effect: 'none',
	// Types with a token ask as P6 does, which only reads; for the others the description shows no such call.
	method: 'GET',
	path: getMany.path ?? '',
	errors: [],
});
