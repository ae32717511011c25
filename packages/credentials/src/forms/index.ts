import { authorizationCodeProperties } from './authorizationCode.ts';
import { clientCredentialsProperties } from './clientCredentials.ts';
import { hostToHostProperties } from './hostToHost.ts';
import { inboundProperties } from './inbound.ts';
import { gatewayProperties, mutualTlsProperties } from './partner.ts';
import { signatureProperties } from './signature.ts';

/** The forms of the credential types, by their names. In dist they are read from what n8n's editor gets: the build puts that here. */
export const forms = {
	bankAuthorizationCodeOAuth2Api: authorizationCodeProperties,
	bankClientCredentialsOAuth2Api: clientCredentialsProperties,
	bankGatewayApi: gatewayProperties,
	bankHostToHostOAuth2Api: hostToHostProperties,
	bankInboundApi: inboundProperties,
	bankMutualTlsApi: mutualTlsProperties,
	bankSignatureApi: signatureProperties,
};
