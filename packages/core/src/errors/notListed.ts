import { type Dialect, type ErrorBody, errorBody, firstText } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** Bodies whose shape is not shown: code and words by the names that are common. */
export function readUnknown(body: unknown): ErrorBody {
	return errorBody(
		firstText(body, ['code', 'errorCode']),
		firstText(body, [
			'message',
			'error_description',
			'errorMessage',
			'description',
			'moreInformation',
			'detail',
			'error',
		]),
	);
}

/** The services whose errors are not shown: second card flow, direct debit, trip data. By status, with the bank's own words. */
export const notListed: Dialect = {
	spec: '7',
	listed: [],
	read: readUnknown,
	explain: ({ status }) => explainStatus(status),
};
