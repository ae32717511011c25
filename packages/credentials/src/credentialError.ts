import {
	connectionCode,
	connectionCodes,
	connectionErrorInfo,
	excerpt,
	type Redact,
	isRecord,
	verbatim,
} from '@bank/core';

import { connectionMessages } from './connectionMessages.ts';

/** An invalid or rejected credential. Without `code` and `response`, which n8n would show instead of the message. */
export class CredentialError extends Error {
	override name = 'BankCredentialError';
	/** What happened, without a full stop. */
	readonly what: string;
	/** What to do, in complete sentences. */
	readonly next: string;

	constructor(what: string, next: string) {
		super(`${what}. ${next}`);
		this.what = what;
		this.next = next;
	}
}

/** Whether an error is a `CredentialError`. Compares the name, because n8n may load the class twice. */
export function isCredentialError(error: unknown): error is CredentialError {
	return error instanceof Error && error.name === 'BankCredentialError';
}

export function credentialErrorOf(read: () => unknown): CredentialError | undefined {
	try {
		read();
		return undefined;
	} catch (error) {
		if (isCredentialError(error)) return error;
		throw error;
	}
}

/** If a message contains one of these codes, n8n replaces the whole message (n8n-workflow, node.error). */
const replacedByN8n = new RegExp(
	'ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ERRADDRINUSE|EADDRNOTAVAIL|ECONNABORTED|EHOSTUNREACH|EAI_AGAIN|ENOENT|' +
		'EISDIR|ENOTDIR|EACCES|EEXIST|EPERM|GETADDRINFO',
	'gi',
);

/** Makes foreign text safe to quote in a message: one line, redacted, at most 200 characters, no codes that n8n replaces. */
export function quoted(text: string, redactSecrets?: Redact): string {
	return excerpt(text.replace(replacedByN8n, ''), 200, redactSecrets);
}

/** Maps a connection error to a message that names the form field and the next step. */
export function createConnectionError(
	error: unknown,
	{ field, url }: { field: string; url: string },
	redactSecrets?: Redact,
): CredentialError {
	if (isCredentialError(error)) return error;
	const thrown = isRecord(error) ? error : {};
	const code = connectionCode(thrown);
	const host = URL.canParse(url) ? new URL(url).host : 'the address';
	const { what, next } = connectionErrorInfo(code);
	const words = connectionCodes.includes(code ?? '') ? '' : quoted(verbatim(thrown.message), redactSecrets);
	const texts = connectionMessages(field);
	return new CredentialError(
		`The request to ${host} (${field}) did not succeed: ${words === '' ? what : `"${words}"`}`,
		next.map((step) => texts[step]).join(' '),
	);
}
