import { verbatim } from '../text.ts';
import { isRecord } from '../json.ts';
import type { Operation } from '../operation.ts';
import { type BankFailure, createFailure } from './bankErrors.ts';
import { isTemporaryStatus, safeSteps } from './failureDetails.ts';
import { type ConnectionErrorInfo, connectionErrors, type ConnectionStep, unknownError } from './connectionErrors.ts';
import type { NextStep } from './nextSteps.ts';
import { excerpt } from './redact.ts';

const errorInfos: ReadonlyMap<string, ConnectionErrorInfo> = new Map(Object.entries(connectionErrors));
export const connectionCodes: readonly string[] = [...errorInfos.keys()];

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
const tokenSteps: Partial<Record<ConnectionStep, ConnectionStep>> = {
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
