import { inboundProperties } from './inbound.ts';
import { signatureProperties } from './keyPair.ts';
import { authorizationCodeProperties, clientCredentialsProperties, hostToHostProperties } from './oauth2.ts';
import { gatewayProperties, mutualTlsProperties } from './partner.ts';

/** Forms by credential type. In dist, the build replaces this with the JSON that n8n's editor reads. */
export const forms = {
	bankAuthorizationCodeOAuth2Api: authorizationCodeProperties,
	bankClientCredentialsOAuth2Api: clientCredentialsProperties,
	bankGatewayApi: gatewayProperties,
	bankHostToHostOAuth2Api: hostToHostProperties,
	bankInboundApi: inboundProperties,
	bankMutualTlsApi: mutualTlsProperties,
	bankSignatureApi: signatureProperties,
};
