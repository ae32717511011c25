import type { Operation } from '@bank/core';

/** The credential types, by what the user chooses where the description leaves the authentication open. */
const types: ReadonlyMap<unknown, string> = new Map([
	['authorizationCode', 'bankAuthorizationCodeOAuth2Api'],
	['clientCredentials', 'bankClientCredentialsOAuth2Api'],
	['gateway', 'bankGatewayApi'],
	['hostToHost', 'bankHostToHostOAuth2Api'],
	['mutualTls', 'bankMutualTlsApi'],
]);

/** For P1 to P11, where the flow is given: the field Flow chooses between the two kinds of authorization code credential. */
export function restCredential(auth: Operation['auth'], flow: unknown): string {
	if (auth === 'clientCredentials') return 'bankClientCredentialsOAuth2Api';
	return flow === 'hostToHost' ? 'bankHostToHostOAuth2Api' : 'bankAuthorizationCodeOAuth2Api';
}

/** For nodes with the field Authentication. */
export function chosenCredential(_operation: Operation, parameter: (name: string) => unknown): string {
	return types.get(parameter('authentication')) ?? '';
}
