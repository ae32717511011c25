import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { forms } from './forms/index.ts';

export const { execute } = actionOf({ name: 'bankChecks', credentialFor: chosenCredential, forms });
