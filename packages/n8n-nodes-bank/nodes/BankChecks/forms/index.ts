import type { Form } from '../../shared/form.ts';
import { runChecks } from './runChecks.ts';
import { score } from './score.ts';

/** Operations whose form says more than their schema, by operation id. */
export const forms: Readonly<Record<string, Form>> = {
	'unifiedCheck.run': runChecks,
	'entryScore.scoreCompany': score,
	'entryScore.scoreSoleProprietor': score,
};
