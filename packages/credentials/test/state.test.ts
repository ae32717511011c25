/** Facts about a stored credential that need no request. */
import { requestedScopes, scopesOf, storedToken, testUrlOf } from '../src/index.ts';

it.each([
	['/service/status', '/service/status'],
	['service/status/', '/service/status/'],
	[' /status ', '/status'],
	['/a//b', '/a//b'],
	['', '/'],
])('Test Path %p is requested as %s', (testPath, url) => expect(testUrlOf({ testPath })).toBe(url));

describe('the stored token', () => {
	it("is read from our own fields or from n8n's OAuth2 data", () => {
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

	it.each(['', '0', 'soon', '9.223372036854775e21'])('has no expiry if %p is stored, and no scopes', (end) => {
		expect(storedToken({ accessToken: 'ours', accessTokenExpiresAt: end })).toEqual({ accessToken: 'ours' });
	});
});

it.each([
	[{ bankScopes: ['a', 'b'], eventScopes: 'events a', additionalScopes: 'more' }, ['a', 'b', 'events', 'more']],
	[{ flow: 'authorizationCode', bankScopes: ['a'], eventScopes: 'events' }, ['a', 'events']],
	// The H2H flow requests webhook scopes only.
	[{ flow: 'h2h', bankScopes: ['a'], eventScopes: 'events' }, ['events']],
	// An empty choice requests the scopes of all operations of the flow.
	[{ bankScopes: [], additionalScopes: 'more' }, ['b2c_sbp_payments', 'loan-applications', 'more']],
	[{ bankScopes: '' }, ['b2c_sbp_payments', 'loan-applications']],
	[{ bankScopes: ['none'], additionalScopes: 'more' }, ['more']],
	[{ flow: 'authorizationCode', bankScopes: [], eventScopes: 'events' }, [...scopesOf('authorizationCode'), 'events']],
	[{ flow: 'h2h', bankScopes: [], eventScopes: 'events' }, ['events']],
	[{}, []],
])('the requested scopes of %j are %j', (credential, scopes) => expect(requestedScopes(credential)).toEqual(scopes));
