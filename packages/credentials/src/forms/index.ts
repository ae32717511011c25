import { inboundProperties } from './inbound.ts';
import { authorizationCodeProperties, clientCredentialsProperties, hostToHostProperties } from './oauth2.ts';
import { mutualTlsProperties, partnerGatewayProperties } from './partner.ts';

export const forms = {
	/**
	 * OAuth 2.0 Authorization Code Flow and its H2H variant (part 5 of the API description), for operations P2 and P4 to P11. Uses n8n's
	 * Connect button.
	 */
	bankAuthorizationCodeOAuth2Api: authorizationCodeProperties,
	/** OAuth 2.0 Client Credentials Flow (part 5 of the API description), for operations P1 and P3. */
	bankClientCredentialsOAuth2Api: clientCredentialsProperties,
	/** Client ID and secret of the gateway, and the partner name (5.7, 5.8). */
	bankGatewayApi: partnerGatewayProperties,
	/** Authorization code flow without a browser (part 5: H2H, not explained there): starts with a code or refresh token from the bank. */
	bankHostToHostOAuth2Api: hostToHostProperties,
	/** Authenticates the bank's requests to a trigger. The API description shows no method (part 6, point 4), so the user chooses. */
	bankInboundApi: inboundProperties,
	/** A client certificate and the client ID that it is registered for (5.6). */
	bankMutualTlsApi: mutualTlsProperties,
};
