import { finalStages } from '@bank/core';

import type { Form } from '../../shared/form.ts';

/** 3.6: the output tells whether the stage was a final one. */
export const setStatus: Form = {
	more({ job }) {
		const stage = String(job.input.nameless?.stage?.value ?? '');
		return { stage, isFinalStage: finalStages.includes(stage) };
	},
};
