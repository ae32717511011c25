import { entryScore as dialect } from '../../errors/entryScore.ts';
import { defineOperation } from '../../operation.ts';
import { fields, taxNumber } from '../../schemas/fields.ts';

/**
 * Properties of both operations (4.17): method, request and response are not described; the codes of 7.4 show that the
 * body is a JSON object.
 */
const common = {
	spec: '4.17',
	serviceVersion: '1.0.2',
	auth: 'notShown',
	responseSummary:
		'the response of the bank; scoreCategory green, yellow, red or unclear, if the service details name the field with it.',
	effect: 'read', // "scoring runs on every request": the bank stores nothing, so a request may be repeated
	payload: { required: false },
	verdicts: { field: 'scoreCategory', names: ['green', 'yellow', 'red'] },
	// Checked if the response has a field of this name.
	echoes: ['taxNumber'],
	dialect,
} as const;

const score = (title: string, length: number) =>
	fields({ taxNumber: taxNumber([length], 'Tax Number', `Tax number of the ${title}, ${length} digits`) });

const scoreSoleProprietor = defineOperation({
	...common,
	id: 'entryScore.scoreSoleProprietor',
	action: 'Score sole proprietor',
	description: 'Estimate the compliance risk of a sole proprietor who opens a settlement account',
	path: '/ie/score',
	unnamedFields: score('sole proprietor', 12),
});

const scoreCompany = defineOperation({
	...common,
	id: 'entryScore.scoreCompany',
	action: 'Score company',
	description: 'Estimate the compliance risk of a limited-liability company that opens a settlement account',
	path: '/llc/score',
	unnamedFields: score('company', 10),
});

export const entryScore = { scoreCompany, scoreSoleProprietor };
