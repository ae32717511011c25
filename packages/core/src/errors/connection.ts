import { verbatim } from '../text.ts';
import { isRecord } from '../json.ts';
import type { ConnectionStep } from './nextSteps.ts';

/** Why no answer came, or not even a connection. */
export interface ConnectionFault {
	/** What happened, as the end of the sentence "<Operation>: …". */
	what: string;
	next: readonly ConnectionStep[];
	/** Whether a request may have reached the bank before. */
	mayHaveArrived: boolean;
	/** Worth another try for an operation that only reads. */
	passes: boolean;
}

/** Comes before a request can have reached the bank. */
const before = (what: string, step: ConnectionStep, passes = false): ConnectionFault => ({
	what,
	next: [step],
	mayHaveArrived: false,
	passes,
});

/** Afterwards the request may or may not have been carried out. */
const during = (what: string, ...next: ConnectionStep[]): ConnectionFault => ({
	what,
	next,
	mayHaveArrived: true,
	passes: true,
});

const timeOut = during('the bank did not answer in time', 'checkConnection', 'tryAgain');
const unknownAuthority = before("the bank's certificate comes from an authority that is not trusted", 'trustAuthority');

/** By code: Node's, axios's, or ours where theirs say too little (see `connectionCode`). */
const faults: ReadonlyMap<string, ConnectionFault> = new Map(
	Object.entries({
		ECONNREFUSED: before('the connection was refused', 'checkPort', true),
		ENOTFOUND: before('the host name is unknown', 'checkHost'),
		EAI_AGAIN: before('the host name could not be looked up', 'checkHost', true),
		EHOSTUNREACH: before('the host cannot be reached', 'checkConnection', true),
		ENETUNREACH: before('the network cannot be reached', 'checkConnection', true),
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
		TOKEN: before('no access token could be had', 'fixToken'),
		CERTIFICATE: before('the client certificate or its key cannot be used', 'checkOwnCertificate'),
		CERTIFICATE_UNSUPPORTED: before(
			'the client certificate is locked in a way that is no longer supported, such as RC2',
			'convertCertificate',
		),
		CERTIFICATE_REFUSED: before(
			"the bank's server does not accept the client certificate, or demands one",
			'registerCertificate',
		),
		TLS: before('no secure connection came about', 'checkTls', true),
		NO_TLS: before('the server does not speak TLS on this port', 'checkPlainPort'),
		ECONNABORTED: timeOut,
		ETIMEDOUT: timeOut,
		ESOCKETTIMEDOUT: timeOut,
		ECONNRESET: during('the connection broke before the answer was complete', 'checkBreak', 'tryAgain'),
		EPIPE: during('the connection broke while the request was being sent', 'checkBreak', 'tryAgain'),
		ERR_BAD_RESPONSE: during('the answer was cut off', 'checkConnection', 'tryAgain'),
		ANSWER_TOO_LARGE: { ...during('the answer is too large', 'askForLess'), passes: false },
		ERR_CANCELED: { ...during('the call was stopped while it was under way', 'tryAgain'), passes: false },
	}),
);

/** Every code that is known here. */
export const connectionCodes: readonly string[] = [...faults.keys()];

const nameless = during('the connection failed before an answer came', 'checkConnection', 'tryAgain');

/** What a code stands for. One that is not known here says neither what may have arrived nor that it passes. */
export function connectionFault(code: string | undefined): ConnectionFault {
	return code === undefined ? nameless : (faults.get(code) ?? { ...nameless, passes: false });
}

/**
 * The code of what Node, OpenSSL or axios threw where no answer came, one of our own where that tells more; undefined where it has
 * none.
 */
export function connectionCode(error: unknown): string | undefined {
	const thrown = isRecord(error) ? error : {};
	const code = typeof thrown.code === 'string' ? thrown.code : undefined;
	const message = verbatim(thrown.message);
	if (isUnknownFile(thrown.code, message)) return 'CERTIFICATE_UNSUPPORTED';
	if (isUnusableCertificate(thrown.code, message)) return 'CERTIFICATE';
	if (refusesCertificate(code, message)) return 'CERTIFICATE_REFUSED';
	// A way that is lost after the connection had stood says nothing of what went over it before.
	if ((code === 'EHOSTUNREACH' || code === 'ENETUNREACH') && !isConnecting(thrown)) return 'ECONNRESET';
	if (!isHandshake(thrown) || !saysLittle(code)) return code;
	return /wrong version number|packet length too long|http request/i.test(message) ? 'NO_TLS' : 'TLS';
}

/** Whether it was the attempt to connect that failed, to one address of the host or to each of several (Node's `errors`). */
function isConnecting({ syscall, errors, cause }: Record<string, unknown>): boolean {
	if (syscall !== undefined) return syscall === 'connect';
	const attempts = [cause, ...(Array.isArray(errors) ? errors : [])].filter(isRecord);
	return attempts.length > 0 && attempts.every(isConnecting);
}

/** A certificate of the bank that is not trusted also ends the handshake, and has a code that says more. */
function saysLittle(code: string | undefined): boolean {
	return code === undefined || /^(?:ECONNRESET|ECONNABORTED|EPIPE|EPROTO|ETIMEDOUT|ERR_SSL_\w+)$/.test(code);
}

/** Whether the connection ended while it was being secured: nothing of the request has left this machine. */
function isHandshake({ request }: Record<string, unknown>): boolean {
	return isRecord(request) && isRecord(request.socket) && request.socket.secureConnecting === true;
}

/** The numbers of TLS alerts (RFC 8446, 6.2) by which a server says no to a client certificate, or to its absence. */
const certificateAlerts = new Set([40, 41, 42, 43, 44, 45, 46, 48, 49, 116]);

/**
 * Whether the server has ended the TLS handshake because of the client certificate. With TLS 1.3 the client learns of it after it has
 * sent its request, which the server cannot have read: it reads nothing before it has accepted the certificate.
 */
function refusesCertificate(code: string | undefined, message: string): boolean {
	if (code === undefined || !/^(?:ERR_SSL_\w*ALERT|EPROTO$)/.test(code)) return false;
	const number = /alert number (\d+)/.exec(message)?.[1];
	return number === undefined
		? /certificate|unknown[_ ]ca|access[_ ]denied|handshake[_ ]failure/i.test(`${code} ${message}`)
		: certificateAlerts.has(Number(number));
}

/** A PFX file that is locked in a way which OpenSSL has given up, such as RC2. Thrown before there is a connection. */
function isUnknownFile(code: unknown, message: string): boolean {
	const isUnsupported = code === 'ERR_OSSL_UNSUPPORTED' || code === 'ERR_CRYPTO_UNSUPPORTED_OPERATION';
	return isUnsupported || /^unsupported PKCS12/i.test(message.trim());
}

/** What OpenSSL says where it cannot open a PFX file; it has no codes for that. */
const unopenedFile =
	/^(?:mac verify failure|not enough data|wrong tag|header too long|too long|PKCS12 \w+|unable to (?:load|parse) PFX.*|asn1 .*)$/i;

/** A key or certificate of ours that OpenSSL cannot use. It throws before there is a connection. */
function isUnusableCertificate(code: unknown, message: string): boolean {
	return code === undefined ? unopenedFile.test(message.trim()) : String(code).startsWith('ERR_OSSL_');
}
