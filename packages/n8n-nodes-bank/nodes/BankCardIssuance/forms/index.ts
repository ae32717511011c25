import type { Form } from '../../shared/form.ts';
import { setStatus } from './setStatus.ts';
import { uploadScans } from './uploadScans.ts';

/** Operations whose form says more than their schema, by operation id. */
export const forms: Readonly<Record<string, Form>> = {
	'channelApplication.setStatus': setStatus,
	'scan.upload': uploadScans,
};
