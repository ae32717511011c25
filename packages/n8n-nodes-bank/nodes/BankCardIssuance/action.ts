import { actionOf } from '../shared/action.ts';
import { setStatus } from './forms/setStatus.ts';
import { uploadScans } from './forms/uploadScans.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export const { execute, listSearch, resourceMapping } = actionOf(
	{ name: 'bankCardIssuance', credentialFor: () => 'bankGatewayApi', forms: [setStatus, uploadScans] },
	operationFields,
);
