export {
	agentOptionsOf,
	certificateFault,
	openClientCertificate,
	pfxContentFault,
	shownCertificate,
} from './certificate.ts';
export { baseUrlOf, environmentProperties } from './environment.ts';
export { CredentialFault, isCredentialFault } from './faults.ts';
export { gatewayFault, gatewayHeadersOf } from './gateway.ts';
export { repairPem } from './identity/pem.ts';
export { type InboundCheck } from './forms/inbound.ts';
export { baseUrlFault } from './reach.ts';
export { redirectRules, redirectStatuses } from './types/redirects.ts';
export { refusesCertificate, unprovenBy } from './probe.ts';
export { connectedTokenEndsAt } from './renewal.ts';
export { createRedactor, mergeSecrets, scrubSecrets } from './redact.ts';
export { credentialFault, type RequestParts, requestPartsOf } from './request.ts';
export { credentialSecrets, requestSecrets, type SensitiveValues } from './sensitiveValues.ts';
export {
	isSignatureMethod,
	sign,
	signatureFault,
	type SignatureMethod,
	type SignatureMethodName,
	signatureMethods,
	type SignatureSettings,
	testSignature,
} from './signature/index.ts';
export { storedFault, type StoredToken, storedToken, testUrlOf, wantedScopes } from './state.ts';
export { connectionTexts } from './words.ts';
export { AuthorizationCodeOAuth2Base, ClientCredentialsOAuth2Base, HostToHostOAuth2Base } from './types/oauth2.ts';
export { GatewayBase, MutualTlsBase } from './types/partner.ts';
export { InboundBase, SignatureBase } from './types/settings.ts';
