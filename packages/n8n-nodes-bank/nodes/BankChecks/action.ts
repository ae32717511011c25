import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { runChecks } from './forms/runChecks.ts';
import { scores } from './forms/score.ts';

export const { bodyFields, execute } = actionOf({
	name: 'bankChecks',
	credentialFor: chosenCredential,
	forms: [runChecks, ...scores],
});
