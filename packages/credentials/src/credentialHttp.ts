import type { Hide } from '@bank/core';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { baseUrlOf } from './address.ts';
import { agentOptionsOf, usesCertificate } from './certificate.ts';
import { createConnectionError } from './credentialError.ts';
import { validateCredential } from './request.ts';
import { createRedactor } from './redact.ts';
import { credentialSecrets } from './sensitiveValues.ts';
import { validateServiceDetails } from './serviceDetails.ts';

export type Http = IHttpRequestHelper['helpers']['httpRequest'];

/** A request that the credential itself sends: a token request or a connection test. */
export interface CredentialRequest extends Pick<IHttpRequestOptions, 'method' | 'url' | 'headers' | 'body'> {
	/** Label of the form field with the URL, for error messages. */
	field: string;
	/** Redacts secrets from error messages. */
	hide: Hide;
}

/**
 * Sends the request with the client certificate, if there is one. Resolves with a response of any status.
 *
 * @throws CredentialError if there is no response
 */
export async function sendCredentialRequest(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	{ field, hide, ...request }: CredentialRequest,
): Promise<IN8nHttpFullResponse> {
	const agentOptions = agentOptionsOf(credential);
	const response: Promise<IN8nHttpFullResponse> = http({
		...request,
		headers: { Accept: 'application/json', ...request.headers },
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the secret to another host.
		disableFollowRedirect: true,
		timeout: 30_000,
		...(agentOptions === undefined ? {} : { agentOptions }),
	});
	return await response.catch((error: unknown) => {
		throw createConnectionError(error, { field, url: request.url, hasCertificate: usesCertificate(credential) }, hide);
	});
}

/**
 * Sends one GET request to a path below the base URL, which starts with a slash.
 *
 * @throws CredentialError if the credential is invalid or there is no response
 */
export async function ping(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	path = '/',
	headers: Record<string, string> = {},
): Promise<IN8nHttpFullResponse> {
	const error = validateCredential(credential) ?? validateServiceDetails(credential);
	if (error !== undefined) throw error;
	return await sendCredentialRequest(http, credential, {
		method: 'GET',
		url: `${baseUrlOf(credential)}${path}`,
		headers,
		field: 'the base URL',
		hide: createRedactor(credentialSecrets(credential)),
	});
}
