import type { Explanation } from './dialect.ts';

/** Connection faults that happen before a request can have reached the bank. */
const neverSent: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	EADDRNOTAVAIL: 'the address is not available',
	ERR_INVALID_URL: 'the base URL is not a valid URL',
	ERR_TLS_CERT_ALTNAME_INVALID: "the bank's certificate is for another host name",
	DEPTH_ZERO_SELF_SIGNED_CERT: "the bank's certificate is self-signed and not trusted",
	SELF_SIGNED_CERT_IN_CHAIN: "the bank's certificate comes from an unknown certificate authority",
	UNABLE_TO_GET_ISSUER_CERT: "the bank's certificate comes from an unknown certificate authority",
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the bank's certificate comes from an unknown certificate authority",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the bank's certificate comes from an unknown certificate authority",
	CERT_HAS_EXPIRED: "the bank's certificate has expired",
	CERT_NOT_YET_VALID: "the bank's certificate is not valid yet",
	TOKEN: 'no access token could be had',
	CERTIFICATE: 'the client certificate or its key cannot be used',
	CERTIFICATE_REFUSED: "the bank's server does not accept the client certificate, or demands one",
	TLS: 'no secure connection came about',
};

/** Where the credential is at fault, what to look at in it. */
const ofCredential: Record<string, string> = {
	TOKEN: 'Open the credential: check token URL, client ID, secret and scopes, and connect it again.',
	CERTIFICATE: 'Open the credential: check client certificate, private key and passphrase.',
	CERTIFICATE_REFUSED:
		'Open the credential: check that its client certificate is the one that the bank has registered, and still valid.',
	TLS: 'Check that the base URL begins with https and has the right port; where the bank demands a client certificate, check the one in the credential.',
};

/** Faults after which the request may or may not have been carried out. */
const maybeSent: Record<string, string> = {
	ECONNABORTED: 'the bank did not answer in time',
	ETIMEDOUT: 'the bank did not answer in time',
	ESOCKETTIMEDOUT: 'the bank did not answer in time',
	ECONNRESET: 'the connection broke before the answer was complete',
	EPIPE: 'the connection broke while the request was being sent',
	ERR_BAD_RESPONSE: 'the answer was cut off',
	ERR_CANCELED: 'the execution was stopped while the request was under way',
};

export function wasNeverSent(code: string | undefined): boolean {
	return code !== undefined && Object.hasOwn(neverSent, code);
}

/** A fault that is worth another try for an operation that only reads. */
export function isPassing(code: string | undefined): boolean {
	return (
		code !== 'ERR_CANCELED' &&
		(code === undefined ||
			Object.hasOwn(maybeSent, code) ||
			['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'TLS'].includes(code))
	);
}

export function explainNoAnswer(code: string | undefined): Explanation {
	const said = (words: Record<string, string>) =>
		code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;
	const before = said(neverSent);
	if (before !== undefined) {
		return {
			what: before,
			next:
				ofCredential[code ?? ''] ??
				'Check the base URL and environment of the credential, and that this machine may reach the bank.',
		};
	}
	return {
		what: said(maybeSent) ?? 'the connection failed before an answer came',
		next: 'Check the connection to the bank and run again.',
	};
}
