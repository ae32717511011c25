import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { usesCertificate } from './certificate.ts';
import { baseUrlOf } from './environment.ts';
import { connectionFault, CredentialFault } from './faults.ts';
import { credentialFault, requestPartsOf } from './request.ts';
import type { Http } from './tokens.ts';

export function baseUrlFault(baseUrl: string): CredentialFault | undefined {
	return /^https?:\/\/[^\s/?#@]+/i.test(baseUrl) ? undefined : new CredentialFault('The credential has no usable base URL', 'Choose the environment and give its base URL, such as https://api.bank.example.');
}

/**
 * One GET below the base URL, with the certificate where there is one. Any answer will do.
 *
 * @throws CredentialFault
 */
export async function reach(http: Http, credential: ICredentialDataDecryptedObject, path = '/', headers: Record<string, string> = {}): Promise<IN8nHttpFullResponse> {
	const baseUrl = baseUrlOf(credential);
	const fault = baseUrlFault(baseUrl) ?? credentialFault(credential);
	if (fault !== undefined) throw fault;
	const url = `${baseUrl}/${path.replace(/^\/+/, '')}`;
	const { agentOptions } = requestPartsOf(credential);
	const request = http({
		method: 'GET',
		url,
		headers: { Accept: 'application/json', ...headers },
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: 30_000,
		...(agentOptions === undefined ? {} : { agentOptions }),
	}) as Promise<IN8nHttpFullResponse>;
	return await request.catch((error: unknown) => {
		throw connectionFault(error, { field: 'the base URL', url, hasCertificate: usesCertificate(credential) });
	});
}
