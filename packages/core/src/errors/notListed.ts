import { type Dialect, type ErrorBody, errorBody, firstText } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** Reads a body whose shape is not described, by common field names. */
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

/**
 * For services whose errors are not described (second card flow, direct debit, trip data): explained by status, with
 * the bank's text.
 */
export const notListed: Dialect = {
	spec: '7',
	listed: [],
	read: readUnknown,
	explain: ({ status }) => explainStatus(status),
};
