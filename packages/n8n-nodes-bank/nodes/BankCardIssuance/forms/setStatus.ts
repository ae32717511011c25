import { finalStages } from '@bank/core';

import type { OperationHooks } from '../../shared/form/operationHooks.ts';

/** 3.6: the output says whether the stage is final. */
export const setStatus: OperationHooks = {
	extraFields({ job }) {
		const stage = String(job.input.unnamedFields?.stage?.value ?? '');
		return { stage, isFinalStage: finalStages.includes(stage) };
	},
};
