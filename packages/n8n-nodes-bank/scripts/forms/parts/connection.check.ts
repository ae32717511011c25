import type { FormParts } from '../formParts.ts';

/** Written by hand because the output is not the bank's response. */
export const parts: FormParts = {
	item: {
		ok: true,
		credential: 'bankHostToHostOAuth2Api',
		environment: 'production',
		host: 'bank.example.com',
		token: 'valid',
		tokenEndsAt: '2026-11-22T10:00:00.000Z',
		scopes: ['operations-history'],
		missingScopes: ['limits-control'],
		certificate: { subject: 'CN=Partner', validUntil: '2027-03-01T00:00:00.000Z', daysLeft: 99 },
		clockDifferenceSeconds: 0,
		untested: [],
		serviceDetails: {
			ready: ['profile.exchangeCode'],
			lacking: [{ operation: 'trip.send', missing: ['method', 'path', 'fields'] }],
		},
		problems: [],
	},
	returns: 'One item, also if there is a problem: [fields](credentials.md#check).',
};
