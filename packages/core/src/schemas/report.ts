import * as v from 'valibot';

import { answer } from './fields.ts';

const about = (title: string, description: string) => v.pipe(v.string(), v.title(title), v.description(description));

/** The order of a report (2.5), answered by P4 and P5. How the finished report is retrieved is not shown. */
export const reportOrder = answer({
	id: about('ID', 'Report identifier'),
	date: about('Date', 'Date and time the order was created, ISO 8601 UTC with milliseconds'),
	type: answer({
		code: about(
			'Code',
			'Document type: ufr_stmt_physical_credit_product (credit statement) or ufr_stmt_physical_vypiska (account statement)',
		),
		title: about('Title', 'Document name'),
	}),
	// States of 3.1: ENQUEUED, STARTED, FINISHED, LOADED, ERROR. Text, because a new state must not break reading.
	status: about('Status', 'State of the document: ENQUEUED, STARTED, FINISHED, LOADED or ERROR'),
});
