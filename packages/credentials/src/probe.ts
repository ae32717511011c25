import { verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { validateTarget } from './address.ts';
import { CredentialError, quoted } from './credentialError.ts';
import { sendsClientIdAlone } from './gateway.ts';
import { type Http, ping } from './credentialHttp.ts';
import { requireOwnRequest } from './ownRequests.ts';
import { lineOf } from './line.ts';
import { consumeTestFlag, interceptTest } from './renewal.ts';
import { validateCredential, withCredential } from './request.ts';
import { createRedactor } from './redact.ts';
import { credentialSecrets } from './sensitiveValues.ts';
import { testUrlOf } from './state.ts';

/**
 * Test of credentials without a token. n8n shows only the code of a connection error, so `preAuthentication` sends a request of its own
 * and explains the result.
 */

/** `authenticate` of the types without a token. In a test, throws an error with status 401, so that n8n calls `preAuthentication`. */
export function authenticateDirectly(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	interceptTest(credential, request);
	validateCredential(credential);
	validateTarget(request, credential);
	requireOwnRequest(request, credential);
	return withCredential(request, credential);
}

/**
 * `preAuthentication` of the types without a token. Returns an empty object: there is nothing to store.
 * @throws CredentialError
 */
export async function probe(http: Http, credential: ICredentialDataDecryptedObject): Promise<IDataObject> {
	// Outside of a test, a new token does not help against a 401.
	if (!consumeTestFlag(credential)) return {};
	const { statusCode, body } = await ping(http, credential, testUrlOf(credential));
	const words = quoted(verbatim(body), createRedactor(credentialSecrets(credential)));
	const says = words === '' ? '' : ` The bank says: "${words}".`;
	if (statusCode === 401 || statusCode === 403)
		throw new CredentialError(
			`The bank does not accept this credential (${statusCode})`,
			`Check the values and that they belong to this environment.${says}`,
		);
	if (isCertificateRejected(statusCode, words))
		throw new CredentialError(
			`The bank's server does not accept the client certificate, or requires one (${statusCode})`,
			`Ask your bank whether your certificate is registered.${says}`,
		);
	// If the path is /, the form says what the test does not cover (`testNotice`).
	if (!isWithoutPath(credential) && isUninformative(statusCode))
		throw new CredentialError(
			`Test Path returned ${statusCode}, so the credential was not tested`,
			'Correct the path, or enter / to test only base URL and certificate. With 429 or 5xx, try again later.',
		);
	return {};
}

const lacksClientId = (credential: ICredentialDataDecryptedObject): boolean =>
	sendsClientIdAlone(credential) && lineOf(credential.gatewayClientId) === '';

/** Whether a response is an error page about the client certificate, as nginx sends it with an unspecific status. */
export const isCertificateRejected = (status: number, words: string): boolean =>
	status >= 400 && /(?:SSL|client) certificate/i.test(words);

/** The part of the credential that this response to Test Path does not prove; undefined if it proves all of it. */
export function untestedPart(credential: ICredentialDataDecryptedObject, status: number): string | undefined {
	if (lacksClientId(credential)) return 'Gateway Client ID is empty, and unified checks require it';
	if (sendsClientIdAlone(credential))
		return isWithoutPath(credential) ? undefined : untestedByPath('the client ID was', status);
	if (credential.useGateway !== true) return undefined;
	return isWithoutPath(credential)
		? 'client ID and secret were not tested: Test Path is not a service that requires them'
		: untestedByPath('client ID and secret were', status);
}

const isWithoutPath = ({ testPath }: ICredentialDataDecryptedObject): boolean => /^\/*$/.test(lineOf(testPath));

/** Whether a status needs no service at the path, so that the headers may not have been checked. */
const isUninformative = (status: number): boolean =>
	status === 404 || status === 429 || status >= 500 || (status >= 300 && status < 400);

const untestedByPath = (what: string, status: number): string | undefined =>
	isUninformative(status) ? `${what} not tested: Test Path returned ${status}` : undefined;
