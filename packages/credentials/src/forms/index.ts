import { authorizationCodeProperties } from './authorizationCode.ts';
import { clientCredentialsProperties } from './clientCredentials.ts';
import { hostToHostProperties } from './hostToHost.ts';
import { inboundProperties } from './inbound.ts';
import { gatewayProperties, mutualTlsProperties } from './partner.ts';
import { signatureProperties } from './signature.ts';

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
