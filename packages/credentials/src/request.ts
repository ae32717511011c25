import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { baseUrlOf, validateAddress, validateBaseUrl, validatePath } from './address.ts';
import { type AgentOptions, agentOptionsOf, validateCertificate, usesCertificate } from './certificate.ts';
import { CredentialError } from './credentialError.ts';
import { validateRestrictions } from './restrictions.ts';
import { validateGateway, gatewayHeadersOf } from './gateway.ts';

/** The parts that a credential adds to every request, apart from a token. */
export interface RequestParts {
	headers: Record<string, string>;
	agentOptions?: AgentOptions;
}

export function requestPartsOf(credential: ICredentialDataDecryptedObject): RequestParts {
	return { headers: gatewayHeadersOf(credential), agentOptions: agentOptionsOf(credential) };
}

/** Validates URLs, gateway fields, certificate, Test Path and restrictions without a request. */
export function validateCredential(credential: ICredentialDataDecryptedObject): CredentialError | undefined {
	return (
		validateBaseUrl(credential) ??
		validateGateway(credential) ??
		validateCertificate(credential) ??
		validateTls(credential) ??
		validateTokenUrls(credential) ??
		validatePath('Test Path', textOf(credential.testPath)) ??
		validateRestrictions(credential)
	);
}

/** Over plain http the certificate would never be sent, so every test would pass without it. */
function validateTls(credential: ICredentialDataDecryptedObject): CredentialError | undefined {
	const urls = [
		['a base URL', baseUrlOf(credential)],
		['an Access Token URL', textOf(credential.accessTokenUrl)],
	] as const;
	const [plain] = usesCertificate(credential) ? urls.filter(([, url]) => /^http:/i.test(url)) : [];
	return plain === undefined
		? undefined
		: new CredentialError(
				`A client certificate needs ${plain[0]} that starts with https`,
				'Enter the https URL that your bank gave you. The console of the sandbox bank shows its https URL.',
			);
}

/** For n8n's own OAuth2, these URLs are all that can be validated: n8n sends the secret itself. */
function validateTokenUrls(credential: ICredentialDataDecryptedObject): CredentialError | undefined {
	for (const [field, given] of [
		['Access Token URL', textOf(credential.accessTokenUrl)],
		['Authorization URL', textOf(credential.authUrl)],
	] as const) {
		const error = given === '' ? undefined : validateAddress(field, given, credential);
		if (error !== undefined) return error;
	}
	return undefined;
}

/**
 * A redirect would send the secrets to another host. n8n's current helper reads the first option; the deprecated one, which other nodes may
 * still use, reads the other two and follows redirects by default.
 */
const withoutRedirects = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };

/** Merges the parts into the request. Parts of the credential take precedence. */
export function withParts(request: IHttpRequestOptions, { headers, agentOptions }: RequestParts): IHttpRequestOptions {
	return {
		...request,
		...withoutRedirects,
		headers: { ...request.headers, ...headers },
		...(agentOptions === undefined ? {} : { agentOptions: { ...request.agentOptions, ...agentOptions } }),
	};
}
