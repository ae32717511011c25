import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { runChecks } from './forms/runChecks.ts';
import { scores } from './forms/score.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export const { execute, resourceMapping } = actionOf(
	{ name: 'bankChecks', credentialFor: chosenCredential, forms: [runChecks, ...scores] },
	operationFields,
);
