import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';

import { issueCertificates } from '../../../../fixtures/src/sandbox/tls/certificates.ts';
import { demoCredentials, ownCertificate } from '../../../src/demoCredentials.ts';
import { listen, stopListening } from '../../../src/listen.ts';
import type { CredentialToImport } from '../../../src/n8nCli.ts';
import { nodesPackageDir } from '../../../src/paths.ts';
import { type Bed, openBed } from '../../support/bed.ts';

let bed: Bed;
let clientCredentials: CredentialToImport;
let authorizationCode: CredentialToImport;
let gateway: CredentialToImport;
let mutualTls: CredentialToImport;
let hostToHost: CredentialToImport;
let signature: CredentialToImport;

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
	const all = await demoCredentials(bed.sandbox);
	const of = (type: string) => all.find((credential) => credential.type === type) as CredentialToImport;
	[clientCredentials, authorizationCode] = [of('bankClientCredentialsOAuth2Api'), of('bankAuthorizationCodeOAuth2Api')];
	signature = of('bankSignatureApi');
	[gateway, mutualTls, hostToHost] = [of('bankGatewayApi'), of('bankMutualTlsApi'), of('bankHostToHostOAuth2Api')];
});

test('the credentials of `npm start` name each choice of several: where only the default does, n8n saves none', async () => {
	const types = JSON.parse(await readFile(join(nodesPackageDir, 'dist/types/credentials.json'), 'utf8')) as {
		name: string;
		properties: { name: string; type: string }[];
	}[];
	const choices = (await demoCredentials(bed.sandbox)).flatMap(({ type, data }) =>
		(types.find(({ name }) => name === type)?.properties ?? [])
			.filter((property) => property.type === 'multiOptions')
			.map(({ name }) => [type, data[name]]),
	);
	expect(choices.map(([type]) => type)).toEqual(
		expect.arrayContaining(['bankClientCredentialsOAuth2Api', 'bankInboundApi']),
	);
	for (const [, chosen] of choices) expect(chosen).toEqual(expect.arrayContaining([expect.any(String)]));
});

/** The result of n8n's credential test for a new credential with these changes. */
async function verdict(credential: CredentialToImport, changes: object): Promise<{ status: string; message: string }> {
	const data = { ...credential.data, ...changes };
	const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', {
		name: 'A new credential',
		type: credential.type,
		data,
	});
	return (await bed.rest.testCredential({ ...credential, id, data })) as { status: string; message: string };
}

const token = async (scopes: readonly string[]) => ({
	oauthTokenData: await bed.sandbox.issueTokens({
		clientId: bed.sandbox.clients.authorizationCode.clientId,
		scopes: [...scopes],
	}),
});

/** URL to which the Connect button redirects the user. */
async function consentAddress(changes: object): Promise<URL> {
	const data = { ...authorizationCode.data, ...changes };
	const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', {
		name: 'To be connected',
		type: authorizationCode.type,
		data,
	});
	return new URL(await bed.rest.request<string>('GET', `/rest/oauth2-credential/auth?id=${id}`));
}

test('H2H asks only for webhook scopes, and passes with a token that has nothing else', async () => {
	const { webhookScopes } = bed.sandbox;
	const h2h = { flow: 'h2h', eventScopes: webhookScopes.join(' ') };
	expect(await verdict(authorizationCode, { ...h2h, ...(await token(webhookScopes)) })).toMatchObject({ status: 'OK' });
	expect((await consentAddress(h2h)).searchParams.get('scope')?.split(' ')).toEqual(webhookScopes);
});

test('the Connect button asks for the chosen scopes, and for the consent again only when told to', async () => {
	const usual = await consentAddress({ bankScopes: ['operations-history', 'limits-control'], eventScopes: '' });
	expect(usual.searchParams.get('scope')?.split(' ')).toEqual(['operations-history', 'limits-control']);
	expect(usual.searchParams.has('prompt')).toBe(false);

	const again = await consentAddress({ requestConsent: true, authorizationParameters: 'login_hint=company-42' });
	expect(again.searchParams.get('prompt')).toBe('consent');
	expect(again.searchParams.get('login_hint')).toBe('company-42');
});

test('a stored token does not save a secret that is wrong by now', async () => {
	const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', {
		name: 'To be changed',
		type: clientCredentials.type,
		data: clientCredentials.data,
	});
	const test = (data: object) =>
		bed.rest.testCredential({ ...clientCredentials, id, data: { ...clientCredentials.data, ...data } });
	expect(await test({})).toMatchObject({ status: 'OK' });
	expect(await test({ clientSecret: 'wrong' })).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('invalid_client'),
	});
});

test('key and certificate of signatures pass, from PEM and from PFX, and say what they are good for', async () => {
	const { signer } = bed.sandbox;
	const words = /^Can sign: .*RSA-SHA256.* The certificate is valid until \d{4}-\d\d-\d\d, for 36\d more days\.$/;
	const pfx = { certificateFormat: 'pfx', signaturePfx: signer.pfx, signaturePassphrase: signer.passphrase };
	for (const changes of [{}, pfx])
		expect(await verdict(signature, changes)).toEqual({ status: 'OK', message: expect.stringMatching(words) });
	const { expired, otherPartner } = bed.sandbox.tls.refused;
	const said = async (changes: object) => (await verdict(signature, changes)).message;
	expect(await said({ signaturePrivateKey: '' })).toMatch(/^Private Key is empty/);
	expect(await said({ signatureCertificate: otherPartner.certificate })).toMatch(
		/^Private Key does not belong to Certificate/,
	);
	expect(await said({ signaturePrivateKey: expired.privateKey, signatureCertificate: expired.certificate })).toMatch(
		/^Certificate expired on/,
	);
	expect(await said({ ...pfx, signaturePassphrase: 'wrong' })).toMatch(/cannot be opened: wrong passphrase/);
});

describe('an address that redirects', () => {
	const wanted: string[] = [];
	const closing: Server[] = [];
	let ca: string;
	let plain: string;
	let secure: string;

	beforeAll(async () => {
		const certificates = await issueCertificates();
		({ ca } = certificates);
		const { certificate: cert, privateKey: key } = certificates.server;
		// For redirects, 127.0.0.1 and localhost are different hosts.
		const ports = { 'http:': 0, 'https:': 0 };
		const serve = async (server: Server, protocol: keyof typeof ports) => {
			server.on('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
				const [, status, to, host] = url.split('/');
				if (status === 'elsewhere') wanted.push(url);
				const place = host === undefined ? '' : `${to}//${host}:${ports[to as keyof typeof ports]}`;
				response.writeHead(Number(status) || 200, { location: `${place}/elsewhere` }).end('{"access_token":"x"}');
			});
			closing.push(server);
			ports[protocol] = await listen(server);
			return `${protocol}//127.0.0.1:${ports[protocol]}`;
		};
		plain = await serve(createServer(), 'http:');
		secure = await serve(createSecureServer({ cert, key }), 'https:');
	});

	beforeEach(() => wanted.splice(0));
	afterAll(() => Promise.all(closing.map(stopListening)));

	const ways = [301, 302, 303, 307, 308].flatMap((status) =>
		['http:', 'https:'].flatMap((to) => ['127.0.0.1', 'localhost'].map((host) => `/${status}/${to}/${host}`)),
	);

	test('as a token endpoint is named, and nothing goes to where it points: from https and http, to either, here and elsewhere', async () => {
		const withCertificate = { useCertificate: true, ...ownCertificate({ ...bed.sandbox.tls, ca }) };
		for (const credential of [clientCredentials, hostToHost])
			for (const [base, changes] of [
				[plain, { sandboxBaseUrl: plain, useCertificate: false }],
				[secure, { sandboxBaseUrl: secure, ...withCertificate }],
			] as const)
				for (const way of ways)
					expect(await verdict(credential, { ...changes, accessTokenUrl: base + way })).toMatchObject({
						status: 'Error',
						message: expect.stringMatching(
							new RegExp(
								`redirects elsewhere \\(${way.split('/')[1]} to https?://.*Enter the final URL in Access Token URL`,
							),
						),
					});
		expect(wanted).toEqual([]);
	});

	test('as the base URL is named, and no secret goes to where it points', async () => {
		const withCertificate = { useCertificate: true, ...ownCertificate({ ...bed.sandbox.tls, ca }) };
		for (const [credential, base, changes, words] of [
			[clientCredentials, plain, {}, /^The base URL redirects elsewhere/],
			[authorizationCode, plain, {}, /^The base URL redirects elsewhere/],
			[gateway, plain, {}, /were not tested: Test Path returned 30\d/],
			// Only base URL and certificate are tested, and the root of a server may return a page.
			[mutualTls, secure, withCertificate, /^Connection successful/],
		] as const)
			// Two statuses per URL: all statuses are tested above.
			for (const way of ways.filter((one) => /^\/30[17]/.test(one)))
				expect([way, (await verdict(credential, { ...changes, sandboxBaseUrl: base + way })).message]).toEqual([
					way,
					expect.stringMatching(words),
				]);
		expect(wanted).toEqual([]);
	});
});

describe('from host to host', () => {
	test('an authorization code passes, and from then on the credential keeps itself alive', async () => {
		const { code, redirectUri } = await bed.sandbox.issueCode();
		const data = { ...hostToHost.data, beginWith: 'authorizationCode', authorizationCode: code, redirectUri };
		const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', {
			name: 'From a code',
			type: hostToHost.type,
			data,
		});
		// Like the form: n8n replaces masked values by the stored ones.
		const test = async () => {
			const { data: shown } = await bed.rest.request<{ data: object }>(
				'GET',
				`/rest/credentials/${id}?includeData=true`,
			);
			expect(JSON.stringify(shown)).not.toContain(code);
			return await bed.rest.testCredential({ ...hostToHost, id, data: shown as CredentialToImport['data'] });
		};
		for (let round = 0; round < 3; round++) expect(await test()).toMatchObject({ status: 'OK' });
	});

	test('the certificate goes on both legs where the bank demands it', async () => {
		await bed.sandbox.change({ tokenNeedsCertificate: true });
		try {
			await bed.sandbox.clearCalls();
			const { refresh_token: refreshToken } = await bed.sandbox.issueTokens({
				clientId: bed.sandbox.clients.authorizationCode.clientId,
			});
			expect(await verdict(hostToHost, { refreshToken })).toMatchObject({ status: 'OK' });
			const calls = await bed.sandbox.calls();
			expect(calls.map(({ operation }) => operation)).toEqual(
				expect.arrayContaining(['oauth.token', 'accountOperation.getMany']),
			);
			expect(new Set(calls.map(({ certificate }) => certificate))).toEqual(new Set(['registered']));
			expect(await verdict(clientCredentials, {})).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('client certificate'),
			});
		} finally {
			await bed.sandbox.reset();
		}
	});
});
