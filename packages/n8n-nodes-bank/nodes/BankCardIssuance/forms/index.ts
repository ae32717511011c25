import { operationById } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { setStatus } from './setStatus.ts';
import { uploadScans } from './uploadScans.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(operationById('channelApplication.setStatus'), setStatus),
	formOf(operationById('scan.upload'), uploadScans),
];
