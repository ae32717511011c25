/** What can be said of a stored credential without asking anybody. */
import { storedFault, storedToken, testUrlOf, wantedScopes } from '../src/index.ts';

const usable = { environment: 'sandbox', sandboxBaseUrl: 'https://api.test', testPath: '/service/status' };

it.each([
	[{}, undefined],
	[{ sandboxBaseUrl: '' }, 'no usable base URL'],
	[{ useGateway: true, gatewayClientId: '' }, 'Gateway Client ID is empty'],
	[{ useCertificate: true, certificateFormat: 'pem' }, 'Client Certificate'],
	[{ testPath: 'https://elsewhere.test' }, 'Test Path is not a path'],
])('with %j what is wrong with it is: %p', (changes, words) => {
	const said = storedFault({ ...usable, ...changes })?.what;
	if (words === undefined) expect(said).toBeUndefined();
	else expect(said).toContain(words);
});

it.each([
	['/service/status', '/service/status'],
	['service/status/', '/service/status/'],
	['', '/'],
])('Test Path %p is asked for as %s', (testPath, url) => expect(testUrlOf({ testPath })).toBe(url));

describe('the stored token', () => {
	it("is that of our own types, or of n8n's OAuth2 where there is one", () => {
		expect(
			storedToken({ accessToken: 'ours', accessTokenExpiresAt: '1760000000000', accessTokenScope: 'a b' }),
		).toEqual({ accessToken: 'ours', endsAt: 1_760_000_000_000, scopes: ['a', 'b'] });
		const oauthTokenData = { access_token: "n8n's", n8n_expires_at: 1_760_000_000_001, scope: 'c' };
		expect(storedToken({ accessToken: 'ours', oauthTokenData })).toEqual({
			accessToken: "n8n's",
			endsAt: 1_760_000_000_001,
			scopes: ['c'],
		});
	});

	it.each(['', '0', 'soon'])('has no end where %p is stored for it, and no scopes either', (end) => {
		expect(Object.keys(storedToken({ accessToken: 'ours', accessTokenExpiresAt: end }))).toEqual(['accessToken']);
	});
});

it.each([
	[{ bankScopes: ['a', 'b'], eventScopes: 'events a', additionalScopes: 'more' }, ['a', 'b', 'events', 'more']],
	[{ flow: 'authorizationCode', bankScopes: ['a'], eventScopes: 'events' }, ['a', 'events']],
	// It asks for those of webhooks alone.
	[{ flow: 'h2h', bankScopes: ['a'], eventScopes: 'events' }, ['events']],
	[{}, []],
])('of %j the wanted scopes are %j', (credential, scopes) => expect(wantedScopes(credential)).toEqual(scopes));
