import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { getContent } from './forms/getContent.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export const { execute, resourceMapping } = actionOf(
	{ name: 'bankCourier', credentialFor: chosenCredential, forms: [getContent] },
	operationFields,
);
