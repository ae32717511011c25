/** Credential tests reject a base URL that redirects, because the nodes do not follow redirects with a token. */
export const redirectStatuses = [301, 302, 303, 307, 308];

export const redirectRules = redirectStatuses.map((value) => ({
	type: 'responseCode' as const,
	properties: {
		value,
		message: `The base URL redirects elsewhere (${value}). Enter the final URL: the token is not sent to redirect targets.`,
	},
}));
