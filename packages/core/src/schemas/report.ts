import { responseObject, text } from './fields.ts';

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
