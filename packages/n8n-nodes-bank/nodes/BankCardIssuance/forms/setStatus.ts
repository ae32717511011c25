import { definitions, finalStages, stages, textOrNumber } from '@bank/core';

import { bindHooks } from '../../shared/pipeline/operationHooks.ts';

/** 3.6: the output says whether the stage is final. */
export const setStatus = bindHooks(definitions.channelApplication.setStatus, {
	async amend(_run, { input }) {
		const sent = textOrNumber(input.unnamedFields?.stage);
		const stage = Object.hasOwn(stages, sent) ? sent : '';
		return { added: { stage, isFinalStage: finalStages.includes(stage) } };
	},
});
