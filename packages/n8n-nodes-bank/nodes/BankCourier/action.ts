import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { getContent } from './forms/getContent.ts';

export const { bodyFields, execute } = actionOf({
	name: 'bankCourier',
	credentialFor: chosenCredential,
	forms: [getContent],
});
