import { operationById } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { runChecks } from './runChecks.ts';
import { score } from './score.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(operationById('unifiedCheck.run'), runChecks),
	formOf(operationById('entryScore.scoreCompany'), score),
	formOf(operationById('entryScore.scoreSoleProprietor'), score),
];
