import { inboundProperties } from './inbound.ts';
import { signatureProperties } from './keyPair.ts';
import { authorizationCodeProperties, clientCredentialsProperties, hostToHostProperties } from './oauth2.ts';
import { mutualTlsProperties, partnerGatewayProperties } from './partner.ts';

/** Forms by credential type. In dist, the build replaces this with the JSON that n8n's editor reads. */
export const forms = {
	bankAuthorizationCodeOAuth2Api: authorizationCodeProperties,
	bankClientCredentialsOAuth2Api: clientCredentialsProperties,
	bankGatewayApi: partnerGatewayProperties,
	bankHostToHostOAuth2Api: hostToHostProperties,
	bankInboundApi: inboundProperties,
	bankMutualTlsApi: mutualTlsProperties,
	bankSignatureApi: signatureProperties,
};
