/** Token requests and their error messages. */
import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { pemCredential, made } from './support/certificates.ts';
import { type Answer, FakeN8n, unique } from './support/n8n.ts';
import { ClientCredentials, HostToHost } from './support/types.ts';

const byClientCredentials = (changes: object = {}, token?: Answer) =>
	new FakeN8n(ClientCredentials, { bankScopes: ['a', 'b'], ...changes }, token);
const fromHostToHost = (changes: object = {}, token?: Answer) =>
	new FakeN8n(HostToHost, { beginWith: 'refreshToken', refreshToken: unique('refresh-secret'), ...changes }, token);

const requestOf = async (n8n: FakeN8n): Promise<IHttpRequestOptions & { form: object }> => {
	await n8n.request();
	return { ...existing(n8n.asked[0]), form: existing(n8n.grants[0]) };
};
const saidOf = async (n8n: FakeN8n): Promise<string> => {
	const error = await n8n.request().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(Error);
	// n8n would show these properties instead of the message.
	for (const name of ['code', 'response', 'statusCode', 'config']) expect(error).not.toHaveProperty(name);
	return (error as Error).message;
};

describe('a token request', () => {
	it('sends ID and secret as Basic Auth, form-encoded, and requests the scopes', async () => {
		const { method, url, headers, form, disableFollowRedirect, agentOptions } = await requestOf(
			byClientCredentials({ clientId: 'my client' }),
		);
		expect([method, url, disableFollowRedirect, agentOptions]).toEqual([
			'POST',
			'https://id.test/token',
			true,
			undefined,
		]);
		expect(headers).toMatchObject({
			'Content-Type': 'application/x-www-form-urlencoded',
			Authorization: `Basic ${Buffer.from('my+client:sec%2Bret%2F1%3D').toString('base64')}`,
		});
		expect(form).toEqual({ grant_type: 'client_credentials', scope: 'a b' });
	});

	it('sends them in the body if the credential says so', async () => {
		const { headers, form } = await requestOf(byClientCredentials({ authentication: 'body', clientId: 'my client' }));
		expect(headers).not.toHaveProperty('Authorization');
		expect(form).toEqual({
			grant_type: 'client_credentials',
			scope: 'a b',
			client_id: 'my client',
			client_secret: 'sec+ret/1=',
		});
	});

	it.each([
		['an empty error', { error: '' }, ''],
		['an error of null', { error: null }, ''],
		['an error beside the token', { error: 'temporarily_unavailable' }, ''],
		['a byte order mark', {}, '\uFEFF'],
	])('keeps the token of a response with %s', async (_what, beside, mark) => {
		const text = mark + JSON.stringify({ access_token: 'issued-1', expires_in: 600, ...beside });
		const { headers } = await fromHostToHost({}, () => ({ body: text })).request();
		expect(headers).toMatchObject({ Authorization: 'Bearer issued-1' });
	});

	it('adds further scopes, each once, and omits the field if there are none', async () => {
		expect((await requestOf(byClientCredentials({ additionalScopes: ' c, a\nd ' }))).form).toMatchObject({
			scope: 'a b c d',
		});
		expect((await requestOf(byClientCredentials({ bankScopes: ['none'] }))).form).toEqual({
			grant_type: 'client_credentials',
		});
	});

	it('uses mutual TLS, without a secret if the certificate is enough, and the gateway headers', async () => {
		const gateway = { useGateway: true, gatewayClientId: 'partner', gatewayClientSecret: 'gateway-secret' };
		const n8n = byClientCredentials({ ...pemCredential(), ...gateway, clientId: 'my client', clientSecret: '' });
		const { headers, form, agentOptions } = await requestOf(n8n);
		expect(form).toEqual({ grant_type: 'client_credentials', scope: 'a b', client_id: 'my client' });
		expect(headers).toMatchObject({ 'X-GW-Client-Id': 'partner', 'x-gw-client-secret': 'gateway-secret' });
		expect(agentOptions).toEqual({ cert: made.partner.certificate, key: made.partner.privateKey, ca: made.ca });
		// The API request has the header too.
		expect(n8n.sent[0]).toMatchObject({
			agentOptions,
			headers: {
				'X-GW-Client-Id': 'partner',
				'x-gw-client-secret': 'gateway-secret',
				Authorization: expect.stringMatching(/^Bearer token-/),
			},
		});
	});

	it('exchanges a code with its redirect URI, or a refresh token', async () => {
		const code = {
			beginWith: 'authorizationCode',
			authorizationCode: ` ${unique('code')}\n`,
			redirectUri: 'https://company.test/callback',
		};
		expect((await requestOf(fromHostToHost(code))).form).toEqual({
			grant_type: 'authorization_code',
			code: code.authorizationCode.trim(),
			redirect_uri: 'https://company.test/callback',
		});
		expect((await requestOf(fromHostToHost({ refreshToken: 'refresh-begun' }))).form).toEqual({
			grant_type: 'refresh_token',
			refresh_token: 'refresh-begun',
		});
	});
});

describe('a token response', () => {
	it.each([
		['a lifetime', { expires_in: 3600 }, 3_540_000],
		['a lifetime as text', { expires_in: '600' }, 540_000],
		['a lifetime of seconds', { expires_in: 10 }, 9000],
		['no lifetime', {}, undefined],
		['nonsense for a lifetime', { expires_in: 'soon' }, undefined],
		['a lifetime of nought', { expires_in: 0 }, undefined],
		['a lifetime of less', { expires_in: -5 }, undefined],
		['a lifetime without end', { expires_in: '1e999' }, undefined],
	])('with %s says when to renew', async (_name, more, after) => {
		const n8n = byClientCredentials({}, () => ({ body: { access_token: 'fine', ...more } }));
		const before = Date.now();
		await n8n.request();
		const { accessTokenExpiresAt } = n8n.stored as { accessTokenExpiresAt: string };
		if (after === undefined) return expect(accessTokenExpiresAt).toBe('');
		expect(Number(accessTokenExpiresAt) - before - after).toBeGreaterThanOrEqual(0);
		expect(Number(accessTokenExpiresAt) - before - after).toBeLessThan(1000);
	});

	const refused = (error: string, description?: string) => ({
		status: 400,
		body: { error, error_description: description },
	});
	const endless = function* () {
		for (;;) yield Buffer.alloc(100_000);
	};
	const noCertificate = '<html><title>400 No required SSL certificate was sent</title></html>';
	it.each<[string, { status?: number; body?: unknown; headers?: Record<string, unknown> }, RegExp]>([
		['a wrong secret', { status: 401, body: { error: 'invalid_client' } }, /\(invalid_client\)\. Check both/],
		['a scope that is not open', refused('invalid_scope'), /\(invalid_scope\): a b\. Request exactly those/],
		['a flow that is not open', refused('unauthorized_client'), /not allow this client to use the flow client_cred/],
		[
			'an unknown flow',
			refused('unsupported_grant_type'),
			/not allow this client to use the flow client_credentials \(unsup/,
		],
		['another refusal', refused('teapot', 'short and stout'), /\(400 teapot\).*The bank says: "short and stout"\.$/],
		['a refusal without a code', { status: 403, body: 'Go away' }, /\(403\).*"Go away"/],
		[
			'a refusal in another form',
			{ status: 400, body: { error: { code: 5 } } },
			/\(400\)\..*"\{"error":\{"code":5\}\}"/,
		],
		['a refusal with status 200', { body: { error: 'invalid_scope' } }, /\(invalid_scope\): a b/],
		['a refusal with status 302', { status: 302, body: { error: 'invalid_client' } }, /\(invalid_client\)\. Check/],
		['no certificate', { status: 400, body: noCertificate }, /not accept the client certificate, or requires one/],
		['no endpoint', { status: 404, body: 'no' }, /^There is no token endpoint at this URL \(404\)\..*"no"\.$/],
		['a redirect that says nowhere', { status: 302 }, /redirects elsewhere \(302\)\. Enter the final URL/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'https://login.test/?token=abc' } },
			/redirects elsewhere \(302 to https:\/\/login\.test\/\)\. Enter the final URL/,
		],
		['too many', { status: 429 }, /too many token requests/],
		['an outage', { status: 503, body: '<h1>Maintenance</h1>' }, /not available \(503\)\. Try.*"Maintenance"/],
		['a web page', { body: '<html>' }, /not return JSON with a valid access_token\. Check Access Token URL/],
		['nothing', {}, /not return JSON/],
		['an endless text', { body: Readable.from(endless()) }, /not return JSON/],
		['JSON without a token', { body: { id_token: 'x' } }, /with a valid access_token/],
		['a token that cannot be sent', { body: { access_token: 'a\nb' } }, /with a valid access_token/],
	])('that is %s is told apart', async (_name, answer, words) => {
		const said = await saidOf(byClientCredentials({}, () => answer as Awaited<ReturnType<Answer>>));
		expect(said).toMatch(words);
		expect(said).toMatch(/\.$/);
	});

	it('that rejects the scopes although none were requested says so', async () => {
		const n8n = byClientCredentials({ bankScopes: ['none'] }, () => refused('invalid_scope'));
		expect(await saidOf(n8n)).toContain('(invalid_scope): none. Request exactly those that your bank granted you.');
	});

	it('that rejects a code or a refresh token says what to get from the bank', async () => {
		const no: Answer = () => refused('invalid_grant');
		for (const begin of [
			{},
			{ beginWith: 'authorizationCode', authorizationCode: unique('code'), redirectUri: 'https://a.test' },
		])
			expect(await saidOf(fromHostToHost(begin, no))).toMatch(
				/^The bank does not accept the authorization code or refresh token .* Try again: another worker.* get a new/,
			);
	});

	const issued = 'N3wTok3nOfTheBank9fA';

	it.each([`<access_token>${issued}</access_token>`, `[{"access_token":"${issued}"}]`, issued])(
		'with a token in an unknown format does not put it into the message: %s',
		async (body) => {
			expect(await saidOf(byClientCredentials({}, () => ({ body })))).not.toMatch(/OfTheBank/);
		},
	);

	it('that repeats the secrets does not put them into the message', async () => {
		const refreshToken = 'refresh-secret-told';
		const basic = Buffer.from('client:sec%2Bret%2F1%3D').toString('base64');
		const said = await saidOf(
			fromHostToHost({ refreshToken, clientId: 'client' }, () => ({
				status: 400,
				body: {
					error: 'teapot',
					error_description: `${basic} and sec+ret/1= and sec%2Bret%2F1%3D and ${refreshToken} and Bearer abcdef`,
				},
			})),
		);
		expect(said).not.toMatch(/sec\+ret|sec%2B|refresh-secret|abcdef/);
		expect(said).not.toContain(basic.slice(8, 16));
		expect(said).toContain('"[REDACTED] and [REDACTED] and [REDACTED] and [REDACTED] and Bearer [REDACTED]"');
	});
});

describe('missing values', () => {
	it.each([
		[{ accessTokenUrl: '' }, /^Access Token URL is empty/],
		[{ clientId: ' ' }, /^Client ID is empty/],
		[{ clientSecret: '' }, /^Client Secret is empty/],
		[{ useCertificate: true }, /^Client Certificate is empty/],
		[{ useGateway: true }, /^Gateway Client Secret is empty/],
	])('for %j are reported, and nothing is sent', async (changes, words) => {
		const n8n = byClientCredentials(changes);
		const said = await saidOf(n8n);
		expect(said).toMatch(words);
		// The message continues with advice.
		expect(said).toMatch(/\. [A-Z].+\.$/);
		expect(n8n.asked).toEqual([]);
	});

	it('include an initial code or refresh token', async () => {
		expect(await saidOf(fromHostToHost({ refreshToken: ' ' }))).toMatch(/^Refresh Token is empty\. Enter the value/);
		expect(await saidOf(fromHostToHost({ beginWith: 'authorizationCode' }))).toMatch(
			/^Authorization Code is empty\. Enter the value/,
		);
	});
});

it('a token request without a response names its URL', async () => {
	const n8n = byClientCredentials({}, () => {
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	});
	expect(await saidOf(n8n)).toMatch(
		/^The request to id\.test \(Access Token URL\) did not succeed: the connection broke before .*Check the connection/,
	);
});
