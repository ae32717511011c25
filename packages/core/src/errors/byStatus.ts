import { type Dialect, firstText, readCommon } from './dialect.ts';

/** Services whose errors are not described: second card flow, direct debit, trip data. */
export const commonDialect: Dialect = { spec: '7', listed: [], read: readCommon };

/** The card issuance API, first flow (7.5). */
export const cardIssuance: Dialect = {
	spec: '7.5',
	read: readCommon,
	listed: [
		{ status: 400, what: 'the request failed validation', next: ['correctNamedField', 'leaveOutUnknown'] },
		{
			status: 403,
			what:
				'access to the application is denied: wrong client ID, client secret, ' +
				'partner name or application ID, or the calling order was broken',
			next: ['checkApplication'],
		},
		{ status: 409, what: 'the status of the application does not allow this request', next: ['readApplication'] },
		{
			status: 500,
			what: 'the bank reported an internal error, which can mean that the partner is not registered',
			next: ['askRegistration', 'tryLater'],
		},
	],
};

/** The profile info service (7.6). It also issues tokens, whose errors have their code in `error` (RFC 6749, 5.2). */
export const profile: Dialect = {
	spec: '7.6',
	listed: [
		{ status: 400, what: 'the bank refused the request as invalid', next: ['correctNamedField'] },
		{ status: 401, what: 'wrong client ID, client secret or client certificate', next: ['checkGatewayClient'] },
		{ status: 419, what: 'the lifetime of the access token has expired', next: ['exchangeAgain'] },
		{ status: 500, what: 'the system is unavailable', next: ['tryLater', 'askSupport'] },
	],
	read(body) {
		const { code = firstText(body, ['error']), text } = readCommon(body);
		return { code, text };
	},
};
