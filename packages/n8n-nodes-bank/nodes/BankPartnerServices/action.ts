import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { debit } from './forms/debit.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export const { execute, resourceMapping } = actionOf(
	{ name: 'bankPartnerServices', credentialFor: chosenCredential, forms: [debit] },
	operationFields,
);
