import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { lineOf } from './line.ts';

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** Loopback hosts, where plain http cannot be intercepted from outside. */
const loopback = /^(?:localhost|[^.]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Rejects URLs that secrets must not be sent to: malformed, with user info, with a fragment (RFC 6749, 3.2),
 * or with plain http in production.
 * @throws CredentialError
 */
export function validateAddress(field: string, given: string, { environment }: ICredentialDataDecryptedObject): void {
	const url = parsed(given);
	// The URL parser silently removes tabs and line breaks, so the parsed URL could differ from the visible one.
	if (/[\s\p{Cc}]/u.test(given))
		throw new CredentialError(`${field} contains a space, tab or line break`, 'Enter it again without it.');
	if (url === undefined || !/^https?:\/\/[^/\\?#]/i.test(given))
		throw new CredentialError(
			`${field} is not a valid URL`,
			'Enter the URL that your bank gave you, starting with https://.',
		);
	if (given.includes('#'))
		throw new CredentialError(`${field} contains #`, 'Enter the URL without the part from # on.');
	if (url.username !== '' || url.password !== '')
		throw new CredentialError(
			`${field} contains a user name or password`,
			'Enter the URL only. Secrets have their own fields.',
		);
	if (url.protocol === 'http:' && environment !== 'sandbox' && !loopback.test(url.hostname))
		throw new CredentialError(
			`${field} starts with http, so secrets would be sent unencrypted`,
			'Enter the https URL that your bank gave you. Plain http is only for the sandbox environment and for this machine.',
		);
}

/** Base URL of the chosen environment, without trailing slashes; empty if none was entered. */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const url = credential.environment === 'production' ? credential.productionBaseUrl : credential.sandboxBaseUrl;
	return lineOf(url).replace(/(?<!\/)\/+$/, '');
}

/** @throws CredentialError */
export function validateBaseUrl(credential: ICredentialDataDecryptedObject): void {
	const baseUrl = baseUrlOf(credential);
	if (baseUrl === '')
		throw new CredentialError(
			'The base URL is empty',
			'Enter the base URL of the chosen environment, such as https://api.bank.example.',
		);
	if (/[?#\\]/.test(baseUrl))
		throw new CredentialError(
			'The base URL contains ?, # or a backslash',
			'Enter the URL without a query or a fragment.',
		);
	validateAddress('The base URL', baseUrl, credential);
}

/**
 * Rejects a path that would lead to another host when it is appended to the base URL.
 * @throws CredentialError
 */
export function validateTestPath({ testPath }: ICredentialDataDecryptedObject): void {
	if (!/^(?!\w[\w+.-]*:|[/\\]{2})[^\\#\s\p{Cc}]*$/u.test(lineOf(testPath)))
		throw new CredentialError(
			'Test Path is not a path',
			'Enter the part after the base URL, such as /service/status, without scheme and host.',
		);
}

/** n8n has two request helpers, which name the URL and the TLS option differently. */
type AnyRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: boolean };

/** The final URL, combined the way axios does it. n8n's older helper uses `uri`. */
export function targetOf(request: AnyRequest): URL | undefined {
	const [url, base] = [textOf(request.url) || textOf(request.uri), textOf(request.baseURL)];
	return parsed(/^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(url) ? url : `${base}/${url}`);
}

/**
 * Other nodes, such as HTTP Request, can use the credential with any URL: rejects requests that could leak its secrets.
 * @throws CredentialError
 */
export function validateTarget(request: AnyRequest, credential: ICredentialDataDecryptedObject): void {
	const target = targetOf(request);
	if (target === undefined || target.origin !== parsed(baseUrlOf(credential))?.origin)
		throw new CredentialError(
			'This credential is for the bank only, and the request goes to another host',
			'Use a URL that starts with the base URL of the credential.',
		);
	if (Object.keys(request.headers ?? {}).some((name) => name.trim().toLowerCase() === 'host'))
		throw new CredentialError(
			'This credential is for the bank only, and the request has a Host header, which can name another host',
			'Remove the Host header from the node.',
		);
	if (request.proxy !== undefined && (request.proxy as unknown) !== '')
		throw new CredentialError(
			'This credential is for the bank only, and the request uses a proxy set in the node',
			'Remove the proxy from the node. To use a proxy, set HTTPS_PROXY for n8n.',
		);
	const isBlind = request.skipSslCertificateValidation === true || request.rejectUnauthorized === false;
	if (isBlind && credential.environment !== 'sandbox')
		throw new CredentialError(
			'This credential is for the bank only, and the request ignores SSL certificate errors',
			'Turn off Ignore SSL Issues in the node. If the bank has its own certificate authority, paste it into "CA of the Bank".',
		);
}
