import { definitions, scoreCategory } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';

const { scoreCompany, scoreSoleProprietor } = definitions.entryScore;

/** 4.17: the response is not shown. The output adds the name of the category if it is one of the three usual ones. */
export const scores = [scoreCompany, scoreSoleProprietor].map((operation) =>
	bindHooks(operation, {
		extraFields({ result: { data } }) {
			const category = scoreCategory(data);
			return category === undefined ? {} : { scoreCategory: category };
		},
	}),
);
