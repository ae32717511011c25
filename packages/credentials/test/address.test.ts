/** URLs that secrets can be sent to. */
import { credentialErrorOf, validateCredential } from '../src/index.ts';
import { pemCredential } from './support/certificates.ts';
import { FakeN8n, unique } from './support/n8n.ts';
import { ClientCredentials, Gateway, HostToHost, MutualTls } from './support/types.ts';

const n8nWith = (Type: new () => object, changes: object = {}) =>
	new FakeN8n(Type, {
		sandboxBaseUrl: 'https://api.test/prefix',
		authorizationCode: unique('code'),
		redirectUri: 'https://company.test/callback',
		gatewayClientSecret: 'gateway-secret',
		...changes,
	});
const all: [string, () => FakeN8n][] = [
	['client credentials', () => n8nWith(ClientCredentials)],
	['host to host', () => n8nWith(HostToHost)],
	['gateway', () => n8nWith(Gateway)],
	['mutual TLS', () => n8nWith(MutualTls, { ...pemCredential(), gatewayClientSecret: '' })],
];

describe.each(all)('a request with %s', (_, n8n) => {
	it.each([
		{ url: 'https://api.test/anything' },
		{ url: 'https://API.test:443/x' },
		{ url: '/x', baseURL: 'https://api.test/prefix' },
		{ url: 'x', baseURL: 'https://api.test' },
		{ url: '', baseURL: 'https://api.test' },
		{ url: '/x?at=https://elsewhere.test/', baseURL: 'https://api.test' },
		{ url: 'x/at:noon', baseURL: 'https://api.test' },
		{ uri: 'https://api.test/older-helper', followRedirect: true, followAllRedirects: true },
	])('goes to the bank: %j', async (asks) => {
		const world = n8n();
		world.asks = asks;
		await world.request();
		expect(world.sent).toHaveLength(1);
		// n8n's older helper follows redirects by default.
		expect(world.sent[0]).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it.each([
		{ proxy: 'http://elsewhere.test:3128' },
		{ proxy: { host: 'elsewhere.test', port: 3128 } },
		{ uri: 'https://api.test/older-helper', url: undefined, proxy: 'http://elsewhere.test:3128' },
		{ environment: 'production', skipSslCertificateValidation: true },
		{ environment: 'production', rejectUnauthorized: false },
	])('is not sent unencrypted: %j', async ({ environment, ...asks }) => {
		const world = n8n();
		world.asks = { url: 'https://api.test/x', ...asks } as typeof world.asks;
		if (environment !== undefined)
			Object.assign(world.stored, { environment, productionBaseUrl: 'https://api.test/prefix' });
		await expect(world.request()).rejects.toThrow(/is for the bank only, and the request (?:uses a proxy|ignores)/);
		expect(world.sent).toEqual([]);
	});

	it.each([
		{ url: 'https://elsewhere.test/x' },
		{ url: 'http://api.test/x' },
		{ url: 'https://api.test:8443/x' },
		{ url: 'https://api.test.elsewhere.test/x' },
		{ url: 'https://api.test@elsewhere.test/x' },
		{ url: '//elsewhere.test/x', baseURL: 'https://api.test' },
		{ url: 'http://elsewhere.test/x', baseURL: 'https://api.test' },
		{ url: '\\\\elsewhere.test/x', baseURL: 'https://api.test' },
		{ url: 'data:x', baseURL: 'https://api.test' },
		{ url: 's3://elsewhere.test/x', baseURL: 'https://api.test' },
		{ url: '/x' },
		{ url: 'x', baseURL: 'https:/' },
		{ uri: 'https://elsewhere.test/x' },
		{ url: '', uri: '' },
	])('is not sent to another URL: %j', async (asks) => {
		const world = n8n();
		world.asks = asks;
		await expect(world.request()).rejects.toThrow(
			'the request goes to another host. Use a URL that starts with the base URL of the credential.',
		);
		expect(world.sent).toEqual([]);
		// n8n fetches the first token before it calls authenticate.
		expect(world.asked.filter(({ url }) => url !== 'https://id.test/token')).toEqual([]);
	});

	it.each(['Host', 'host', 'HOST', ' Host '])('is not sent with a host in the header %j', async (name) => {
		const world = n8n();
		await expect(world.request({ [name]: 'elsewhere.test' })).rejects.toThrow(
			'the request has a Host header, which can name another host. Remove the Host header from the node.',
		);
		expect(world.sent).toEqual([]);
	});

	it.each([
		['http://api.test', 'The base URL starts with http, so secrets would be sent unencrypted'],
		['https://user:word@api.test', 'The base URL contains a user name or password'],
		['https://user@api.test', 'The base URL contains a user name or password'],
		['https://api.test?x=1', 'The base URL contains ?, # or a backslash'],
		['https://api.test/#x', 'The base URL contains ?, # or a backslash'],
		['https://api.test\\@elsewhere.test', 'The base URL contains ?, # or a backslash'],
		['https://', 'The base URL is not a valid URL'],
		['api.test', 'The base URL is not a valid URL'],
		['', 'The base URL is empty'],
	])('is not sent to the production address %s', async (productionBaseUrl, words) => {
		const world = n8n();
		world.stored = { ...world.stored, environment: 'production', productionBaseUrl };
		world.asks = { url: `${productionBaseUrl}/x` };
		for (const send of [async () => await world.request(), async () => await world.test()])
			await expect(send()).rejects.toThrow(words);
		expect([world.sent, world.asked.filter(({ url }) => url !== 'https://id.test/token')]).toEqual([[], []]);
	});
});

describe.each([
	['production', 'http://127.0.0.1:4010'],
	['production', 'http://[::1]:4010'],
	['production', 'http://localhost:4010'],
	['sandbox', 'http://sandbox.bank.test'],
])('in the environment %s', (environment, url) => {
	it(`${url} needs no TLS`, async () => {
		const n8n = n8nWith(Gateway, { environment, productionBaseUrl: url, sandboxBaseUrl: url });
		n8n.asks = { url: `${url}/x` };
		await n8n.request();
		expect(n8n.sent).toHaveLength(1);
	});
});

describe('tokens', () => {
	const production = { environment: 'production', productionBaseUrl: 'https://api.test' };

	it.each([
		['http://id.test/token', 'Access Token URL starts with http, so secrets would be sent unencrypted'],
		['http://127.0.0.1.elsewhere.test/token', 'Access Token URL starts with http'],
		['https://user:word@id.test/token', 'Access Token URL contains a user name or password'],
		['https://:word@id.test/token', 'Access Token URL contains a user name or password'],
		['id.test/token', 'Access Token URL is not a valid URL'],
		['https://[', 'Access Token URL is not a valid URL'],
		['https://id.test/to\u0000ken', 'Access Token URL contains a space, tab or line break'],
		['https://id\t.test/token', 'Access Token URL contains a space, tab or line break'],
		['https://id.test/token#x', 'Access Token URL contains #'],
		['ftp://https://id.test', 'Access Token URL is not a valid URL'],
	])('are not requested at %s', async (accessTokenUrl, words) => {
		for (const Type of [ClientCredentials, HostToHost]) {
			const n8n = n8nWith(Type, { ...production, accessTokenUrl });
			await expect(n8n.request()).rejects.toThrow(words);
			expect([n8n.sent, n8n.asked]).toEqual([[], []]);
		}
		expect(() => validateCredential({ ...production, accessTokenUrl })).toThrow(words);
		expect(() => validateCredential({ ...production, authUrl: accessTokenUrl })).toThrow(
			words.replace('Access Token', 'Authorization'),
		);
	});

	it('are not requested over plain http with a client certificate, which would not be sent', async () => {
		const n8n = n8nWith(ClientCredentials, { ...pemCredential(), accessTokenUrl: 'http://id.test/token' });
		await expect(n8n.request()).rejects.toThrow(
			'A client certificate needs an Access Token URL that starts with https',
		);
		expect([n8n.sent, n8n.asked]).toEqual([[], []]);
	});
});

it.each([
	[{ productionBaseUrl: 'http://api.test' }, /^Enter the https URL/],
	[{ productionBaseUrl: 'https://user:word@api.test' }, /^Enter the URL only\. Secrets have their own fields/],
	[{ productionBaseUrl: 'https://api.test?x=1' }, /^Enter the URL without a query/],
	[{ accessTokenUrl: 'id.test' }, /^Enter the URL .* with https:\/\//],
	[{ useCertificate: true, accessTokenUrl: 'http://id.test' }, /^Enter the https URL/],
	[{ testPath: 'https://api.test/status' }, /^Enter the part after the base URL, such as/],
])('the error for %j says what to enter', (changes, next) => {
	const credential = { environment: 'production', productionBaseUrl: 'https://api.test/http:kept', ...changes };
	const certificate = 'useCertificate' in changes ? pemCredential() : {};
	expect(credentialErrorOf(() => validateCredential({ ...credential, ...certificate }))?.next).toMatch(next);
});

it('an https URL may contain http in its path', () => {
	const credential = { environment: 'production', productionBaseUrl: 'https://api.test/http:kept' };
	expect(() => validateCredential({ ...credential, ...pemCredential() })).not.toThrow();
});

describe('the test of a credential', () => {
	it.each([
		'http://elsewhere.test/x',
		'elsewhere:8080/x',
		'//elsewhere.test',
		'\\\\elsewhere.test',
		'/\\x',
		'/a#b',
		'/a b',
	])('refuses the path %j, and sends nothing', async (testPath) => {
		const n8n = n8nWith(Gateway, { testPath });
		n8n.asks = { baseURL: 'https://api.test/prefix', url: testPath };
		await expect(n8n.test()).rejects.toThrow('Test Path is not a path');
		expect([n8n.sent, n8n.asked]).toEqual([[], []]);
	});
});
