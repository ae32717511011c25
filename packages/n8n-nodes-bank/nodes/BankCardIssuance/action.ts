import { actionOf } from '../shared/action.ts';
import { setStatus } from './forms/setStatus.ts';
import { uploadScans } from './forms/uploadScans.ts';

export const { bodyFields, execute, search } = actionOf({
	name: 'bankCardIssuance',
	credentialFor: () => 'bankGatewayApi',
	forms: [setStatus, uploadScans],
});
