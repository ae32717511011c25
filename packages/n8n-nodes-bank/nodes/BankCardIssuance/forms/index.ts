import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { setStatus } from './setStatus.ts';
import { uploadScans } from './uploadScans.ts';

/** Operations that need more than the form generated from their schema. */
export const forms = [
	bindHooks(definitions.channelApplication.setStatus, setStatus),
	bindHooks(definitions.scan.upload, uploadScans),
];
