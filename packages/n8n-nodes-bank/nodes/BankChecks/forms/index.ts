import { definitions } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { runChecks } from './runChecks.ts';
import { score } from './score.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(definitions.unifiedCheck.run, runChecks),
	formOf(definitions.entryScore.scoreCompany, score),
	formOf(definitions.entryScore.scoreSoleProprietor, score),
];
