import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { debit } from './forms/debit.ts';

export const { bodyFields, execute } = actionOf({
	name: 'bankPartnerServices',
	credentialFor: chosenCredential,
	forms: [debit],
});
