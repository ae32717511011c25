import { verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { baseUrlOf, validateAddress, validateBaseUrl, validateTestPath } from './address.ts';
import { type AgentOptions, agentOptionsOf, validateCertificate, usesCertificate } from './certificate.ts';
import { CredentialError } from './credentialError.ts';
import { lineOf } from './line.ts';
import { isRestricted, restrictionsOf } from './restrictions.ts';
import { unreadableSwitch } from './switches.ts';
import { validateGateway, gatewayHeadersOf } from './gateway.ts';

/** The parts that a credential adds to every request, apart from a token. */
export interface RequestParts {
	headers: Record<string, string>;
	agentOptions?: AgentOptions;
}

export function requestPartsOf(credential: ICredentialDataDecryptedObject): RequestParts {
	return { headers: gatewayHeadersOf(credential), agentOptions: agentOptionsOf(credential) };
}

/** @throws CredentialError */
export function validateCredential(credential: ICredentialDataDecryptedObject): void {
	validateSwitches(credential);
	validateSentByN8n(credential);
	validateBaseUrl(credential);
	validateGateway(credential);
	validateCertificate(credential);
	validateTls(credential);
	validateTokenUrls(credential);
	validateTestPath(credential);
	restrictionsOf(credential);
	validateDomains(credential);
}

/**
 * n8n connects and renews the tokens of Authorization Code itself, with these fields as they were entered. In a URL, spaces around it, tabs
 * and line breaks do no harm.
 */
function validateSentByN8n({ authUrl, accessTokenUrl, clientId, clientSecret }: ICredentialDataDecryptedObject): void {
	if (authUrl === undefined) return;
	for (const [field, value] of [
		['Client ID', clientId],
		['Client Secret', clientSecret],
		['Authorization URL', inUrl(authUrl)],
		['Access Token URL', inUrl(accessTokenUrl)],
	] as const)
		if (verbatim(value) !== lineOf(value))
			throw new CredentialError(
				`${field} contains a space at an end or an invisible character, which n8n sends to the bank`,
				'Enter it again without it, save, and connect again.',
			);
}

/** https://url.spec.whatwg.org/#url-parsing */
const inUrl = (value: unknown): string =>
	verbatim(value)
		.replace(/[\t\n\r]/g, '')
		.replace(/^ +/, '')
		.replace(/(?<! ) +$/, '');

function validateSwitches(credential: ICredentialDataDecryptedObject): void {
	const problem = unreadableSwitch(credential);
	if (problem !== undefined) throw new CredentialError(problem, 'Turn the switch off and on again, then save.');
}

/** The form offers no domains for a restricted credential, but n8n's REST API and its import store any value. */
function validateDomains(credential: ICredentialDataDecryptedObject): void {
	const { allowedHttpRequestDomains: domains } = credential;
	if (domains === undefined || domains === 'none' || !isRestricted(credential)) return;
	throw new CredentialError(
		'The credential is restricted, but HTTP Request nodes could use it without its limits',
		'Create the credential again in the editor: the stored value of allowedHttpRequestDomains is not one that the form sets.',
	);
}

/** Over plain http the certificate would never be sent, so every test would pass without it. */
function validateTls(credential: ICredentialDataDecryptedObject): void {
	if (!usesCertificate(credential)) return;
	for (const [what, url] of [
		['a base URL', baseUrlOf(credential)],
		['an Access Token URL', lineOf(credential.accessTokenUrl)],
	] as const)
		if (/^http:/i.test(url))
			throw new CredentialError(
				`A client certificate needs ${what} that starts with https`,
				'Enter the https URL that your bank gave you. The console of the sandbox bank shows its https URL.',
			);
}

/** For n8n's own OAuth2, these URLs are all that can be validated: n8n sends the secret itself. */
function validateTokenUrls(credential: ICredentialDataDecryptedObject): void {
	for (const [field, url] of [
		['Access Token URL', lineOf(credential.accessTokenUrl)],
		['Authorization URL', lineOf(credential.authUrl)],
	] as const)
		if (url !== '') validateAddress(field, url, credential);
}

/**
 * A redirect would send the secrets to another host. n8n's current helper reads the first option. Its deprecated
 * helper, which other nodes may still use, reads the other two and follows redirects by default.
 */
const withoutRedirects = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };

/** Adds the parts of the credential, then `headers`, to the request. Later ones replace earlier ones of the same name. */
export function withCredential(
	request: IHttpRequestOptions,
	credential: ICredentialDataDecryptedObject,
	headers: Record<string, string> = {},
): IHttpRequestOptions {
	const parts = requestPartsOf(credential);
	return {
		...request,
		...withoutRedirects,
		headers: { ...request.headers, ...parts.headers, ...headers },
		...(parts.agentOptions === undefined ? {} : { agentOptions: { ...request.agentOptions, ...parts.agentOptions } }),
	};
}
