import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { isRestricted } from './restrictions.ts';

/**
 * Key that marks a request of this package. A symbol, because no workflow can set a symbol. Copies of the request keep
 * it.
 */
const ownRequest = Symbol('request of this package');

/** Marks a request for which the limits of its credential have been checked. */
export const markOwnRequest = <Request extends IHttpRequestOptions>(request: Request): Request =>
	Object.assign(request, { [ownRequest]: true });

/**
 * Other nodes know no limits. n8n keeps them away by a field of the credential, which its REST API can change.
 * @throws CredentialError for a request of another node with a restricted credential
 */
export function requireOwnRequest(request: IHttpRequestOptions, credential: ICredentialDataDecryptedObject): void {
	if (Object.hasOwn(request, ownRequest) || !isRestricted(credential)) return;
	throw new CredentialError(
		'This credential is restricted to the Bank nodes, so this node cannot use it',
		'Use a Bank node, or ask the owner for a credential without "Restrict Use".',
	);
}
