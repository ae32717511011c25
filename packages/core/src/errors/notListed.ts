import type { Operation } from '../operation.ts';
import { type Dialect, type ErrorBody, errorBody, firstText } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** Bodies whose shape is not shown: code and words by the names that are common. */
export function readUnknown(body: unknown): ErrorBody {
	return errorBody(firstText(body, ['code', 'errorCode']), firstText(body, ['message', 'error_description', 'errorMessage', 'description', 'moreInformation', 'detail', 'error']));
}

/** 403 and 409 may mean a step out of turn: the operation tells its turn, so that nobody must look it up. */
export function turnOf(status: number, { order }: Operation): string {
	return order !== undefined && (status === 403 || status === 409) ? ` Its place in the calling order: ${order}.` : '';
}

/** The services whose errors are not shown: second card flow, direct debit, trip data. By status, with the bank's own words. */
export const notListed: Dialect = {
	spec: '7',
	listed: [],
	read: readUnknown,
	explain({ status }, operation) {
		const { what, next } = explainStatus(status);
		return { what, next: next + turnOf(status, operation) };
	},
};
