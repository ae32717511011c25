import type { Connection, IssueRequest, IssuedTokens } from '@bank/fixtures/sandbox';
import type { CredentialToImport } from './n8nCli.ts';

/** What the credentials need to know of the sandbox: `startSandbox` and `SandboxAdmin` both offer it. */
export interface SandboxAccess extends Pick<Connection, 'baseUrl' | 'oauth' | 'clients' | 'webhookScopes' | 'signing'> {
	/** What the bank's answer to a completed consent would be. */
	issueTokens(request: IssueRequest): Promise<IssuedTokens>;
}

/** The example workflows refer to these ids. */
export const demoCredentialIds = {
	clientCredentials: 'bankDemoClientCreds',
	authorizationCode: 'bankDemoAuthCode',
	inbound: 'bankDemoInbound',
} as const;

/** Credentials that work at once against this sandbox, the user's consent included. */
export async function demoCredentials(sandbox: SandboxAccess): Promise<CredentialToImport[]> {
	const { clientCredentials, authorizationCode } = sandbox.clients;
	const environment = { environment: 'sandbox', sandboxBaseUrl: sandbox.baseUrl, accessTokenUrl: sandbox.oauth.tokenUrl };
	return [
		{
			id: demoCredentialIds.clientCredentials,
			name: 'Bank sandbox: client credentials',
			type: 'bankClientCredentialsOAuth2Api',
			data: { ...environment, grantType: 'clientCredentials', ...client(clientCredentials) },
		},
		{
			id: demoCredentialIds.authorizationCode,
			name: 'Bank sandbox: authorization code',
			type: 'bankAuthorizationCodeOAuth2Api',
			data: {
				...environment,
				grantType: 'authorizationCode',
				authUrl: sandbox.oauth.authorizationUrl,
				// Kept here as well, so that a user who reconnects by hand keeps the webhooks.
				eventScopes: sandbox.webhookScopes.join(' '),
				...client(authorizationCode),
				oauthTokenData: await sandbox.issueTokens({ clientId: authorizationCode.clientId }),
			},
		},
		{
			id: demoCredentialIds.inbound,
			name: 'Bank sandbox: signature of events and orders',
			type: 'bankInboundApi',
			data: {
				checks: ['signature'],
				signatureHeader: sandbox.signing.header,
				signatureAlgorithm: sandbox.signing.algorithm,
				signatureEncoding: sandbox.signing.encoding,
				signaturePrefix: sandbox.signing.prefix,
				signatureSecret: sandbox.signing.secret,
			},
		},
	];
}

function client({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
	return { clientId, clientSecret };
}
