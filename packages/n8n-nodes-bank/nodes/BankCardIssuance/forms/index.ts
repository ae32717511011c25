import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { setStatus } from './setStatus.ts';
import { uploadScans } from './uploadScans.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	bindHooks(definitions.channelApplication.setStatus, setStatus),
	bindHooks(definitions.scan.upload, uploadScans),
];
