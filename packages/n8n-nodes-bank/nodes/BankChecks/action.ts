import { actionOf } from '../shared/action.ts';
import { chosenCredential } from '../shared/authentication.ts';
import { forms } from './forms/index.ts';

export const { bodyFields, execute } = actionOf({ name: 'bankChecks', credentialFor: chosenCredential, forms });
