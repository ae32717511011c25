import type { FormParts } from '../../shared/form/formParts.ts';

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
	returns:
		'One item, also where something is wrong: `ok` is false then, and each of `problems` says what and what to do. `token` is `valid`, ' +
		'`renewed` (the check got a new one, and the bank takes it), `refused`, `missing` (none could be had), `untested` (it did not come to ' +
		'that) or `none` (the type has none); `tokenEndsAt` is until when it is used. `scopes` are those granted, `missingScopes` those that ' +
		'operations need or the credential asks for and the token has not. What the bank does not tell is null. `certificate` is absent where ' +
		'there is none; `validUntil` and `daysLeft` are the soonest of its chain. `clockDifferenceSeconds` is how far the clock of n8n is ' +
		'ahead of that of the bank. `untested` says what this check could not prove. `serviceDetails` lists the operations of partner ' +
		'services that are ready to use with this credential, and what its Service Details lack for the others.',
};
