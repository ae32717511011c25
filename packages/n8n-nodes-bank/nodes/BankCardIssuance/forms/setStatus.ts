import { finalStages } from '@bank/core';

import type { Form } from '../../shared/form.ts';
import { rowsOf } from '../../shared/output.ts';

/** 3.6: the output tells whether the stage was a final one. */
export const setStatus: Form = {
	output(_form, { items: [item = 0], input }, { data }) {
		const stage = String(input.nameless?.stage?.value ?? '');
		return rowsOf(data).map((row) => ({ json: { ...row, stage, isFinalStage: finalStages.includes(stage) }, pairedItem: { item } }));
	},
};
