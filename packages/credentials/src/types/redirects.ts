/** For the tests that n8n makes: a base URL that redirects passes none, because the nodes follow no redirect with a token. */
export const redirectStatuses = [301, 302, 303, 307, 308];

export const redirectRules = redirectStatuses.map((value) => ({
	type: 'responseCode' as const,
	properties: {
		value,
		message: `The base URL redirects elsewhere (${value}). Enter the final address: the token does not follow redirects.`,
	},
}));
