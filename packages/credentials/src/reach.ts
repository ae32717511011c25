import type { Hide } from '@bank/core';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { agentOptionsOf, openClientCertificate, usesCertificate } from './certificate.ts';
import { pathFault, prefixFault } from './address.ts';
import { baseUrlOf } from './environment.ts';
import { brokenConnection, CredentialFault } from './faults.ts';
import { thoroughFault } from './request.ts';
import { createRedactor } from './redact.ts';
import { credentialSecrets } from './sensitiveValues.ts';

export type Http = IHttpRequestHelper['helpers']['httpRequest'];

export function baseUrlFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	const baseUrl = baseUrlOf(credential);
	return /^https?:\/\//i.test(baseUrl)
		? prefixFault('The base URL', baseUrl, credential)
		: new CredentialFault(
				'The credential has no usable base URL',
				'Choose the environment and give its base URL, such as https://api.bank.example.',
			);
}

/** A request of the credential itself: to the token endpoint, or to try an address. With the certificate where there is one. */
export interface OwnRequest extends Pick<IHttpRequestOptions, 'method' | 'url' | 'headers' | 'body'> {
	/** The field of the form that the address comes from, for faults. */
	field: string;
	/** What takes secrets out of the words of a fault. */
	hide: Hide;
}

/**
 * Sends it. Any answer will do.
 *
 * @throws CredentialFault
 */
export async function ask(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	{ field, hide, ...request }: OwnRequest,
): Promise<IN8nHttpFullResponse> {
	const agentOptions = agentOptionsOf(credential);
	const answering: Promise<IN8nHttpFullResponse> = http({
		...request,
		headers: { Accept: 'application/json', ...request.headers },
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the secret elsewhere.
		disableFollowRedirect: true,
		timeout: 30_000,
		...(agentOptions === undefined ? {} : { agentOptions }),
	});
	return await answering.catch((error: unknown) => {
		throw brokenConnection(error, { field, url: request.url, hasCertificate: usesCertificate(credential) }, hide);
	});
}

/**
 * One GET below the base URL.
 *
 * @throws CredentialFault
 */
export async function reach(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	path = '',
	headers: Record<string, string> = {},
): Promise<IN8nHttpFullResponse> {
	await openClientCertificate(credential);
	const fault = baseUrlFault(credential) ?? pathFault('Test Path', path) ?? thoroughFault(credential);
	if (fault !== undefined) throw fault;
	return await ask(http, credential, {
		method: 'GET',
		url: `${baseUrlOf(credential)}/${path.replace(/^\//, '')}`,
		headers,
		field: 'the base URL',
		hide: createRedactor(credentialSecrets(credential)),
	});
}
