import type { Redact } from '@bank/core';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { baseUrlOf } from './address.ts';
import { createConnectionError } from './credentialError.ts';
import { validateCredential, withCredential } from './request.ts';
import { readBody } from './readBody.ts';
import { createRedactor } from './redact.ts';
import { credentialSecrets } from './sensitiveValues.ts';
import { validatePaymentSettings } from './paymentSettings.ts';
import { validateServiceDetails } from './serviceDetails.ts';

export type Http = IHttpRequestHelper['helpers']['httpRequest'];

/** A request that the credential itself sends: a token request or a connection test. */
export interface CredentialRequest extends Pick<IHttpRequestOptions, 'method' | 'url' | 'body'> {
	headers?: Record<string, string>;
	/** Label of the form field with the URL, for error messages. */
	field: string;
	redactSecrets: Redact;
}

/** Maximum length of a response in bytes: far more than any token response has. */
const maxLength = 1_000_000;

/**
 * Sends the request with the gateway headers and the client certificate, if there are any. Resolves with any status.
 * @throws CredentialError if there is no response
 */
export async function sendCredentialRequest(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	{ field, redactSecrets, headers, ...request }: CredentialRequest,
): Promise<IN8nHttpFullResponse> {
	const options = {
		...request,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: 30_000,
		abortSignal: AbortSignal.timeout(60_000),
	} as const;
	const authenticated = withCredential(options, credential, { Accept: 'application/json', ...headers });
	try {
		const response: IN8nHttpFullResponse = await http(authenticated);
		return { ...response, body: String((await readBody(response.body, maxLength)) ?? '') };
	} catch (error) {
		throw createConnectionError(error, { field, url: request.url }, redactSecrets);
	}
}

/**
 * @param path below the base URL
 * @throws CredentialError if the credential is invalid or there is no response
 */
export async function ping(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	path = '/',
): Promise<IN8nHttpFullResponse> {
	validateCredential(credential);
	validateServiceDetails(credential);
	validatePaymentSettings(credential);
	return await sendCredentialRequest(http, credential, {
		method: 'GET',
		url: `${baseUrlOf(credential)}${path}`,
		field: 'the base URL',
		redactSecrets: createRedactor(credentialSecrets(credential)),
	});
}
