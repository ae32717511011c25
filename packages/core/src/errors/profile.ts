import { type Dialect, errorBody, firstText, type ServiceError } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** The profile info service (7.6): known by status alone; the body is not shown. */
const listed: readonly ServiceError[] = [
	{ status: 400, what: 'the bank refused the request as invalid', next: 'Correct what the bank names and run again.' },
	{
		status: 401,
		what: 'wrong client ID, client secret or client certificate',
		next: 'Open the credential and check the gateway client ID, its secret and the client certificate.',
	},
	{
		status: 419,
		what: 'the lifetime of the access token has expired',
		next: 'Get a new access token: exchange a new authorization code, or use the refresh token, then run again.',
	},
	{ status: 500, what: 'the system is unavailable', next: "Try again later; if it lasts, contact the bank's support." },
];

export const profile: Dialect = {
	spec: '7.6',
	listed,
	read: (body) =>
		errorBody(
			firstText(body, ['code', 'errorCode', 'error']),
			firstText(body, ['error_description', 'message', 'description', 'moreInformation', 'detail']),
		),
	explain: ({ status }) => listed.find((error) => error.status === status) ?? explainStatus(status),
};
