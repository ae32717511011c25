import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { forms } from '../forms/index.ts';

/** OAuth 2.0 Client Credentials Flow (part 5): P1 and P3. */
export abstract class ClientCredentialsOAuth2Base {
	properties = forms.bankClientCredentialsOAuth2Api;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { addBearerToken, clientCredentialsFingerprint } = await import('../renewal.ts');
		return addBearerToken(credentials, requestOptions, clientCredentialsFingerprint(credentials));
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		const { fetchByClientCredentials } = await import('../renewal.ts');
		return await fetchByClientCredentials(this.helpers.httpRequest, credentials);
	}
}

/**
 * Authorization code flow without a browser (part 5: H2H, not explained there): starts with a code or refresh token obtained elsewhere and
 * refreshes tokens over mutual TLS.
 */
export abstract class HostToHostOAuth2Base {
	properties = forms.bankHostToHostOAuth2Api;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { addBearerToken, hostToHostFingerprint } = await import('../renewal.ts');
		return addBearerToken(credentials, requestOptions, hostToHostFingerprint(credentials));
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		const { fetchFromHostToHost } = await import('../renewal.ts');
		return await fetchFromHostToHost(this.helpers.httpRequest, credentials);
	}
}

/** OAuth 2.0 Authorization Code Flow and its H2H variant (part 5): P2, P4-P11. Uses n8n's Connect button. */
export abstract class AuthorizationCodeOAuth2Base {
	extends = ['oAuth2Api'];

	properties = forms.bankAuthorizationCodeOAuth2Api;
}
