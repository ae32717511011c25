/** Client certificates and token requests of the credentials in n8n's own engine, against a bank that requires a certificate. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { existing } from '../../../fixtures/src/existing.ts';
import { type Certificates, issueCertificates } from '../../../fixtures/src/sandbox/tls/certificates.ts';
import { listen, stopListening } from '../../src/listen.ts';
import { createEngine, type Engine, n8nIsInstalled, type NodeRunOptions, type RunResult } from '../../src/engine.ts';
import { paymentParameters } from './bankServer.ts';
import { writeCredentialProbe } from './credentialProbe.ts';
import { TlsBank } from './tlsBank.ts';

const packageDir = path.resolve(__dirname, '../../../n8n-nodes-bank');
const client = 'bankClientCredentialsOAuth2Api';
const user = 'bankAuthorizationCodeOAuth2Api';
const h2h = 'bankHostToHostOAuth2Api';
const gateway = 'bankGatewayApi';
const mutualTls = 'bankMutualTlsApi';
const types = { clientCredentials: client, authorizationCode: user, hostToHost: h2h, gateway, mutualTls } as const;
type Way = keyof typeof types;
const ways = Object.keys(types) as Way[];
const withOwnToken: readonly (keyof typeof types)[] = ['clientCredentials', 'hostToHost'];

interface Details {
	outcome: string;
	code?: string;
	httpStatus?: number;
	message: string;
	description: string;
}

(n8nIsInstalled() ? describe : describe.skip)('credentials in n8n', () => {
	let made: Certificates;
	let bank: TlsBank;
	/** With TLS 1.2 a client is rejected during the handshake. */
	let oldBank: TlsBank;
	let engine: Engine;
	let folder: string;

	const pem = () => ({
		useCertificate: true,
		certificateFormat: 'pem',
		clientCertificate: made.partner.certificate.replaceAll('\n', ' '),
		clientPrivateKey: made.encryptedPrivateKey.replaceAll('\n', '\\n'),
		certificatePassphrase: made.passphrase,
		bankCa: made.ca,
	});
	const pfx = () => ({
		useCertificate: true,
		certificateFormat: 'pfx',
		clientCertificatePfx: made.pfx,
		certificatePassphrase: made.passphrase,
		bankCa: made.ca,
	});
	const stranger = () => ({
		clientCertificate: made.refused.unknownAuthority.certificate,
		clientPrivateKey: made.partner.privateKey,
	});
	const gatewayFields = { gatewayClientId: 'partner-id', gatewayClientSecret: 'secret-of-the-gateway' };
	const stored = (type: string, changes: object = {}, at = bank) => {
		const address = { environment: 'sandbox', sandboxBaseUrl: at.origin };
		const token = { ...address, accessTokenUrl: `${at.origin}/token`, clientId: 'id', clientSecret: at.secret };
		const own: Record<string, object> = {
			[client]: { ...token, bankScopes: ['b2c_sbp_payments'], signature: 'given' },
			[h2h]: { ...token, beginWith: 'refreshToken', refreshToken: at.start() },
			[user]: {
				...token,
				authUrl: `${at.origin}/authorize`,
				bankScopes: ['limits-control'],
				oauthTokenData: { access_token: issued(at), refresh_token: at.start(), token_type: 'Bearer' },
			},
			[gateway]: { ...address, ...gatewayFields },
			[mutualTls]: { ...address, gatewayClientId: 'partner-id' },
		};
		return { ...own[type], ...pem(), ...changes };
	};
	const issued = (at: TlsBank) => {
		const token = `secret-access-stored-${at.tokens.size}`;
		at.tokens.add(token);
		return token;
	};
	const set = (type: string, changes: object = {}, at = bank) =>
		engine.setCredential(type, stored(type, changes, at) as never);

	beforeAll(async () => {
		made = await issueCertificates();
		bank = await new TlsBank(made).ready();
		oldBank = await new TlsBank(made, 'TLSv1.2').ready();
		folder = mkdtempSync(path.join(tmpdir(), 'credential-probe-'));
		engine = await createEngine({
			packageDir: writeCredentialProbe(packageDir, folder),
			credentials: Object.fromEntries(Object.values(types).map((type) => [type, stored(type)])) as never,
		});
	});
	afterAll(async () => {
		await bank?.close();
		await oldBank?.close();
		await engine?.close();
		if (folder) rmSync(folder, { recursive: true });
	});
	beforeEach(async () => {
		Object.assign(bank, { delay: 0, answer: undefined, secret: 'client-secret-of-the-partner' });
		for (const type of Object.values(types)) await set(type);
		bank.clear();
		oldBank.clear();
	});

	const pay = (more: Partial<NodeRunOptions> = {}) =>
		engine.run({
			type: 'n8n-nodes-bank.bank',
			...more,
			parameters: { resource: 'payment', operation: 'sendPackage', ...paymentParameters },
		});
	const read = (way: Way, items: object[] = [{}]) =>
		engine.run({
			type: 'n8n-nodes-bank.bank',
			items: items as never,
			parameters: { resource: 'taxpayerAccount', operation: 'get', requestId: 'x', flow: way },
		});
	/** Runs an operation with an effect that accepts any credential type. */
	const send = (way: Way) =>
		engine.run({
			type: 'n8n-nodes-bank.bankPartnerServices',
			parameters: {
				authenticateWith: way,
				resource: 'trip',
				operation: 'send',
				options: { serviceDetails: { method: 'POST', path: '/trips', payload: '{"distance":1}' } },
			},
		});
	const detailsOf = ({ error }: RunResult) => (error as unknown as { context: { details: Details } }).context.details;
	const descriptionOf = ({ error }: RunResult) => String((error as unknown as { description?: string }).description);
	const expireToken = async (type: string) =>
		engine.setCredential(type, { ...(await engine.credential(type)), accessTokenExpiresAt: '1' });
	/** No secret may be in an execution. Keys are compared line by line, because line breaks may be lost. */
	const expectNoSecrets = (text: string) => {
		expect(text).not.toMatch(/secret-(?:access|start|of-the)|client-secret-of/);
		for (const secret of [made.partner.privateKey, made.encryptedPrivateKey])
			for (const line of secret.split('\n').filter((part) => part.length === 64)) expect(text).not.toContain(line);
		for (const secret of [made.pfx.slice(0, 60), made.passphrase]) expect(text).not.toContain(secret);
	};

	describe('the certificate', () => {
		it.each([
			['PEM', pem],
			['PFX', pfx],
		])('in %s is sent with the token request and the payment', async (_name, certificate) => {
			await set(client, certificate());
			const { status, stored: text } = await pay();
			expect(status).toBe('success');
			expect(bank.calls.map(({ method, url, partner }) => [method, url, partner])).toEqual([
				['POST', '/token', 'Sandbox Partner'],
				['POST', '/api/b2cpay/jp/v1/payments', 'Sandbox Partner'],
			]);
			expectNoSecrets(text);
		});

		it.each(ways)('is sent with the call of every credential type: %s', async (way) => {
			const result = await send(way);
			expect(result.error).toBeUndefined();
			expect(bank.api.map(({ url, partner }) => [url, partner])).toEqual([['/trips', 'Sandbox Partner']]);
			expectNoSecrets(result.stored);
		});

		it('that has expired stops every operation before anything is sent', async () => {
			for (const way of ways) {
				await set(types[way], { clientCertificate: made.refused.expired.certificate });
				const result = await send(way);
				expect(result.error?.message).toContain('Client Certificate expired on');
				expect(descriptionOf(result)).toMatch(/^Open the credential\..*Nothing was sent\.$/);
				expectNoSecrets(result.stored);
			}
			expect(bank.calls).toEqual([]);
		});

		it('that the bank rejects or requires is reported as notSent if that is certain', async () => {
			const codes = async (changes: object, at: TlsBank) => {
				await set(gateway, changes, at);
				const result = await send('gateway');
				expectNoSecrets(result.stored);
				return detailsOf(result).code;
			};
			// TLS 1.3 sends an alert, TLS 1.2 fails in the handshake. If the server just disconnects, it may have received the request.
			expect(await codes({ useCertificate: false }, bank)).toBe('CERTIFICATE_REFUSED');
			expect(await codes({ useCertificate: false }, oldBank)).toBe('CERTIFICATE_REFUSED');
			expect(await codes(stranger(), oldBank)).toBe('TLS');
			expect(await codes(stranger(), bank)).toBe('ECONNRESET');
			expect([...bank.calls, ...oldBank.calls]).toEqual([]);
		});
	});

	describe('the next step', () => {
		it('for a token request of n8n itself says that n8n does not use CA of the Bank', async () => {
			bank.answer = () => ({ status: 401, body: { error: 'invalid_token' } });
			const { code, description } = detailsOf(await send('authorizationCode'));
			expect(code).toBe('TOKEN');
			expect(description).toMatch(/NODE_EXTRA_CA_CERTS/);
		});
	});

	describe('tokens of our own', () => {
		const stateOf = async (type: string) => (await engine.credential(type)) as Record<string, string>;

		it('a payment is never sent with an expired token, and exactly once with a new one', async () => {
			await pay();
			const { accessToken: old } = await stateOf(client);
			bank.tokens.delete(existing(old));
			await expireToken(client);
			bank.clear();
			const { status, stored: text } = await pay({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
			expect(status).toBe('success');
			expect(bank.api.map(({ token }) => token)).toEqual([(await stateOf(client)).accessToken]);
			expect(bank.grants).toHaveLength(1);
			expectNoSecrets(text);
		});

		it('a refresh token that is good for one use is replaced each time, and the last one is stored', async () => {
			for (let run = 0; run < 4; run++) {
				expect((await read('hostToHost')).status).toBe('success');
				await expireToken(h2h);
			}
			expect(bank.grants.map(({ grant_type }) => grant_type)).toEqual(Array(4).fill('refresh_token'));
			expect(new Set(bank.grants.map(({ refresh_token }) => refresh_token)).size).toBe(4);
			const { heldRefreshToken, refreshToken } = await stateOf(h2h);
			expect(bank.starts.has(existing(heldRefreshToken))).toBe(true);
			expect(refreshToken).toBe(bank.grants[0]?.refresh_token);
		});

		it('two simultaneous executions use the refresh token once', async () => {
			bank.delay = 5;
			const results = await Promise.all([read('hostToHost'), read('hostToHost'), read('hostToHost')]);
			expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
			expect(bank.grants).toHaveLength(1);
		});
	});

	describe('a 401', () => {
		const refusing = () => {
			bank.answer = () => ({ status: 401, body: { error: 'invalid_token' } });
		};

		it.each(ways)('after a request with an effect repeats it once if there is a new token: %s', async (way) => {
			refusing();
			const result = await send(way);
			expect(bank.api).toHaveLength(withOwnToken.includes(way) ? 2 : 1);
			// n8n reports the failed token refresh instead of the rejection.
			const told =
				way === 'authorizationCode'
					? { code: 'TOKEN', outcome: expect.not.stringMatching('unknown') }
					: { httpStatus: 401, outcome: 'rejected' };
			expect(detailsOf(result)).toMatchObject(told);
			expectNoSecrets(result.stored);
		});
	});

	describe('the test of a credential', () => {
		const plain = createServer((_request, response) => response.end('{}'));
		let plainPort: number;
		beforeAll(async () => {
			plainPort = await listen(plain);
		});
		afterAll(() => stopListening(plain));

		const verdict = async (type: string, changes: object, at = bank) => {
			await set(type, changes, at);
			const base = String((await engine.credential(type)).sandboxBaseUrl);
			const request = {
				method: 'GET',
				url: `${base}/api/pp/v1/operations`,
				headers: { 'x-n8n-bank-credential-test': '1' },
				returnFullResponse: true,
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: true,
			};
			const result = await engine.run({
				type: 'n8n-nodes-bank.credentialProbe',
				parameters: { type, request: JSON.stringify(request) },
			});
			expectNoSecrets(result.stored);
			// n8n would show either of these instead of the message.
			const { cause } = (result.error ?? {}) as { cause?: object };
			for (const name of ['code', 'response']) expect(cause ?? {}).not.toHaveProperty(name);
			return result.error?.message ?? 'OK';
		};

		it.each([client, h2h, gateway, mutualTls])('%s passes, and the marker does not reach the bank', async (type) => {
			expect(await verdict(type, {})).toBe('OK');
			expect(bank.calls.length).toBeGreaterThan(1);
			for (const { headers, partner } of bank.calls)
				expect([headers['x-n8n-bank-credential-test'], partner]).toEqual([undefined, 'Sandbox Partner']);
		});

		const somewhere = (host: string) => (type: string) =>
			type === client || type === h2h
				? { accessTokenUrl: `https://${host}/token` }
				: { sandboxBaseUrl: `https://${host}` };
		const faults: [string, (type: string) => object, RegExp, (() => TlsBank)?][] = [
			[
				'an unknown host',
				somewhere('nowhere.invalid'),
				/^The request to nowhere\.invalid \(.*\) did not succeed: the host name /,
			],
			['nobody there', somewhere('127.0.0.1:1'), /the connection was refused/],
			['an unknown authority of the bank', () => ({ bankCa: '' }), /authority that is not trusted.*CA of the Bank/],
			[
				'another host name',
				(type) => somewhere(`127.0.0.2:${new URL(bank.origin).port}`)(type),
				/127\.0\.0\.2.*(?:is for another host name|the connection was refused)/,
			],
			['no TLS', (type) => somewhere(`127.0.0.1:${plainPort}`)(type), /does not speak TLS on this port/],
			['no certificate', () => ({ useCertificate: false }), /or demands one\. Turn on "Client Certificate"/],
			[
				'no certificate, TLS 1.2',
				() => ({ useCertificate: false }),
				/or demands one\. Turn on "Client Certificate"/,
				() => oldBank,
			],
			['a certificate of a stranger', stranger, /check that the one in the credential is registered/],
			[
				'a certificate of a stranger, TLS 1.2',
				stranger,
				/check that the one in the credential is registered/,
				() => oldBank,
			],
			[
				'a wrong passphrase of a PFX',
				() => ({ ...pfx(), certificatePassphrase: 'wrong' }),
				/^Client Certificate \(PFX\) cannot be opened: wrong passphrase/,
			],
			['a wrong CA', () => ({ bankCa: made.partner.certificate }), /authority that is not trusted/],
		];
		it.each(faults.map(([name, ...fault]) => [name, fault] as const))(
			'names what is wrong: %s',
			async (_name, [changes, words, at]) => {
				for (const type of [client, h2h, gateway, mutualTls]) {
					// This type always uses the certificate.
					if (type === mutualTls && 'useCertificate' in changes(type) && !('certificateFormat' in changes(type)))
						continue;
					const said = await verdict(type, changes(type), at?.());
					expect(`${type}: ${said}`).toMatch(new RegExp(words.source.replace('^', `^${type}: `)));
					expect(said).toMatch(/\.$/);
				}
			},
		);
	});
});
