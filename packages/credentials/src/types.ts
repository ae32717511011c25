import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { forms } from './forms/index.ts';
import { authenticateDirectly, probe } from './probe.ts';
import { addBearerToken, fetchToken } from './renewal.ts';

/** Types that fetch their own tokens. */
abstract class TokenBase {
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

/** OAuth 2.0 Client Credentials Flow (part 5): P1 and P3. */
export class ClientCredentialsOAuth2Base extends TokenBase {
	properties = forms.bankClientCredentialsOAuth2Api;
}

/** Authorization code flow without a browser (part 5: H2H, not explained there): starts with a code or refresh token from the bank. */
export class HostToHostOAuth2Base extends TokenBase {
	properties = forms.bankHostToHostOAuth2Api;
}

/** OAuth 2.0 Authorization Code Flow and its H2H variant (part 5): P2, P4-P11. Uses n8n's Connect button. */
export class AuthorizationCodeOAuth2Base {
	extends = ['oAuth2Api'];

	properties = forms.bankAuthorizationCodeOAuth2Api;
}

/** Types without a token. */
abstract class PartnerBase {
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

/** Client ID and secret of the gateway, and the partner name (5.7, 5.8). */
export class GatewayBase extends PartnerBase {
	properties = forms.bankGatewayApi;
}

/** A client certificate and the client ID that it is registered for (5.6). */
export class MutualTlsBase extends PartnerBase {
	properties = forms.bankMutualTlsApi;
}

/** Authenticates the bank's requests to a trigger. The API description shows no method (part 6, point 4), so the user chooses. */
export class InboundBase {
	properties = forms.bankInboundApi;
}

/** Signs packages of payments. A separate type, because the signing key is seldom the key of the connection. */
export class SignatureBase {
	properties = forms.bankSignatureApi;
}
