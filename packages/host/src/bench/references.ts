/** Value of a node's `credentials` that refers to a credential of the benchmark. */
export const reference = (id: string) => ({ id, name: id });

export const references = {
	hostToHost: { bankHostToHostOAuth2Api: reference('benchHostToHost') },
	mutualTls: { bankHostToHostOAuth2Api: reference('benchHostToHostTls') },
	authorizationCode: { bankAuthorizationCodeOAuth2Api: reference('benchAuthorizationCode') },
	clientCredentials: { bankClientCredentialsOAuth2Api: reference('benchClientCredentials') },
	/** n8n's own credential types, for the HTTP Request node. */
	oAuth2: { oAuth2Api: reference('benchOAuth2') },
	certificate: { httpSslAuth: reference('benchCertificate') },
} as const;
