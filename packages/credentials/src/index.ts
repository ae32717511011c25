export { describeCertificate } from './certificate.ts';
export { baseUrlOf } from './address.ts';
export { CredentialError, credentialErrorOf, isCredentialError } from './credentialError.ts';
export { repairPem } from './keyPair/pem.ts';
export { forms } from './forms/index.ts';
export { type InboundCheck } from './forms/inbound.ts';
export { isCertificateRejected, untestedPart } from './probe.ts';
export { markOwnRequest } from './ownRequests.ts';
export { readBody } from './readBody.ts';
export { refreshTimeOf } from './renewal.ts';
export { isOperationAllowed, isRestricted, type Restrictions, restrictionsOf } from './restrictions.ts';
export {
	firstIssues,
	ownHeadersOf,
	serviceDetailsGuide,
	serviceDetailsOf,
	validateServiceDetails,
} from './serviceDetails.ts';
export { createRedactor, scrubSecrets } from './redact.ts';
export { validateCredential, type RequestParts, requestPartsOf } from './request.ts';
export { credentialSecrets, requestSecrets, type SensitiveValues } from './sensitiveValues.ts';
export { assertCanSign, isSignatureFirst, sign, signatureMethods, signatureOf } from './signature/index.ts';
export { type BankNames, bankNamesOf } from './bankNames.ts';
export { lineOf } from './line.ts';
export { paymentValuesOf, validatePaymentSettings } from './paymentSettings.ts';
export { type StoredToken, requestedScopes, scopesOf, storedToken, testUrlOf } from './state.ts';
export { unreadableSwitch } from './switches.ts';
export { connectionMessages } from './connectionMessages.ts';
export { NoTokenBase, TokenBase } from './types.ts';
export { connectedTest, newTokenTest, serviceTest } from './credentialTests.ts';
