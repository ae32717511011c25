import { textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { foreignFault } from './address.ts';
import { usesCertificate } from './certificate.ts';
import { CredentialFault, quoted } from './faults.ts';
import { sendsClientIdAlone } from './gateway.ts';
import { baseUrlFault, type Http, reach } from './reach.ts';
import { askAgain, noteTest, takeMarker, takeTest } from './renewal.ts';
import { credentialFault, requestPartsOf, withParts } from './request.ts';
import { createRedactor } from './redact.ts';
import { credentialSecrets } from './sensitiveValues.ts';

/**
 * The test of credentials that have no token. n8n would show the number of a connection fault and nothing else, so the test asks
 * once by itself, in `preAuthentication`, where a fault can be put into words.
 */
export const testPath: INodeProperties = {
	displayName: 'Test Path',
	name: 'testPath',
	type: 'string',
	default: '/',
	placeholder: 'e.g. /service/status',
	description:
		'Path that the credential test reads (GET). Ask your bank for one that needs ID and secret; ' +
		'any other proves only address and certificate',
};

/** n8n runs `preAuthentication` for types that have such a property; not empty, so that it does so only when told to. */
export const probed: INodeProperties = {
	displayName: 'Probed',
	name: 'probed',
	type: 'hidden',
	typeOptions: { expirable: true },
	default: 'inTests',
};

/** `authenticate` of the types without a token. */
export function authenticateDirectly(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	if (takeMarker(request)) {
		noteTest(credential);
		throw askAgain();
	}
	const fault = baseUrlFault(credential) ?? credentialFault(credential) ?? foreignFault(request, credential);
	if (fault !== undefined) throw fault;
	return withParts(request, requestPartsOf(credential));
}

/**
 * `preAuthentication` of the types without a token. Returns nothing to store.
 *
 * @throws CredentialFault
 */
export async function probe(http: Http, credential: ICredentialDataDecryptedObject): Promise<IDataObject> {
	// After a 401 outside of the test there is nothing to renew.
	if (takeTest(credential) === undefined) return {};
	const { headers } = requestPartsOf(credential);
	const { statusCode, body } = await reach(http, credential, textOf(credential.testPath), headers);
	const hasCertificate = usesCertificate(credential);
	const words = quoted(verbatim(body), createRedactor(credentialSecrets(credential)));
	const says = words === '' ? '' : ` The bank says: "${words}".`;
	if (statusCode === 401 || statusCode === 403) {
		const shown = [
			...Object.keys(headers).map((name) => `the header ${name}`),
			...(hasCertificate ? ['the client certificate'] : []),
		].join(', ');
		throw new CredentialFault(
			`The bank does not accept this credential (${statusCode}): ${shown} was sent`,
			`Check the values, and that they belong to this environment.${says}`,
		);
	}
	if (refusesCertificate(statusCode, words))
		throw new CredentialFault(
			`The bank's server does not accept the client certificate, or demands one (${statusCode})`,
			`Check with the bank that your certificate is registered.${says}`,
		);
	// n8n knows only passed and failed, and passed would be taken for all of the credential.
	const unproven = unprovenBy(credential, statusCode);
	if (unproven !== undefined)
		throw new CredentialFault(
			`The bank's server answers (${statusCode}), but ${unproven}`,
			lacksClientId(credential)
				? 'Enter the client ID that your certificate is registered for. Services that ask for none can be used without it.'
				: 'Nothing is known to be wrong, and the credential can be used. To have all of it tested, enter a Test Path that only ' +
						'reads and asks for it: ask the bank for one.',
		);
	return {};
}

const lacksClientId = (credential: ICredentialDataDecryptedObject): boolean =>
	sendsClientIdAlone(credential) && textOf(credential.gatewayClientId) === '';

/** How nginx and others speak of the client certificate, with a status that says nothing. */
export const refusesCertificate = (status: number, words: string): boolean =>
	status >= 400 && /(?:SSL|client) certificate/i.test(words);

/** What of the credential a response to Test Path does not prove; undefined where it proves all, or there is nothing to prove. */
export function unprovenBy(credential: ICredentialDataDecryptedObject, status: number): string | undefined {
	const isWithoutPath = /^\/*$/.test(textOf(credential.testPath));
	if (lacksClientId(credential)) return 'Gateway Client ID is empty, and the unified checks service needs it';
	if (sendsClientIdAlone(credential)) return isWithoutPath ? undefined : unprovenPath('the client ID was', status);
	if (credential.useGateway !== true) return undefined;
	return isWithoutPath
		? 'client ID and secret were not tested: Test Path names no service that asks for them'
		: unprovenPath('client ID and secret were', status);
}

/** Without a service at the path, nothing has looked at the headers. */
const unprovenPath = (what: string, status: number): string | undefined =>
	status === 404 || status >= 500 || (status >= 300 && status < 400)
		? `${what} not tested: Test Path was answered with ${status}`
		: undefined;
