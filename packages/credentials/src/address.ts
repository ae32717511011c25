import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { baseUrlOf } from './environment.ts';
import { CredentialFault } from './faults.ts';

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** Names of this machine, which nobody can listen in on from outside. */
const loopback = /^(?:localhost|[^.]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What keeps an address of a credential from being used. Secrets go there, so it has to be what it looks like. */
export function addressFault(
	field: string,
	given: string,
	{ environment }: ICredentialDataDecryptedObject,
): CredentialFault | undefined {
	const url = parsed(given);
	// What parses an address leaves out tabs and line breaks, so that it would be another than the one that is read.
	if (url === undefined || !/^https?:\/\/[^\s/\\?#]/i.test(given) || /[\s\p{Cc}]/u.test(given))
		return new CredentialFault(`${field} is not an address`, 'Enter it as the bank gave it to you, with https://.');
	if (url.username !== '' || url.password !== '')
		return new CredentialFault(
			`${field} holds a user name or password`,
			'Enter the address alone: secrets have fields of their own.',
		);
	if (url.protocol === 'http:' && environment !== 'sandbox' && !loopback.test(url.hostname))
		return new CredentialFault(
			`${field} begins with http, so that everybody on the way could read the secrets`,
			'Enter the address with https that the bank gave you. Without it only the sandbox environment and this machine can be reached.',
		);
	return undefined;
}

/** The same for an address that paths are put behind. */
export function prefixFault(
	field: string,
	given: string,
	credential: ICredentialDataDecryptedObject,
): CredentialFault | undefined {
	if (/[?#\\]/.test(given))
		return new CredentialFault(
			`${field} holds ?, # or a backslash`,
			'Enter the address up to the path, and nothing behind it.',
		);
	return addressFault(field, given, credential);
}

/** What keeps a path of the user's from being put behind the base URL: it must not lead to another host. */
export function pathFault(field: string, path: string): CredentialFault | undefined {
	return /^(?!\w[\w+.-]*:|[/\\]{2})[^\\#\s\p{Cc}]*$/u.test(path)
		? undefined
		: new CredentialFault(
				`${field} is not a path`,
				'Enter what follows the base URL, such as /service/status, without scheme and host.',
			);
}

/** What nodes of n8n may ask for that is of no use to ours. It has two helpers, which name it in two ways. */
type AnyRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: boolean };

/** Where a request goes in the end, as axios puts it together. The older helper of n8n speaks of a `uri`. */
function targetOf(request: AnyRequest): URL | undefined {
	const [url, base] = [textOf(request.url) || textOf(request.uri), textOf(request.baseURL)];
	return parsed(/^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(url) ? url : `${base}/${url}`);
}

/** Other nodes may use the credential as well, with an address and a way there that whoever makes the workflow chooses. */
export function foreignFault(
	request: AnyRequest,
	credential: ICredentialDataDecryptedObject,
): CredentialFault | undefined {
	const target = targetOf(request);
	if (target === undefined || target.origin !== parsed(baseUrlOf(credential))?.origin)
		return new CredentialFault(
			'This credential goes to the bank only, and the request leads to another host',
			'Use an address that begins with the base URL of the credential.',
		);
	if (Object.keys(request.headers ?? {}).some((name) => name.trim().toLowerCase() === 'host'))
		return new CredentialFault(
			'This credential goes to the bank only, and the request has a Host header, which can name another host',
			'Remove the header Host from the node.',
		);
	if (request.proxy !== undefined && (request.proxy as unknown) !== '')
		return new CredentialFault(
			'This credential goes to the bank only, and the request goes through a proxy that the node names',
			'Leave the proxy out of the node. Where one is needed, n8n itself is told of it (HTTPS_PROXY).',
		);
	const isBlind = request.skipSslCertificateValidation === true || request.rejectUnauthorized === false;
	return isBlind && credential.environment !== 'sandbox'
		? new CredentialFault(
				"This credential goes to the bank only, and the request ignores whose the server's certificate is",
				'Have the certificate verified. An authority of its own that the bank has can stand in the credential.',
			)
		: undefined;
}
