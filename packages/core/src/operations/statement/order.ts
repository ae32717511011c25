import * as v from 'valibot';

import type { ValidationIssue } from '../../validation.ts';
import { day, fields, identifiers, responseObject, text } from '../../schemas/fields.ts';

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

/** A report order (2.5), returned by P4 and P5. How to get the finished report is not described. */
export const reportOrder = responseObject({
	id: text('ID', 'Report identifier'),
	date: text('Date', 'Date and time the order was created, ISO 8601 UTC with milliseconds'),
	type: responseObject({
		code: text(
			'Code',
			'Document type: ufr_stmt_physical_credit_product (credit statement) or ufr_stmt_physical_vypiska (account statement)',
		),
		title: text('Title', 'Document name'),
	}),
	// States of 3.1. Not an enum, because a new state must not break reading.
	status: text('Status', 'State of the document: ENQUEUED, STARTED, FINISHED, LOADED or ERROR'),
});

export const orderSummary =
	'id of the order, date, and status: ENQUEUED, STARTED, FINISHED, LOADED or ERROR. The statement itself is not in it.';

export function periodIssues(path: string, begin: string | undefined, end: string | undefined): ValidationIssue[] {
	return begin !== undefined && end !== undefined && begin > end
		? [{ path, message: 'must not be before the first day', value: end }]
		: [];
}

export function statementIssues({ body }: { body: v.InferOutput<typeof statementOrder> }): ValidationIssue[] {
	return periodIssues('dateEnd', body.dateBegin, body.dateEnd);
}
