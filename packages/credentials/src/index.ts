export { agentOptionsOf, certificateFault, repairPem } from './certificate.ts';
export { baseUrlOf, environmentProperties } from './environment.ts';
export {
	CredentialFault,
	isCredentialFault,
	isHandshake,
	isUnusableCertificate,
	refusesCertificate,
} from './faults.ts';
export { gatewayFault, gatewayHeadersOf } from './gateway.ts';
export { InboundBase, type InboundCheck } from './inbound.ts';
export { AuthorizationCodeOAuth2Base, ClientCredentialsOAuth2Base, HostToHostOAuth2Base } from './oauth2.ts';
export { GatewayBase, MutualTlsBase } from './partner.ts';
export { baseUrlFault } from './reach.ts';
export { credentialFault, type RequestParts, requestPartsOf } from './request.ts';
