import { actionOf } from '../shared/action.ts';
import { forms } from './forms/index.ts';

export const { bodyFields, execute, search } = actionOf({
	name: 'bankCardIssuance',
	credentialFor: () => 'bankGatewayApi',
	forms,
});
