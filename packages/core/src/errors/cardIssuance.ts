import type { Dialect, ServiceError } from './dialect.ts';
import { readUnknown } from './notListed.ts';
import { explainStatus } from './rest.ts';

/** The card issuance API, first flow (7.5): known by status alone; the body is not shown. */
const listed: readonly ServiceError[] = [
	{
		status: 400,
		what: 'the request failed validation',
		next: ['correctNamedField', 'leaveOutUnknown'],
	},
	{
		status: 403,
		what:
			'access to the application is denied: wrong client ID, client secret, ' +
			'partner name or application ID, or the calling order was broken',
		next: ['checkApplication'],
	},
	{
		status: 409,
		what: 'the status of the application does not allow this request',
		next: ['readApplication'],
	},
	{
		status: 500,
		what: 'the bank reported an internal error, which can mean that the partner is not registered',
		next: ['askRegistration', 'tryLater'],
	},
];

export const cardIssuance: Dialect = {
	spec: '7.5',
	listed,
	read: readUnknown,
	explain: ({ status }) => listed.find((error) => error.status === status) ?? explainStatus(status),
};
