import { scoreCategory } from '@bank/core';

import type { OperationHooks } from '../../shared/form/operationHooks.ts';

/** 4.17: the answer is not shown; the category is named beside it where there is one of the usual three. */
export const score: OperationHooks = {
	extraFields({ result: { data } }) {
		const category = scoreCategory(data);
		return category === undefined ? {} : { scoreCategory: category };
	},
};
