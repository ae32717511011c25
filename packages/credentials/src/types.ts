import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { authenticateDirectly, probe } from './probe.ts';
import { addBearerToken, fetchToken } from './renewal.ts';

/**
 * Types that fetch their own tokens. The hooks are methods: for an own property `authenticate`, n8n adds *Custom API Call* to the nodes
 * (`supportsProxyAuth`).
 */
export abstract class TokenBase {
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return addBearerToken(credentials, request);
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		return await fetchToken(this.helpers.httpRequest, credentials);
	}
}

/** Types without a token. */
export abstract class NoTokenBase {
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticateDirectly(credentials, request);
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		return await probe(this.helpers.httpRequest, credentials);
	}
}
