import { randomBytes } from 'node:crypto';

import type { Connection, IssueRequest, IssuedTokens } from '@bank/fixtures/sandbox';
import { serviceDetailsText } from '@bank/fixtures/serviceDetails';

import type { CredentialToImport } from './n8nCli.ts';

/** What the credentials need to know of the sandbox: `startSandbox` and `SandboxAdmin` both offer it. */
export interface SandboxAccess extends Pick<
	Connection,
	'baseUrl' | 'modelUrl' | 'oauth' | 'clients' | 'webhookScopes' | 'signing' | 'gateway' | 'signer' | 'tls'
> {
	/** What the bank's answer to a completed consent would be. */
	issueTokens(request: IssueRequest): Promise<IssuedTokens>;
}

/** The example workflows refer to these ids. */
export const demoCredentialIds = {
	clientCredentials: 'bankDemoClientCreds',
	authorizationCode: 'bankDemoAuthCode',
	gateway: 'bankDemoGateway',
	mutualTls: 'bankDemoMutualTls',
	hostToHost: 'bankDemoHostToHost',
	inbound: 'bankDemoInbound',
	signature: 'bankDemoSignature',
	signingKey: 'bankDemoSigningKey',
	signingCall: 'bankDemoSigningCall',
	model: 'bankDemoModel',
} as const;

/** What a node's `credentials` say to use one of them. */
export const demoReferences = {
	clientCredentials: {
		bankClientCredentialsOAuth2Api: { id: demoCredentialIds.clientCredentials, name: 'client credentials' },
	},
	authorizationCode: {
		bankAuthorizationCodeOAuth2Api: { id: demoCredentialIds.authorizationCode, name: 'authorization code' },
	},
	gateway: { bankGatewayApi: { id: demoCredentialIds.gateway, name: 'gateway' } },
	mutualTls: { bankMutualTlsApi: { id: demoCredentialIds.mutualTls, name: 'mutual TLS' } },
	hostToHost: { bankHostToHostOAuth2Api: { id: demoCredentialIds.hostToHost, name: 'host to host' } },
	inbound: { bankInboundApi: { id: demoCredentialIds.inbound, name: 'inbound' } },
	signature: { bankSignatureApi: { id: demoCredentialIds.signature, name: 'signature' } },
} as const;

/** Credentials that work at once against this sandbox, the user's consent included. */
export async function demoCredentials(sandbox: SandboxAccess): Promise<CredentialToImport[]> {
	const { clientCredentials, authorizationCode } = sandbox.clients;
	const { gateway, signer, tls } = sandbox;
	// Said in full: n8n's dialog shows no default of a choice of several, and would save that nothing is chosen.
	const scopesOf = ({ scopes }: { scopes: readonly string[] }) =>
		scopes.filter((scope) => !sandbox.webhookScopes.includes(scope));
	const details = { serviceDetails: serviceDetailsText };
	const environment = {
		...details,
		environment: 'sandbox',
		sandboxBaseUrl: sandbox.baseUrl,
		accessTokenUrl: sandbox.oauth.tokenUrl,
	};
	return [
		{
			id: demoCredentialIds.clientCredentials,
			name: 'Bank sandbox: client credentials',
			type: 'bankClientCredentialsOAuth2Api',
			data: {
				...environment,
				...client(clientCredentials),
				bankScopes: scopesOf(clientCredentials),
				partnerId: '1001',
				inn: '7700000000',
				account: '40702810000000000001',
			},
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
				bankScopes: scopesOf(authorizationCode),
				oauthTokenData: await sandbox.issueTokens({ clientId: authorizationCode.clientId }),
			},
		},
		{
			id: demoCredentialIds.gateway,
			name: 'Bank sandbox: gateway',
			type: 'bankGatewayApi',
			data: {
				...details,
				environment: 'sandbox',
				sandboxBaseUrl: sandbox.baseUrl,
				gatewayClientId: gateway.clientId,
				gatewayClientSecret: gateway.clientSecret,
				gatewayClientIdHeader: gateway.headers.clientId,
				gatewayKeyHeader: gateway.headers.clientSecret,
				partnerName: gateway.partnerName,
				partnerNameHeader: gateway.headers.partnerName,
				// A read that needs ID and secret; the sandbox has this application.
				testPath: '/applications/1001/scorings/short',
			},
		},
		{
			id: demoCredentialIds.hostToHost,
			name: 'Bank sandbox: host to host',
			type: 'bankHostToHostOAuth2Api',
			data: {
				...details,
				environment: 'sandbox',
				sandboxBaseUrl: tls.baseUrl,
				accessTokenUrl: tls.tokenUrl,
				...client(authorizationCode),
				beginWith: 'refreshToken',
				refreshToken: (await sandbox.issueTokens({ clientId: authorizationCode.clientId })).refresh_token,
				useCertificate: true,
				...ownCertificate(tls),
			},
		},
		// The last of those that the partner services take: n8n's editor puts the one saved last into a new node, and this one serves them all.
		{
			id: demoCredentialIds.mutualTls,
			name: 'Bank sandbox: mutual TLS',
			type: 'bankMutualTlsApi',
			data: {
				...details,
				environment: 'sandbox',
				sandboxBaseUrl: tls.baseUrl,
				...ownCertificate(tls),
				gatewayClientId: tls.clientId,
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
		{
			id: demoCredentialIds.signature,
			name: 'Bank sandbox: signature of packages',
			type: 'bankSignatureApi',
			data: {
				certificateFormat: 'pem',
				signaturePrivateKey: signer.privateKey,
				signatureCertificate: signer.certificate,
			},
		},
	];
}

/**
 * Of n8n's own types: for the example in which a service of one's own signs, its key and the secret of those who may call it; for the
 * example with an AI agent, its model.
 */
export function otherDemoCredentials({
	signer,
	modelUrl,
}: Pick<SandboxAccess, 'signer' | 'modelUrl'>): CredentialToImport[] {
	return [
		{
			id: demoCredentialIds.signingKey,
			name: 'Signing service: key',
			type: 'crypto',
			data: { signPrivateKey: signer.privateKey },
		},
		{
			id: demoCredentialIds.signingCall,
			name: 'Signing service: secret of its callers',
			type: 'httpHeaderAuth',
			data: { name: 'x-signing-service-secret', value: randomBytes(24).toString('hex') },
		},
		{
			id: demoCredentialIds.model,
			name: 'Scripted model of the sandbox',
			type: 'openAiApi',
			data: { apiKey: 'none is needed', url: modelUrl },
		},
	];
}

function client({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
	return { clientId, clientSecret };
}

/** The fields of a certificate, as every type names them. */
export function ownCertificate({
	ca,
	certificate: clientCertificate,
	privateKey: clientPrivateKey,
}: SandboxAccess['tls']) {
	return { certificateFormat: 'pem', clientCertificate, clientPrivateKey, bankCa: ca };
}
