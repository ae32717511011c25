/** When tokens are fetched, and how often. */
import { existing } from '../../fixtures/src/existing.ts';
import { refreshTimeOf, storedToken } from '../src/index.ts';
import { pemCredential, made } from './support/certificates.ts';
import { type Answer, FakeN8n, tokenIn, unique } from './support/n8n.ts';
import { ClientCredentials, Gateway, HostToHost, MutualTls } from './support/types.ts';

afterEach(() => jest.useRealTimers());

/** A bank with one-time refresh tokens. */
class Issuer {
	readonly good = new Set<string>();
	lifetime: number | undefined = 3600;
	rotates = true;
	token: Answer = ({ body }) => {
		const form = new URLSearchParams(String(body));
		const used = form.get('code') ?? form.get('refresh_token');
		if (used !== null && !this.good.has(used)) return { status: 400, body: { error: 'invalid_grant' } };
		if (used !== null && (this.rotates || form.has('code'))) this.good.delete(used);
		const refresh_token = unique('refresh');
		if (used !== null && (this.rotates || form.has('code'))) this.good.add(refresh_token);
		return {
			body: {
				access_token: unique('access'),
				expires_in: this.lifetime,
				...(this.good.has(refresh_token) ? { refresh_token } : {}),
			},
		};
	};
	give(): string {
		const value = unique('given');
		this.good.add(value);
		return value;
	}
}

const fail = () => {
	throw new Error('500');
};

const openHostToHost = (issuer: Issuer, changes: object = {}) =>
	new FakeN8n(HostToHost, { beginWith: 'refreshToken', refreshToken: issuer.give(), ...changes }, issuer.token);

describe.each([
	['client credentials', (issuer: Issuer) => new FakeN8n(ClientCredentials, {}, issuer.token)],
	['host to host', openHostToHost],
])('%s', (_name, open) => {
	let issuer: Issuer;
	let n8n: FakeN8n;
	beforeEach(() => {
		issuer = new Issuer();
		n8n = open(issuer);
	});

	it('stores the scopes of the token, and forgets them with the token', async () => {
		const { token } = issuer;
		for (const scope of ['one two', ['one', 'two'], undefined]) {
			n8n.token = async (request) => {
				const { body, ...answer } = await token(request);
				return { ...answer, body: { ...(body as object), scope } };
			};
			await n8n.test();
			expect(storedToken(n8n.stored as never).scopes).toEqual(scope && ['one', 'two']);
		}
	});

	it('fetches another token after the expiry, before anything is sent', async () => {
		jest.useFakeTimers({ now: Date.now() });
		const first = tokenIn(await n8n.request());
		jest.setSystemTime(Date.now() + 3_530_000);
		expect(tokenIn(await n8n.request())).toBe(first);
		jest.setSystemTime(Date.now() + 20_000);
		expect(tokenIn(await n8n.request())).not.toBe(first);
		expect(n8n.sent.map(tokenIn)).toEqual([first, first, expect.not.stringMatching(first)]);
	});

	it('sends a token with almost no lifetime, instead of fetching tokens in a loop', async () => {
		issuer.lifetime = 1e-7;
		await n8n.request();
		await n8n.request();
		expect(n8n.grants).toHaveLength(2);
		expect(new Set(n8n.sent.map(tokenIn)).size).toBe(2);
	});

	it('keeps a token without an expiry until the bank rejects it', async () => {
		jest.useFakeTimers({ now: Date.now() });
		issuer.lifetime = undefined;
		const first = tokenIn(await n8n.request());
		jest.setSystemTime(Date.now() + 1e10);
		expect(tokenIn(await n8n.request())).toBe(first);
		n8n.takes = (request) => tokenIn(request) !== first;
		expect(tokenIn(await n8n.request())).not.toBe(first);
		expect(n8n.grants).toHaveLength(2);
	});

	it.each([
		['client ID', { clientId: 'another' }],
		['secret', { clientSecret: 'changed' }],
		['token URL', { accessTokenUrl: 'https://other.test/token' }],
		['way to prove itself', { authentication: 'body' }],
		['gateway', { useGateway: true, gatewayClientId: 'p', gatewayClientSecret: 's' }],
	])('fetches another token at once if the user changes the %s', async (_what, changes) => {
		const first = tokenIn(await n8n.request());
		n8n.stored = { ...n8n.stored, ...changes };
		expect(tokenIn(await n8n.request())).not.toBe(first);
		expect(n8n.sent).toHaveLength(2);
	});

	it('fetches another token at once if the user changes the certificate', async () => {
		const first = tokenIn(await n8n.request());
		n8n.stored = { ...n8n.stored, ...pemCredential() };
		const second = tokenIn(await n8n.request());
		expect(second).not.toBe(first);
		n8n.stored = {
			...n8n.stored,
			certificateFormat: 'pfx',
			clientCertificatePfx: made.pfx,
			certificatePassphrase: made.passphrase,
		};
		expect(tokenIn(await n8n.request())).not.toBe(second);
	});

	it('requests one token for simultaneous requests', async () => {
		const tokens = (await Promise.all(Array.from({ length: 8 }, () => n8n.request()))).map(tokenIn);
		expect(n8n.grants).toHaveLength(1);
		expect(new Set(tokens).size).toBe(1);
	});

	it('requests a token for each of two simultaneous clients, with its own secret', async () => {
		const other = open(issuer);
		const [own, others] = await Promise.all([n8n.request(), other.request()]);
		expect(tokenIn(own)).not.toBe(tokenIn(others));
		expect([n8n.grants.length, other.grants.length]).toEqual([1, 1]);
	});

	it('requests one token if the bank rejects several requests one after the other', async () => {
		const first = tokenIn(await n8n.request());
		const held = [n8n.read(), n8n.read(), n8n.read()];
		n8n.takes = (request) => tokenIn(request) !== first;
		const tokens = [];
		for (const credential of held) tokens.push(tokenIn(await n8n.request({}, credential)));
		expect(new Set(tokens).size).toBe(1);
		expect(n8n.grants).toHaveLength(2);
	});

	it.each([
		['is shared for five minutes', 290_000, 3600, 2],
		['is not shared for longer', 310_000, 3600, 3],
		['is not shared when its own time is over', 60_000, 61, 3],
		['is shared where it has no end', 60_000, undefined, 2],
	])('one that another request has got %s', async (_what, later, lifetime, fetched) => {
		jest.useFakeTimers({ now: Date.now() });
		issuer.lifetime = lifetime;
		const first = tokenIn(await n8n.request());
		const [one, other] = [n8n.read(), n8n.read()];
		n8n.takes = (request) => tokenIn(request) !== first;
		await n8n.request({}, one);
		jest.setSystemTime(Date.now() + later);
		// The token of the other credential is rejected, or known to be expired.
		await n8n.request({}, other);
		expect(n8n.grants).toHaveLength(fetched);
	});

	it('shares a failure, and asks again for the next request', async () => {
		const good = n8n.token;
		n8n.token = async () => {
			await new Promise((resolve) => setImmediate(resolve));
			return { status: 503 };
		};
		const outcomes = await Promise.allSettled([n8n.request(), n8n.request()]);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(n8n.grants).toHaveLength(1);
		n8n.token = good;
		expect(tokenIn(await n8n.request())).toMatch(/^access-/);
	});

	it('does not let HTTP Request nodes repeat a request with an effect; the next request has another token', async () => {
		await expect(n8n.olderRequest('POST', fail)).rejects.toThrow('500');
		expect(n8n.sent).toHaveLength(1);
		await n8n.olderRequest('POST', () => undefined);
		await n8n.olderRequest('POST', () => undefined);
		const [first, second, third] = n8n.sent.map(tokenIn);
		expect(second).not.toBe(first);
		expect(third).toBe(second);
		await expect(n8n.olderRequest('GET', fail)).rejects.toThrow('500');
		expect(n8n.sent).toHaveLength(5);
	});

	it('continues if the bank issues the same token again after such an error', async () => {
		const { token } = n8n;
		let body: unknown;
		n8n.token = async (request) => ({ body: (body ??= (await token(request)).body) });
		await expect(n8n.olderRequest('POST', fail)).rejects.toThrow('500');
		for (let round = 0; round < 3; round++) await n8n.olderRequest('POST', () => undefined);
		expect(n8n.grants).toHaveLength(2);
	});

	it('is tested with a new token, after a check that the API is reachable', async () => {
		const first = tokenIn(await n8n.request());
		const tested = await n8n.test();
		expect(tokenIn(tested)).not.toBe(first);
		expect(tested.headers).not.toHaveProperty('x-n8n-bank-credential-test');
		expect(n8n.asked.slice(1).map(({ method, url }) => [method, url])).toEqual([
			['GET', 'https://api.test/'],
			['POST', 'https://id.test/token'],
		]);
		// The next request uses the token fetched in the test.
		expect(tokenIn(await n8n.request())).toBe(tokenIn(tested));
		n8n.token = () => ({ status: 401, body: { error: 'invalid_client' } });
		await expect(n8n.test()).rejects.toThrow(/invalid_client/);
	});

	it('is tested with its own token, even if another request has just fetched one', async () => {
		const old = n8n.read();
		await n8n.request({}, n8n.read());
		const refused = tokenIn(existing(n8n.sent[0]));
		Object.assign(old, n8n.stored);
		n8n.takes = (request) => tokenIn(request) !== refused;
		await n8n.request();
		await n8n.request({ 'x-n8n-bank-credential-test': '1' }, old);
		expect(n8n.grants).toHaveLength(3);
	});

	it('is tested with one token request when nothing is stored', async () => {
		await n8n.test();
		expect(n8n.grants).toHaveLength(1);
		expect(n8n.asked.map(({ url }) => url)).toEqual(['https://id.test/token', 'https://api.test/']);
	});
});

describe('client credentials', () => {
	it('fetches another token at once if the user requests another scope', async () => {
		const n8n = new FakeN8n(ClientCredentials, { bankScopes: ['a'] }, new Issuer().token);
		await n8n.request();
		n8n.stored = { ...n8n.stored, bankScopes: ['a', 'b'] };
		await n8n.request();
		expect(n8n.grants).toMatchObject([{ scope: 'a' }, { scope: 'a b' }]);
	});

	it('ignores a refresh token that the bank adds, which would expire', async () => {
		const n8n = new FakeN8n(ClientCredentials, {}, () => ({
			body: { access_token: unique('access'), refresh_token: unique('refresh') },
		}));
		const refused = tokenIn(await n8n.request());
		n8n.takes = (request) => tokenIn(request) !== refused;
		await n8n.request();
		expect(n8n.grants.map(({ grant_type }) => grant_type)).toEqual(['client_credentials', 'client_credentials']);
	});

	it('fetches a token if none is stored, even if another request has just fetched one', async () => {
		const n8n = new FakeN8n(ClientCredentials);
		const empty = n8n.stored;
		await n8n.request();
		n8n.stored = empty;
		await n8n.request();
		expect(n8n.grants).toHaveLength(2);
	});
});

describe('a refresh token', () => {
	const open = openHostToHost;
	const expire = (n8n: FakeN8n) => (n8n.stored = { ...n8n.stored, accessTokenExpiresAt: '1' });
	let issuer: Issuer;
	beforeEach(() => (issuer = new Issuer()));
	const redirectUri = 'https://company.example/callback';
	const byCode = () => ({ beginWith: 'authorizationCode', authorizationCode: issuer.give(), redirectUri });
	/** A credential that begins with a code, and whose bank gives no refresh token. */
	const withoutRefreshToken = (expires_in?: number) => {
		const n8n = open(issuer, byCode());
		n8n.token = () => ({ body: { access_token: unique('access'), expires_in } });
		return n8n;
	};

	it('that is valid once is replaced by the next one each time', async () => {
		const n8n = open(issuer);
		for (let round = 0; round < 4; round++) {
			await n8n.request();
			expire(n8n);
		}
		const used = n8n.grants.map(({ refresh_token }) => refresh_token);
		expect(used).toHaveLength(4);
		expect(new Set(used).size).toBe(4);
	});

	it('comes with a code, which is used once', async () => {
		const n8n = open(issuer, { ...byCode(), redirectUri: 'https://company.test/callback' });
		await n8n.request();
		expire(n8n);
		await n8n.request();
		expect(n8n.grants.map(({ grant_type }) => grant_type)).toEqual(['authorization_code', 'refresh_token']);
	});

	/** Simulates a restart: only stored data remains, and lazily loaded modules are loaded again. */
	async function restarted(before: FakeN8n, changes: object, then: (later: FakeN8n) => Promise<void>): Promise<void> {
		await jest.isolateModulesAsync(async () => {
			const fresh = await import('../src/index.ts');
			class Restarted extends fresh.TokenBase {
				properties = fresh.forms.bankHostToHostOAuth2Api;
			}
			await then(new FakeN8n(Restarted, { ...before.stored, ...changes }, before.token));
		});
	}

	it('that the bank does not issue: the same error if n8n could not store the token', async () => {
		jest.useFakeTimers({ now: Date.now() });
		const n8n = withoutRefreshToken(60);
		const before = n8n.stored;
		await n8n.request();
		n8n.stored = before;
		jest.setSystemTime(Date.now() + 70_000);
		await expect(n8n.request()).rejects.toThrow(/the bank issued no refresh token/);
		expect(n8n.grants).toHaveLength(1);
	});

	it('that n8n could not store is redacted if the bank quotes it', async () => {
		jest.useFakeTimers({ now: Date.now() });
		const n8n = open(issuer);
		const before = n8n.stored;
		await n8n.request();
		const { heldRefreshToken } = n8n.stored;
		n8n.stored = before;
		jest.setSystemTime(Date.now() + 4_000_000);
		n8n.token = () => ({ status: 400, body: { error: 'teapot', error_description: `no ${String(heldRefreshToken)}` } });
		await expect(n8n.request()).rejects.toThrow('The bank says: "no [REDACTED]".');
	});

	it('that the bank keeps valid after a rotation is used after a restart', async () => {
		const n8n = open(issuer);
		await n8n.request();
		const replaced = n8n.stored.heldRefreshToken;
		issuer.rotates = false;
		expire(n8n);
		await n8n.request();
		expire(n8n);
		await restarted(n8n, {}, async (later) => {
			await later.request();
			expect(later.grants).toEqual([{ grant_type: 'refresh_token', refresh_token: replaced }]);
		});
	});

	it('that was never issued: the same error after a restart, until a new code is entered', async () => {
		const n8n = withoutRefreshToken();
		await n8n.request();
		expire(n8n);
		await restarted(n8n, {}, async (later) => {
			await expect(later.request()).rejects.toThrow(
				/the bank issued no refresh token\. If the token has expired .* get a new code from your bank/,
			);
			expect(later.grants).toEqual([]);
		});
		await restarted(n8n, { authorizationCode: 'another' }, async (anew) => {
			await anew.request();
			expect(anew.grants).toMatchObject([{ grant_type: 'authorization_code', code: 'another' }]);
		});
	});

	it('that was never issued does not make a valid token expired', async () => {
		const n8n = withoutRefreshToken(3600);
		await n8n.request();
		await expect(n8n.test()).rejects.toThrow(/^The access token cannot be renewed: .* If the token has expired/);
		n8n.stored = { ...n8n.stored, clientSecret: 'changed' };
		await expect(n8n.request()).rejects.toThrow(/the credential was changed/);
	});

	it('that was never issued: the token survives a failed request of an HTTP Request node', async () => {
		const n8n = withoutRefreshToken();
		await expect(n8n.olderRequest('POST', fail)).rejects.toThrow('500');
		await n8n.olderRequest('POST', () => undefined);
		// The error of the request is not replaced by one about the token.
		await expect(n8n.olderRequest('GET', fail)).rejects.toThrow('500');
		expect(n8n.grants).toHaveLength(1);
	});

	it('is kept if n8n could not store it', async () => {
		jest.useFakeTimers({ now: Date.now() });
		const n8n = open(issuer);
		const before = n8n.stored;
		const first = tokenIn(await n8n.request());
		n8n.stored = before;
		expect(tokenIn(await n8n.request())).toBe(first);
		n8n.stored = before;
		jest.setSystemTime(Date.now() + 4_000_000);
		expect(tokenIn(await n8n.request())).not.toBe(first);
		expect(new Set(n8n.grants.map(({ refresh_token }) => refresh_token)).size).toBe(2);
	});

	it('of a new entry starts over', async () => {
		const n8n = open(issuer);
		await n8n.request();
		const refreshToken = issuer.give();
		n8n.stored = { ...n8n.stored, refreshToken };
		await n8n.request();
		expect(n8n.grants.at(-1)).toEqual({ grant_type: 'refresh_token', refresh_token: refreshToken });
		expect(n8n.grants).toHaveLength(2);
	});

	it.each([{ redirectUri: 'another' }, { clientSecret: 'changed' }])(
		'continues after a change: %j',
		async (changes) => {
			const n8n = open(issuer, { ...byCode(), redirectUri: 'a' });
			await n8n.request();
			const { heldRefreshToken } = n8n.stored;
			n8n.stored = { ...n8n.stored, ...changes };
			await n8n.request();
			expect(n8n.grants.at(-1)?.refresh_token).toBe(heldRefreshToken);
		},
	);
});

describe("a token of n8n's own OAuth2", () => {
	const data = { n8n_expires_at: 1_760_000_000_000, refresh_token: 'refresh' };

	it.each([
		[{ expires_in: 3600 }, 60_000],
		[{ expires_in: '300' }, 30_000],
		[{}, 0],
		[{ expires_in: 'soon', n8n_expires_at: '1760000000000' }, 0],
	])('with %j is refreshed %d ms before its expiry', (more, before) => {
		expect(refreshTimeOf({ ...data, ...more })).toBe(data.n8n_expires_at - before);
	});

	it.each([
		undefined,
		{},
		{ ...data, refresh_token: '' },
		{ ...data, refresh_token: undefined },
		{ ...data, n8n_expires_at: undefined },
		{ ...data, n8n_expires_at: null },
		{ ...data, n8n_expires_at: 'soon' },
	])('for which n8n stores %j is used until the bank rejects it', (known) => {
		expect(refreshTimeOf(known)).toBeUndefined();
	});
});

describe('without a token', () => {
	const gateway = (changes: object = {}) => new FakeN8n(Gateway, { gatewayClientSecret: 'gateway-secret', ...changes });
	const mutualTls = (changes: object = {}) => new FakeN8n(MutualTls, { ...pemCredential(), ...changes });

	it('the gateway gets its headers', async () => {
		const n8n = gateway();
		expect((await n8n.request({ Accept: 'a' })).headers).toEqual({
			Accept: 'a',
			'X-GW-Client-Id': 'partner',
			'x-gw-client-secret': 'gateway-secret',
		});
		expect(n8n.asked).toEqual([]);
	});

	it('mutual TLS needs a certificate, and sends the client ID', async () => {
		expect(await mutualTls().request()).toMatchObject({
			headers: { 'x-gw-client-id': 'partner' },
			agentOptions: { cert: made.partner.certificate },
		});
		await expect(new FakeN8n(MutualTls).request()).rejects.toThrow(/^Client Certificate is empty/);
	});

	it('a 401 outside of the test sends no further request', async () => {
		const n8n = gateway();
		n8n.takes = () => false;
		await expect(n8n.request()).rejects.toThrow('401');
		expect(n8n.asked).toEqual([]);
	});

	it.each([401, 403])('a test that the bank rejects with %d reports it, and quotes the bank', async (status) => {
		const n8n = gateway();
		n8n.reached = () => ({ status, body: 'Go away' });
		await expect(n8n.test()).rejects.toThrow(
			`The bank does not accept this credential (${status}). ` +
				'Check the values and that they belong to this environment. The bank says: "Go away".',
		);
		n8n.reached = () => ({ status });
		await expect(n8n.test()).rejects.toThrow(/belong to this environment\.$/);
		const tls = mutualTls();
		tls.reached = () => ({ status });
		await expect(tls.test()).rejects.toThrow(`The bank does not accept this credential (${status})`);
	});

	it('a test whose response is about the client certificate says so', async () => {
		const n8n = mutualTls({ testPath: 'status' });
		n8n.reached = () => ({ status: 400, body: 'No required SSL certificate was sent' });
		await expect(n8n.test()).rejects.toThrow(
			"The bank's server does not accept the client certificate, or requires one (400). Ask your bank",
		);
	});

	it.each([undefined, '/', ' '])('passes without a path (%j): the form says what is not tested', async (testPath) => {
		for (const status of [200, 404, 500])
			for (const n8n of [
				gateway({ testPath }),
				mutualTls({ testPath }),
				mutualTls({ testPath, gatewayClientId: '' }),
			]) {
				n8n.reached = () => ({ status });
				await expect(n8n.test()).resolves.toMatchObject({ method: 'GET' });
			}
	});

	it.each([500, 404, 302, 429])('a path that returns %d fails the test of any type', async (status) => {
		for (const n8n of [gateway({ testPath: 'status' }), mutualTls({ testPath: 'status' })]) {
			n8n.reached = () => ({ status });
			await expect(n8n.test()).rejects.toThrow(
				`Test Path returned ${status}, so the credential was not tested. Correct the path, or enter / to test only base URL and certificate.`,
			);
		}
	});

	it('the test accepts text and any status, follows no redirect, and sends the certificate', async () => {
		const n8n = mutualTls({ testPath: 'status' });
		await n8n.test();
		expect(n8n.asked).toMatchObject([
			{
				method: 'GET',
				url: 'https://api.test/status',
				headers: { Accept: 'application/json', 'x-gw-client-id': 'partner' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				agentOptions: { cert: made.partner.certificate },
			},
		]);
		const plain = gateway({ testPath: 'status' });
		await plain.test();
		expect(plain.asked[0]).not.toHaveProperty('agentOptions');
		expect(plain.sent[0]).not.toHaveProperty('agentOptions');
	});
});
