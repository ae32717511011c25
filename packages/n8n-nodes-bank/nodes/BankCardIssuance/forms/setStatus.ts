import { definitions, finalStages, stages, textOrNumber } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';

/** 3.6: the output says whether the stage is final. */
export const setStatus = bindHooks(definitions.channelApplication.setStatus, {
	extraFields({ job }) {
		// The service details may put the stage into the path.
		const sent = [job.input.unnamedFields?.stage?.value, ...Object.values(job.input.path ?? {})].map(textOrNumber);
		const stage = sent.find((value) => Object.hasOwn(stages, value)) ?? '';
		return { stage, isFinalStage: finalStages.includes(stage) };
	},
});
