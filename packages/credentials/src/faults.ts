import { connectionCode, connectionCodes, connectionFault, excerpt, type Hide, isRecord, verbatim } from '@bank/core';

import { connectionTexts, type Target } from './words.ts';

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

/**
 * Error numbers that n8n looks for anywhere in a message, to put words of its own in the place of all of it
 * (n8n-workflow, node.error).
 */
const replacedByN8n = new RegExp(
	[
		'ECONNREFUSED',
		'ECONNRESET',
		'ENOTFOUND',
		'ETIMEDOUT',
		'ERRADDRINUSE',
		'EADDRNOTAVAIL',
		'ECONNABORTED',
		'EHOSTUNREACH',
		'EAI_AGAIN',
		'ENOENT',
		'EISDIR',
		'ENOTDIR',
		'EACCES',
		'EEXIST',
		'EPERM',
		'GETADDRINFO',
	].join('|'),
	'gi',
);

/** Words of others, fit to stand in a message: no secrets, one line, nothing that n8n replaces. */
export function quoted(text: string, hide?: Hide): string {
	return excerpt(text.replace(replacedByN8n, ''), 200, hide);
}

/** A connection that did not come about, or broke, in words that name the field and the next step. */
export function brokenConnection(error: unknown, target: Required<Target>, hide?: Hide): CredentialFault {
	if (isCredentialFault(error)) return error;
	const thrown = isRecord(error) ? error : {};
	const code = connectionCode(thrown);
	if (code === 'CERTIFICATE') return unusableCertificate(thrown.code);
	const { what, next } = connectionFault(code);
	const words = connectionCodes.includes(code ?? '') ? '' : quoted(verbatim(thrown.message), hide);
	const texts = connectionTexts(target);
	return new CredentialFault(
		`The request to ${hostOf(target.url)} (${target.field}) did not succeed: ${words === '' ? what : `"${words}"`}`,
		next.map((step) => texts[step]).join(' '),
	);
}

/** What OpenSSL says of the client certificate. Of a PFX file it says so without a code. */
function unusableCertificate(code: unknown): CredentialFault {
	const again = 'Correct the Certificate Passphrase, or paste the file again.';
	switch (code) {
		case undefined:
			return new CredentialFault(
				'Client Certificate (PFX) cannot be opened: wrong passphrase, or not a whole PFX file',
				again,
			);
		case 'ERR_OSSL_X509_KEY_VALUES_MISMATCH':
			return new CredentialFault(
				'Private Key does not belong to Client Certificate',
				'Paste the key that the certificate was requested with.',
			);
		case 'ERR_OSSL_UNSUPPORTED':
			return new CredentialFault(
				'The client certificate is locked in a way that this machine no longer supports',
				'Convert the file with a newer encryption, or to PEM ("openssl pkcs12 -legacy"), and paste the result.',
			);
		default:
			return new CredentialFault('The client certificate or its key cannot be used', again);
	}
}

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return 'the address';
	}
}
