/** The reason why there was no connection, or no response. */
interface ErrorInfo<Step extends string> {
	/** Completes the sentence "<Operation>: …". */
	what: string;
	next: readonly Step[];
	/** Whether the request may have reached the bank. */
	mayHaveArrived: boolean;
	/** Whether the error is temporary, so that reads may be retried. */
	isTemporary: boolean;
}

/** An error that occurs before the request can reach the bank. */
const before = <Step extends string>(what: string, step: Step, passes = false): ErrorInfo<Step> => ({
	what,
	next: [step],
	mayHaveArrived: false,
	isTemporary: passes,
});

/** An error after which the bank may have processed the request. */
const during = <Step extends string>(what: string, ...next: Step[]): ErrorInfo<Step> => ({
	what,
	next,
	mayHaveArrived: true,
	isTemporary: true,
});

const timeOut = during('the bank did not respond in time', 'checkConnection', 'tryAgain');
const unknownAuthority = before("the bank's certificate comes from an authority that is not trusted", 'trustAuthority');

/**
 * What each error means. The code is that of Node or axios, or our own code if theirs is too general (see
 * `connectionCode`).
 */
export const connectionErrors = {
	ECONNREFUSED: before('the connection was refused', 'checkPort', true),
	ENOTFOUND: before('the host name is unknown', 'checkHost'),
	EAI_AGAIN: before('the host name could not be looked up', 'checkHost', true),
	EHOSTUNREACH: before('the host cannot be reached', 'checkConnection', true),
	ENETUNREACH: before('the network cannot be reached', 'checkConnection', true),
	CONNECT: before('no connection could be established', 'checkConnection', true),
	EADDRNOTAVAIL: before('the address is not available', 'checkConnection'),
	ERR_INVALID_URL: before('the address is not a valid URL', 'checkUrl'),
	ERR_TLS_CERT_ALTNAME_INVALID: before("the bank's certificate is for another host name", 'useGivenHostName'),
	DEPTH_ZERO_SELF_SIGNED_CERT: before("the bank's certificate is self-signed and not trusted", 'trustAuthority'),
	SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
	UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
	CERT_UNTRUSTED: unknownAuthority,
	INVALID_CA: unknownAuthority,
	CERT_HAS_EXPIRED: before("the bank's certificate, or that of its authority, has expired", 'renewAuthority'),
	CERT_NOT_YET_VALID: before("the bank's certificate is not valid yet", 'checkClock'),
	BLOCKED: before('the address is blocked by the SSRF protection of this installation', 'allowAddress'),
	// A proxy that answers instead of the bank, or breaks the connection before it reaches the bank.
	PROXY: before('the proxy in front of the bank refused or broke the connection', 'checkProxyAccess'),
	TOKEN: before('no access token could be obtained', 'fixToken'),
	CERTIFICATE: before('the client certificate or its key cannot be used', 'checkOwnCertificate'),
	CERTIFICATE_REFUSED: before(
		"the bank's server does not accept the client certificate, or demands one",
		'registerCertificate',
	),
	TLS: before('no secure connection could be established', 'checkTls', true),
	NO_TLS: before('the server does not speak TLS on this port', 'checkPlainPort'),
	ECONNABORTED: timeOut,
	ETIMEDOUT: timeOut,
	ESOCKETTIMEDOUT: timeOut,
	ECONNRESET: during('the connection broke before the response was complete', 'checkBreak', 'tryAgain'),
	EPIPE: during('the connection broke while the request was being sent', 'checkBreak', 'tryAgain'),
	ERR_BAD_RESPONSE: during('the response was truncated', 'checkConnection', 'tryAgain'),
	RESPONSE_TOO_LARGE: { ...during('the response is too large', 'askForLess'), isTemporary: false },
	ERR_CANCELED: { ...during('the request was stopped while it was in progress', 'tryAgain'), isTemporary: false },
};

export const unknownError = during('the connection failed before there was a response', 'checkConnection', 'tryAgain');

/**
 * Advice after a failed or broken connection, also to the token server. `connectionMessages` has the sentences, which
 * name a field of a form.
 */
export type ConnectionStep =
	(typeof connectionErrors)[keyof typeof connectionErrors]['next'][number] | 'trustTokenServer' | 'useGivenTokenHost';

export type ConnectionErrorInfo = ErrorInfo<ConnectionStep>;
