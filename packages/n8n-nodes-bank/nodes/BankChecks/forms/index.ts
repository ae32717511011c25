import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { runChecks } from './runChecks.ts';
import { score } from './score.ts';

/** Operations that need more than the form generated from their schema. */
export const forms = [
	bindHooks(definitions.unifiedCheck.run, runChecks),
	bindHooks(definitions.entryScore.scoreCompany, score),
	bindHooks(definitions.entryScore.scoreSoleProprietor, score),
];
