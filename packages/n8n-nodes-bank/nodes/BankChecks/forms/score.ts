import { scoreCategory } from '@bank/core';

import type { OperationHooks } from '../../shared/form/operationHooks.ts';

/** 4.17: the response is not shown. The output adds the name of the category if it is one of the three usual ones. */
export const score: OperationHooks = {
	extraFields({ result: { data } }) {
		const category = scoreCategory(data);
		return category === undefined ? {} : { scoreCategory: category };
	},
};
