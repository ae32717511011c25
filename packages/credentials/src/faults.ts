import { excerpt } from '@bank/core';

/**
 * What is wrong with a credential, and what to do. Carries neither `code` nor `response`: n8n would show these, or its own words
 * for them, instead of the message.
 */
export class CredentialFault extends Error {
	override name = 'BankCredentialFault';
	/** What is wrong, without a full stop. */
	what: string;
	/** What to do, in whole sentences. */
	next: string;

	constructor(what: string, next: string) {
		super(`${what}. ${next}`);
		this.what = what;
		this.next = next;
	}
}

/** By its name: n8n may have loaded the class twice. */
export function isCredentialFault(error: unknown): error is CredentialFault {
	return error instanceof Error && error.name === 'BankCredentialFault';
}

/** Error numbers that n8n looks for anywhere in a message, to put words of its own in the place of all of it (n8n-workflow, node.error). */
const replacedByN8n =
	/ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ERRADDRINUSE|EADDRNOTAVAIL|ECONNABORTED|EHOSTUNREACH|EAI_AGAIN|ENOENT|EISDIR|ENOTDIR|EACCES|EEXIST|EPERM|GETADDRINFO/gi;

/** Words of others, fit to stand in a message: no secrets, one line, nothing that n8n replaces. */
export function quoted(text: string): string {
	return excerpt(text.replace(replacedByN8n, ''), 200);
}

/** What n8n's HTTP helper throws when no answer came. */
interface Thrown {
	message?: string;
	code?: unknown;
	request?: { socket?: { secureConnecting?: boolean } };
}

/** Where a connection was to lead. */
export interface Target {
	/** The field of the form, for example `Access Token URL`. */
	field: string;
	url: string;
	hasCertificate: boolean;
}

const passphrase = 'Correct the Certificate Passphrase, or paste the file again.';
const askForCa =
	'If the bank has its own certificate authority, paste its certificate (PEM) into CA of the Bank. If something is there already, it is not the authority that has issued the certificate of this server, or a part of the chain is missing.';

/** A connection that did not come about, or broke, in words that name the field and the next step. */
export function connectionFault(error: unknown, target: Target): CredentialFault {
	if (isCredentialFault(error)) return error;
	const thrown = error as Thrown;
	const code = typeof thrown.code === 'string' ? thrown.code : '';
	const message = thrown.message ?? '';
	const { field, hasCertificate } = target;
	const host = hostOf(target.url);
	const network = 'Check that this machine may reach the bank (firewall, proxy, VPN).';
	const fault = (what: string, next: string) => new CredentialFault(what, next);

	switch (true) {
		case code === 'ENOTFOUND' || code === 'EAI_AGAIN':
			return fault(`The host ${host} in ${field} is unknown`, `Correct ${field}. If it is right: ${network}`);
		case code === 'ECONNREFUSED':
			return fault(
				`The server ${host} in ${field} refused the connection`,
				`Check host and port of ${field}. ${network}`,
			);
		case code === 'ECONNABORTED' || code === 'ETIMEDOUT' || code === 'ERR_CANCELED':
			return fault(`The server ${host} in ${field} did not answer in time`, network);
		case code === 'EHOSTUNREACH' || code === 'ENETUNREACH':
			return fault(`The server ${host} in ${field} cannot be reached`, network);
		case code === 'ERR_TLS_CERT_ALTNAME_INVALID':
			return fault(
				`The certificate of the server is not for the host ${host} of ${field}`,
				`Enter the host name as the bank gave it to you in ${field}, not an IP address or another name of the same server.`,
			);
		case code === 'CERT_HAS_EXPIRED':
			return fault(
				`The certificate of the bank's server ${host}, or of its authority, has expired`,
				'Tell the bank, or paste the present certificate of its authority into CA of the Bank. Check the clock of this machine as well.',
			);
		case code === 'CERT_NOT_YET_VALID':
			return fault(
				`The certificate of the bank's server ${host} is not valid yet`,
				'Check the clock of this machine; if it is right, tell the bank.',
			);
		case unknownAuthority.has(code):
			return fault(`The certificate of the server ${host} comes from an authority that is not trusted`, askForCa);
		case isUnusablePfx(error):
			return fault('Client Certificate (PFX) cannot be opened: wrong passphrase, or not a whole PFX file', passphrase);
		case code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH':
			return fault(
				'Private Key does not belong to Client Certificate',
				'Paste the key that the certificate was requested with.',
			);
		case code === 'ERR_OSSL_UNSUPPORTED':
			return fault(
				'The client certificate is locked in a way that this machine no longer supports',
				'Convert the file with a newer encryption, or to PEM ("openssl pkcs12 -legacy"), and paste the result.',
			);
		case code.startsWith('ERR_OSSL_'):
			return fault('The client certificate or its key cannot be used', passphrase);
		case refusesCertificate(error) && !hasCertificate:
			return fault(
				`The server ${host} demands a client certificate`,
				'Switch on Client Certificate and enter the one that the bank has registered for you.',
			);
		case refusesCertificate(error):
			return fault(
				`The server ${host} does not accept the client certificate`,
				'Check with the bank that this very certificate is registered for you and in force, and paste it with its intermediate certificates.',
			);
		case /wrong version number|packet length too long|http request/i.test(message):
			return fault(
				`The server ${host} in ${field} does not speak TLS on this port`,
				`Check the port of ${field}, and whether the address begins with http or https.`,
			);
		case isHandshake(error) || /^ERR_SSL_|^EPROTO$/.test(code):
			return fault(
				`No secure connection to ${host} came about: the server broke it off`,
				hasCertificate
					? 'Probably it does not accept the client certificate: check with the bank that it is registered for you.'
					: 'Probably it demands a client certificate: ask the bank, and switch on Client Certificate.',
			);
		case code === 'ECONNRESET' || code === 'EPIPE':
			return fault(
				`The server ${host} in ${field} closed the connection without an answer`,
				!/^https:/i.test(target.url)
					? `Check ${field}, and whether the address must begin with https.`
					: hasCertificate
						? 'Probably it does not accept the client certificate (expired, revoked or not registered): check with the bank.'
						: 'Probably it demands a client certificate: ask the bank, and switch on Client Certificate.',
			);
		default: {
			const words = quoted(message);
			return fault(
				`The request to ${host} in ${field} did not succeed${words === '' ? '' : `: "${words}"`}`,
				`Check ${field}. ${network}`,
			);
		}
	}
}

const unknownAuthority = new Set([
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'CERT_UNTRUSTED',
	'INVALID_CA',
]);

/** The numbers of TLS alerts (RFC 8446, 6.2) by which a server says no to a client certificate, or to its absence. */
const certificateAlerts = new Set([40, 41, 42, 43, 44, 45, 46, 48, 49, 116]);

/**
 * Whether the server has ended the TLS handshake because of the client certificate. With TLS 1.3 the client learns of it after it has
 * sent its request, which the server cannot have read: it reads nothing before it has accepted the certificate.
 */
export function refusesCertificate(error: unknown): boolean {
	const { code, message = '' } = error as Thrown;
	if (!/^(?:ERR_SSL_\w*ALERT|EPROTO$)/.test(String(code))) return false;
	const number = /alert number (\d+)/.exec(message)?.[1];
	return number === undefined
		? /certificate|unknown[_ ]ca|access[_ ]denied|handshake[_ ]failure/i.test(`${String(code)} ${message}`)
		: certificateAlerts.has(Number(number));
}

/** Whether the connection ended while it was being secured: nothing of the request has left this machine. */
export function isHandshake(error: unknown): boolean {
	return (error as Thrown).request?.socket?.secureConnecting === true;
}

/** A key or certificate of ours that OpenSSL cannot use. It throws before there is a connection, for PFX without any code. */
export function isUnusableCertificate(error: unknown): boolean {
	const { code } = error as Thrown;
	return isUnusablePfx(error) || (typeof code === 'string' && code.startsWith('ERR_OSSL_'));
}

function isUnusablePfx(error: unknown): boolean {
	const { code, message = '' } = error as Thrown;
	return (
		code === undefined &&
		/^(?:mac verify failure|not enough data|wrong tag|header too long|too long|PKCS12 \w+|unable to (?:load|parse) PFX.*|asn1 .*)$/i.test(
			message.trim(),
		)
	);
}

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return 'of the address';
	}
}
