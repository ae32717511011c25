import { type Dialect, errorBody, firstText, type ServiceError } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** The profile info service (7.6): known by status alone; the body is not shown. */
const listed: readonly ServiceError[] = [
	{ status: 400, what: 'the bank refused the request as invalid', next: ['correctNamedField'] },
	{
		status: 401,
		what: 'wrong client ID, client secret or client certificate',
		next: ['checkGatewayClient'],
	},
	{
		status: 419,
		what: 'the lifetime of the access token has expired',
		next: ['exchangeAgain'],
	},
	{ status: 500, what: 'the system is unavailable', next: ['tryLater', 'askSupport'] },
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
