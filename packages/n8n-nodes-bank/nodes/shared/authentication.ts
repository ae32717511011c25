import type { Operation } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

/** The credential types, by what the user chooses where the description leaves the authentication open. */
const types: ReadonlyMap<unknown, string> = new Map([
	['authorizationCode', 'bankAuthorizationCodeOAuth2Api'],
	['clientCredentials', 'bankClientCredentialsOAuth2Api'],
	['gateway', 'bankGatewayApi'],
	['hostToHost', 'bankHostToHostOAuth2Api'],
	['mutualTls', 'bankMutualTlsApi'],
]);

/** The choice between the two kinds of authorization code credential. */
export const flowField: INodeProperties = {
	displayName: 'Flow',
	name: 'flow',
	type: 'options',
	options: [
		{ name: 'Authorization Code', value: 'authorizationCode', description: "Connected once with n8n's Connect button" },
		{ name: 'Authorization Code H2H', value: 'hostToHost', description: 'Host to host: from an authorization code or refresh token, also over mutual TLS' },
	],
	default: 'authorizationCode',
	description: 'Which of the two ways the token of the credential comes from',
};

/** For P1 to P11, where the flow is given: the field Flow chooses between the two kinds of authorization code credential. */
export function restCredential(auth: Operation['auth'], flow: unknown): string {
	if (auth === 'clientCredentials') return 'bankClientCredentialsOAuth2Api';
	return flow === 'hostToHost' ? 'bankHostToHostOAuth2Api' : 'bankAuthorizationCodeOAuth2Api';
}

/** For nodes with the field Authentication. */
export function chosenCredential(_operation: Operation, parameter: (name: string) => unknown): string {
	return types.get(parameter('authenticateWith')) ?? '';
}
