import { entryScore as dialect } from '../../errors/entryScore.ts';
import { defineOperation } from '../../operation.ts';
import { fields, taxNumber } from '../../schemas/fields.ts';

/**
 * Shared by both operations (4.17): method, request and response are not described; the codes of 7.4 show that the body
 * is a JSON object.
 */
const common = {
	spec: '4.17',
	serviceVersion: '1.0.2',
	auth: 'notShown',
	responseSummary:
		'scoreCategory green, yellow or red, where the bank names one of these; the rest is as the bank sends it.',
	effect: 'read', // "scoring runs on every request": nothing is stored that a repeat could spoil
	payload: { required: false },
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

const categories = ['green', 'yellow', 'red'];

/** A company may be called Green. */
const isName = /name|title|brand/i;

/** The only category (4.17) anywhere in the response, except in names; undefined unless there is exactly one. */
export function scoreCategory(response: unknown): string | undefined {
	const found = new Set<string>();
	const look = (value: unknown, key = '') => {
		const category = typeof value === 'string' && !isName.test(key) ? value.trim().toLowerCase() : '';
		if (categories.includes(category)) found.add(category);
		if (typeof value === 'object' && value !== null)
			for (const [inner, field] of Object.entries(value)) look(field, Array.isArray(value) ? key : inner);
	};
	look(response);
	return found.size === 1 ? [...found][0] : undefined;
}
