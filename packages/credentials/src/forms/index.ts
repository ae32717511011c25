import { inboundProperties } from './inbound.ts';
import { signatureProperties } from './keyPair.ts';
import { authorizationCodeProperties, clientCredentialsProperties, hostToHostProperties } from './oauth2.ts';
import { mutualTlsProperties, partnerGatewayProperties } from './partner.ts';

/** Forms by credential type. */
export const forms = {
	bankAuthorizationCodeOAuth2Api: authorizationCodeProperties,
	bankClientCredentialsOAuth2Api: clientCredentialsProperties,
	bankGatewayApi: partnerGatewayProperties,
	bankHostToHostOAuth2Api: hostToHostProperties,
	bankInboundApi: inboundProperties,
	bankMutualTlsApi: mutualTlsProperties,
	bankSignatureApi: signatureProperties,
};
