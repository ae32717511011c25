import * as v from 'valibot';

import type { ValidationIssue } from '../../validation.ts';
import { day, fields, identifiers } from '../../schemas/fields.ts';

/** The fields that P4 and P5 share. */
export const statementOrder = fields({
	dateBegin: day('Start Date', 'First day of the period'),
	dateEnd: day('End Date', 'Last day of the period'),
	accountIds: v.pipe(
		identifiers('Account', 'Accounts', 'Accounts to cover: a list, or several separated by commas', {
			placeholder: 'e.g. 40702810000000000001, 40702810000000000002',
			holds: 'account',
		}),
		v.minLength(1, 'must contain at least one account'),
	),
});

export const orderAnswers =
	'id of the order, date, and status: ENQUEUED, STARTED, FINISHED, LOADED or ERROR. The statement itself is not in it.';

export function periodIssues(
	begin: string | undefined,
	end: string | undefined,
	endName: string,
	beginName: string,
): ValidationIssue[] {
	return begin !== undefined && end !== undefined && begin > end
		? [{ path: endName, message: `must not be before ${beginName}` }]
		: [];
}

export function statementIssues({ body }: { body: v.InferOutput<typeof statementOrder> }): ValidationIssue[] {
	return periodIssues(body.dateBegin, body.dateEnd, 'dateEnd', 'dateBegin');
}
