import { actionOf } from '../shared/action.ts';
import { forms } from './forms/index.ts';

export const { execute, search } = actionOf({ name: 'bankCardIssuance', credentialFor: () => 'bankGatewayApi', forms });
