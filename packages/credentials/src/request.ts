import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

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
	return gatewayFault(credential) ?? certificateFault(credential) ?? plainAddressFault(credential);
}

/** The same before a request of the credential itself, which is rare enough to look into a PFX file. */
export function thoroughFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	return credentialFault(credential) ?? pfxContentFault(credential);
}

/** A certificate that is never shown would pass every test. */
function plainAddressFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	if (!usesCertificate(credential) || !/^http:/i.test(baseUrlOf(credential))) return undefined;
	return new CredentialFault(
		'The base URL begins with http, over which no client certificate travels',
		'Enter the address with https that the bank gave you. The sandbox bank has one beside its plain address: its console shows both.',
	);
}

/** The request with what the credential adds to it. What it had is kept where the credential says nothing. */
export function withParts(request: IHttpRequestOptions, { headers, agentOptions }: RequestParts): IHttpRequestOptions {
	return {
		...request,
		headers: { ...request.headers, ...headers },
		...(agentOptions === undefined ? {} : { agentOptions: { ...request.agentOptions, ...agentOptions } }),
	};
}
