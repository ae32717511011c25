import { scoreCategory } from '@bank/core';

import type { Form } from '../../shared/form.ts';
import { rowsOf } from '../../shared/output.ts';

/** 4.17: the answer is not shown; the category is named beside it where there is one of the usual three. */
export const score: Form = {
	output(_form, { items: [item = 0] }, { data }) {
		const category = scoreCategory(data);
		return rowsOf(data).map((row) => ({ json: { ...row, ...(category === undefined ? {} : { scoreCategory: category }) }, pairedItem: { item } }));
	},
};
