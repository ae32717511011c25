import { randomBytes } from 'node:crypto';

import { serviceDetailsText } from '@bank/fixtures/serviceDetails';

import type { CredentialToImport } from './n8nCli.ts';
import type { SandboxAdmin } from './sandboxAdmin.ts';

/** IDs that the example workflows refer to. */
export const demoCredentialIds = {
	clientCredentials: 'bankDemoClientCreds',
	authorizationCode: 'bankDemoAuthCode',
	gateway: 'bankDemoGateway',
	mutualTls: 'bankDemoMutualTls',
	hostToHost: 'bankDemoHostToHost',
	inbound: 'bankDemoInbound',
	signedElsewhere: 'bankDemoSigned',
	signingKey: 'bankDemoSigningKey',
	signingCall: 'bankDemoSigningCall',
	model: 'bankDemoModel',
} as const;

/** Values for `credentials` of a node. */
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
	signedElsewhere: {
		bankClientCredentialsOAuth2Api: { id: demoCredentialIds.signedElsewhere, name: 'signed elsewhere' },
	},
} as const;

function demo(kind: keyof typeof demoReferences, name: string, data: Record<string, unknown>): CredentialToImport {
	const [[type, { id }] = ['', { id: '' }]] = Object.entries<{ id: string }>(demoReferences[kind]);
	return { id, name: `Bank sandbox: ${name}`, type, data };
}

/** Credentials that work with this sandbox, with tokens as if the user had given consent. */
export async function demoCredentials(sandbox: SandboxAdmin): Promise<CredentialToImport[]> {
	const { clientCredentials, authorizationCode } = sandbox.clients;
	const { gateway, signer, tls } = sandbox;
	const details = { serviceDetails: serviceDetailsText };
	const payer = {
		...details,
		environment: 'sandbox',
		sandboxBaseUrl: sandbox.baseUrl,
		accessTokenUrl: sandbox.oauth.tokenUrl,
		...client(clientCredentials),
		partnerId: '1001',
		inn: '7700000000',
		account: '40702810000000000001',
	};
	return [
		demo('signedElsewhere', 'client credentials, signed elsewhere', { ...payer, signature: 'given' }),
		// Saved after the other credential of its type: n8n's editor selects the credential saved last in a new node.
		demo('clientCredentials', 'client credentials', {
			...payer,
			signature: 'cmsDetached',
			signatureKeyFormat: 'pem',
			signaturePrivateKey: signer.privateKey,
			signatureCertificate: signer.certificate,
		}),
		demo('authorizationCode', 'authorization code', {
			...details,
			environment: 'sandbox',
			sandboxBaseUrl: sandbox.baseUrl,
			grantType: 'authorizationCode',
			authUrl: sandbox.oauth.authorizationUrl,
			accessTokenUrl: sandbox.oauth.tokenUrl,
			// Also stored here, so that a user who reconnects manually keeps the webhook scopes.
			eventScopes: sandbox.webhookScopes.join(' '),
			clientId: authorizationCode.clientId,
			clientSecret: authorizationCode.clientSecret,
			oauthTokenData: await sandbox.issueTokens({ clientId: authorizationCode.clientId }),
		}),
		demo('gateway', 'gateway', {
			...details,
			environment: 'sandbox',
			sandboxBaseUrl: sandbox.baseUrl,
			gatewayClientId: gateway.clientId,
			gatewayClientSecret: gateway.clientSecret,
			gatewayClientIdHeader: gateway.headers.clientId,
			gatewayKeyHeader: gateway.headers.clientSecret,
			partnerName: gateway.partnerName,
			partnerNameHeader: gateway.headers.partnerName,
			testPath: gateway.testPath,
		}),
		demo('hostToHost', 'host to host', {
			...details,
			environment: 'sandbox',
			sandboxBaseUrl: tls.baseUrl,
			accessTokenUrl: tls.tokenUrl,
			...client(authorizationCode),
			beginWith: 'refreshToken',
			refreshToken: (await sandbox.issueTokens({ clientId: authorizationCode.clientId })).refresh_token,
			useCertificate: true,
			...ownCertificate(tls),
		}),
		// Saved last of the types for partner services, because n8n's editor selects the credential saved last in a new
		// node, and this one fits all of these services.
		demo('mutualTls', 'mutual TLS', {
			...details,
			environment: 'sandbox',
			sandboxBaseUrl: tls.baseUrl,
			...ownCertificate(tls),
			gatewayClientId: tls.clientId,
		}),
		demo('inbound', 'signature of events and orders', {
			checks: ['signature'],
			signatureHeader: sandbox.signing.header,
			signatureAlgorithm: sandbox.signing.algorithm,
			signatureEncoding: sandbox.signing.encoding,
			signaturePrefix: sandbox.signing.prefix,
			signatureSecret: sandbox.signing.secret,
		}),
	];
}

/**
 * Credentials of n8n's own types: for the example with an external signing service, its key and the secret of its callers; for the
 * example with an AI agent, its model.
 */
export function otherDemoCredentials({
	signer,
	modelUrl,
}: Pick<SandboxAdmin, 'signer' | 'modelUrl'>): CredentialToImport[] {
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

/** The fields of a certificate, which have the same names in every type. */
export function ownCertificate({
	ca,
	certificate: clientCertificate,
	privateKey: clientPrivateKey,
}: SandboxAdmin['tls']) {
	return { certificateFormat: 'pem', clientCertificate, clientPrivateKey, bankCa: ca };
}
