import { defineOperation } from '../../operation.ts';
import { getMany } from '../accountOperation/getMany.ts';

/** Checks reachability and authentication with the credential that the user chooses. */
export const check = defineOperation({
	id: 'connection.check',
	local: true,
	spec: '5',
	action: 'Check connection',
	description: 'Check that the bank is reachable and accepts your token or certificate',
	responseSummary: 'ok, and problems with what to do; token, scopes, missingScopes, certificate.daysLeft.',
	auth: 'notShown',
	effect: 'none',
	// With a token the check calls P6, which only reads. For other credentials the description shows no such call.
	method: 'GET',
	path: getMany.path ?? '',
});
