import { verbatim } from '../text.ts';
import { isRecord } from '../json.ts';
import type { Operation } from '../operation.ts';
import { type BankFailure, createFailure } from './bankErrors.ts';
import { isTemporaryStatus, safeSteps } from './failureDetails.ts';
import type { ConnectionStep, NextStep } from './nextSteps.ts';
import { excerpt } from './redact.ts';

/** The reason why there was no connection, or no response. */
export interface ConnectionErrorInfo {
	/** Completes the sentence "<Operation>: …". */
	what: string;
	next: readonly ConnectionStep[];
	/** Whether the request may have reached the bank. */
	mayHaveArrived: boolean;
	/** Whether the error is temporary, so that reads may be retried. */
	isTemporary: boolean;
}

/** An error that occurs before the request can reach the bank. */
const before = (what: string, step: ConnectionStep, passes = false): ConnectionErrorInfo => ({
	what,
	next: [step],
	mayHaveArrived: false,
	isTemporary: passes,
});

/** An error after which the bank may have processed the request. */
const during = (what: string, ...next: ConnectionStep[]): ConnectionErrorInfo => ({
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
const errorInfos: ReadonlyMap<string, ConnectionErrorInfo> = new Map(
	Object.entries({
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
	}),
);

export const connectionCodes: readonly string[] = [...errorInfos.keys()];

const unknownError = during('the connection failed before there was a response', 'checkConnection', 'tryAgain');

/** An unknown code means that the request may have arrived and that a retry does not help. */
export function connectionErrorInfo(code: string | undefined): ConnectionErrorInfo {
	return code === undefined ? unknownError : (errorInfos.get(code) ?? { ...unknownError, isTemporary: false });
}

/** The code of an error thrown by Node, OpenSSL or axios, or our own code if that is more specific. */
export function connectionCode(error: unknown): string | undefined {
	const thrown = isRecord(error) ? error : {};
	const code = typeof thrown.code === 'string' ? thrown.code : undefined;
	const message = verbatim(thrown.message);
	// The SSRF protection blocks before connecting. Its error has no code.
	if (message.startsWith('The request was blocked because')) return 'BLOCKED';
	if (message.includes('Proxy connection ended before receiving CONNECT response')) return 'PROXY';
	// OpenSSL cannot use our key or certificate. Thrown before connecting.
	if (code?.startsWith('ERR_OSSL_') === true) return 'CERTIFICATE';
	if (isCertificateRejection(code, message)) return 'CERTIFICATE_REFUSED';
	// If the route is lost after connecting, the request may already have been sent.
	if ((code === 'EHOSTUNREACH' || code === 'ENETUNREACH') && !isConnecting(thrown)) return 'ECONNRESET';
	// For example a time-out while connecting, or EPERM of a firewall.
	if (isConnecting(thrown) && connectionErrorInfo(code).mayHaveArrived) return 'CONNECT';
	if (!isHandshake(thrown) || !isGenericCode(code)) return code;
	return /wrong version number|packet length too long|http request/i.test(message) ? 'NO_TLS' : 'TLS';
}

/** Whether connecting itself failed, to one address of the host or to each of several (Node's `errors`). */
function isConnecting({ syscall, errors, cause }: Record<string, unknown>): boolean {
	if (syscall !== undefined) return syscall === 'connect';
	const attempts = [cause, ...(Array.isArray(errors) ? errors : [])].filter(isRecord);
	return attempts.length > 0 && attempts.every(isConnecting);
}

/**
 * Whether a code may mean any failure of a connection. A rejected certificate also ends the handshake, but has its own
 * code.
 */
function isGenericCode(code: string | undefined): boolean {
	return code === undefined || /^(?:ECONNRESET|ECONNABORTED|EPIPE|EPROTO|ETIMEDOUT|ERR_SSL_\w+)$/.test(code);
}

/** Whether the TLS handshake was incomplete, so that no part of the request was sent. */
function isHandshake({ request }: Record<string, unknown>): boolean {
	return isRecord(request) && isRecord(request.socket) && request.socket.secureConnecting === true;
}

/** TLS alerts (RFC 8446, 6.2) for a rejected or missing client certificate. */
const certificateAlerts = new Set([40, 41, 42, 43, 44, 45, 46, 48, 49, 116]);

/**
 * Whether the server ended the TLS handshake because of the client certificate. With TLS 1.3 the client learns this
 * only after sending the request, but the server reads nothing before it has accepted the certificate.
 */
function isCertificateRejection(code: string | undefined, message: string): boolean {
	if (code === undefined || !/^(?:ERR_SSL_\w*ALERT|EPROTO$)/.test(code)) return false;
	const number = /alert number (\d+)/.exec(message)?.[1];
	return number === undefined
		? /certificate|unknown[_ ]ca|access[_ ]denied|handshake[_ ]failure/i.test(`${code} ${message}`)
		: certificateAlerts.has(Number(number));
}

/** Whether the bank or the network was temporarily unavailable, which says nothing about the request itself. */
export function isTemporarilyUnavailable({ details: { httpStatus, code } }: BankFailure): boolean {
	return httpStatus === undefined ? connectionErrorInfo(code).isTemporary : isTemporaryStatus(httpStatus);
}

/** The result of `Send` if no response arrived. `code` is one of `connectionCode`, or `TOKEN`. */
export interface TransportError {
	code?: string;
	message?: string;
	/** The message already contains advice. */
	isAdvised?: boolean;
	/** Why the token request failed: one of `connectionCode`. */
	reason?: string;
}

/** Replacement steps if the token server cannot be reached. */
const tokenSteps: Partial<Record<NextStep, NextStep>> = {
	trustAuthority: 'trustTokenServer',
	useGivenHostName: 'useGivenTokenHost',
};

function stepsAfter({ isAdvised = false, reason }: TransportError, next: readonly NextStep[]): readonly NextStep[] {
	if (isAdvised) return [];
	const instead = connectionErrorInfo(reason).next.flatMap((step) => tokenSteps[step] ?? []);
	return instead.length === 0 ? next : instead;
}

export function createNoAnswerError(operation: Operation, error: TransportError): BankFailure {
	const { what, next, mayHaveArrived, isTemporary } = connectionErrorInfo(error.code);
	const outcome = operation.effect === 'read' ? 'nothingChanged' : mayHaveArrived ? 'unknown' : 'notSent';
	return createFailure(operation, outcome, what, {
		kind: 'noAnswer',
		code: error.code,
		// Long enough for messages of token requests, which end with advice.
		words: excerpt(error.message ?? '', 1000),
		next: safeSteps(outcome, stepsAfter(error, next)),
		retryable: operation.effect === 'read' && isTemporary,
	});
}
