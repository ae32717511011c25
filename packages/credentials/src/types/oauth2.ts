import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { forms } from '../forms/index.ts';
import type { Flow } from '../renewal.ts';

const authenticateBy =
	(flow: Flow) =>
	async (credentials: ICredentialDataDecryptedObject, request: IHttpRequestOptions): Promise<IHttpRequestOptions> => {
		const { addBearerToken } = await import('../renewal.ts');
		return addBearerToken(credentials, request, flow);
	};

const fetchBy = (flow: Flow) =>
	async function (this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		const { fetchToken } = await import('../renewal.ts');
		return await fetchToken(this.helpers.httpRequest, credentials, flow);
	};

/** OAuth 2.0 Client Credentials Flow (part 5): P1 and P3. */
export abstract class ClientCredentialsOAuth2Base {
	properties = forms.bankClientCredentialsOAuth2Api;
	authenticate = authenticateBy('clientCredentials');
	preAuthentication = fetchBy('clientCredentials');
}

/**
 * Authorization code flow without a browser (part 5: H2H, not explained there): starts with a code or refresh token obtained elsewhere and
 * refreshes tokens over mutual TLS.
 */
export abstract class HostToHostOAuth2Base {
	properties = forms.bankHostToHostOAuth2Api;
	authenticate = authenticateBy('hostToHost');
	preAuthentication = fetchBy('hostToHost');
}

/** OAuth 2.0 Authorization Code Flow and its H2H variant (part 5): P2, P4-P11. Uses n8n's Connect button. */
export abstract class AuthorizationCodeOAuth2Base {
	extends = ['oAuth2Api'];

	properties = forms.bankAuthorizationCodeOAuth2Api;
}
