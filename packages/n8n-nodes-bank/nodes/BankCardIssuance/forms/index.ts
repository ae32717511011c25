import { definitions } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { setStatus } from './setStatus.ts';
import { uploadScans } from './uploadScans.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(definitions.channelApplication.setStatus, setStatus),
	formOf(definitions.scan.upload, uploadScans),
];
