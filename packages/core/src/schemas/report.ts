import * as v from 'valibot';

import { responseObject } from './fields.ts';

const about = (title: string, description: string) => v.pipe(v.string(), v.title(title), v.description(description));

/** A report order (2.5), returned by P4 and P5. How to get the finished report is not described. */
export const reportOrder = responseObject({
	id: about('ID', 'Report identifier'),
	date: about('Date', 'Date and time the order was created, ISO 8601 UTC with milliseconds'),
	type: responseObject({
		code: about(
			'Code',
			'Document type: ufr_stmt_physical_credit_product (credit statement) or ufr_stmt_physical_vypiska (account statement)',
		),
		title: about('Title', 'Document name'),
	}),
	// States of 3.1. Not an enum, because a new state must not break reading.
	status: about('Status', 'State of the document: ENQUEUED, STARTED, FINISHED, LOADED or ERROR'),
});
