import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { addressFault } from './address.ts';
import {
	type AgentOptions,
	agentOptionsOf,
	certificateFault,
	pfxContentFault,
	usesCertificate,
} from './certificate.ts';
import { baseUrlOf } from './environment.ts';
import { CredentialFault } from './faults.ts';
import { gatewayFault, gatewayHeadersOf } from './gateway.ts';

/** What a credential adds to every request beside a token. */
export interface RequestParts {
	headers: Record<string, string>;
	agentOptions?: AgentOptions;
}

export function requestPartsOf(credential: ICredentialDataDecryptedObject): RequestParts {
	const agentOptions = agentOptionsOf(credential);
	return { headers: gatewayHeadersOf(credential), ...(agentOptions === undefined ? {} : { agentOptions }) };
}

/** What is wrong with gateway fields or certificate, as far as it can be told without the bank. */
export function credentialFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	return (
		gatewayFault(credential) ??
		certificateFault(credential) ??
		plainAddressFault(credential) ??
		tokenAddressFault(credential)
	);
}

/** The same before a request of the credential itself, which is rare enough to look into a PFX file. */
export function thoroughFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	return credentialFault(credential) ?? pfxContentFault(credential);
}

/** A certificate that is never shown would pass every test. */
function plainAddressFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	if (!usesCertificate(credential)) return undefined;
	const isPlain = (url: string) => /^http:/i.test(url);
	if (isPlain(baseUrlOf(credential)))
		return new CredentialFault(
			'The base URL begins with http, over which no client certificate travels',
			'Enter the address with https that the bank gave you. The sandbox bank has one beside its plain address: its console shows both.',
		);
	return isPlain(textOf(credential.accessTokenUrl))
		? new CredentialFault(
				'Access Token URL begins with http, over which no client certificate travels',
				'Enter the address with https that the bank gave you.',
			)
		: undefined;
}

/** Where tokens come from. Of n8n's own OAuth2 this is all that can be looked at: n8n sends the secret itself. */
function tokenAddressFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	for (const [field, given] of [
		['Access Token URL', textOf(credential.accessTokenUrl)],
		['Authorization URL', textOf(credential.authUrl)],
	] as const) {
		const fault = given === '' ? undefined : addressFault(field, given, credential);
		if (fault !== undefined) return fault;
	}
	return undefined;
}

/**
 * A redirect would carry the secrets to another host. n8n's current helper reads the first option; the older one, which other nodes may
 * still use with the credential, reads the other two and follows redirects where they are absent.
 */
const withoutRedirects = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };

/** The request with what the credential adds to it. What it had is kept where the credential says nothing. */
export function withParts(request: IHttpRequestOptions, { headers, agentOptions }: RequestParts): IHttpRequestOptions {
	return {
		...request,
		...withoutRedirects,
		headers: { ...request.headers, ...headers },
		...(agentOptions === undefined ? {} : { agentOptions: { ...request.agentOptions, ...agentOptions } }),
	};
}
