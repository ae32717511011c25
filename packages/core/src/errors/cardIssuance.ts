import type { Dialect, ServiceError } from './dialect.ts';
import { readUnknown } from './notListed.ts';
import { explainStatus } from './rest.ts';

/** The card issuance API, first flow (7.5): known by status alone; the body is not shown. */
const listed: readonly ServiceError[] = [
	{
		status: 400,
		what: 'the request failed validation',
		next: 'Correct what the bank names. Optional fields for which there is no information must be absent.',
	},
	{
		status: 403,
		what: 'access to the application is denied: wrong client ID, client secret, partner name or application ID, or the calling order was broken',
		next: 'Check the application ID and the credential.',
	},
	{
		status: 409,
		what: 'the status of the application does not allow this request',
		next: 'Read what the application has come to, such as the result of the step before, and go on from there.',
	},
	{
		status: 500,
		what: 'the bank reported an internal error, as it does where the partner is not registered',
		next: 'Ask the bank whether you are registered for card issuance in this environment; else try again later.',
	},
];

export const cardIssuance: Dialect = {
	spec: '7.5',
	listed,
	read: readUnknown,
	explain: ({ status }) => listed.find((error) => error.status === status) ?? explainStatus(status),
};
