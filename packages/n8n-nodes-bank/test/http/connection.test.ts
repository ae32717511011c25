/** Base URL, token and certificate that a request gets from a credential. */
import { choiceByType } from '../../nodes/shared/base/authentication.ts';
import { resolveConnection } from '../../nodes/shared/http/connection.ts';
import { tokenOwnerOf } from '../../nodes/shared/http/tokenRefresh.ts';
import { contextOf, thrownBy } from '../pipeline/support.ts';

const address = { environment: 'sandbox', sandboxBaseUrl: 'https://bank.test/partner/' };
const oauthTokenData = { access_token: 'connected-token-1', refresh_token: 'refresh-token-1' };
const gateway = {
	useGateway: true,
	gatewayClientId: 'gateway-id',
	gatewayClientIdHeader: 'X-Id',
	gatewayClientSecret: 'gateway-secret-1',
	gatewayKeyHeader: 'X-Key',
};
const connected = (type: string, held: Record<string, unknown> = {}) =>
	resolveConnection(contextOf({ credentials: { [type]: { ...address, ...held } } }), type);

it.each([
	['bankAuthorizationCodeOAuth2Api', 'n8n', 'authorizationCode'],
	['bankClientCredentialsOAuth2Api', 'credential', 'clientCredentials'],
	['bankHostToHostOAuth2Api', 'credential', 'hostToHost'],
	['bankGatewayApi', 'nobody', 'gateway'],
	['bankMutualTlsApi', 'nobody', 'mutualTls'],
])('%s: the access token is kept by %s, and requests are authenticated by %s', async (type, owner, knownBy) => {
	const connection = await connected(type, { oauthTokenData });
	expect(tokenOwnerOf(type)).toBe(owner);
	expect(connection).toMatchObject({ environment: 'sandbox', baseUrl: 'https://bank.test/partner' });
	expect(choiceByType.get(connection.credentialType)).toBe(knownBy);
});

it('the node adds the headers of the credential only with the OAuth2 of n8n', async () => {
	expect((await connected('bankAuthorizationCodeOAuth2Api', gateway)).parts.headers).toMatchObject({
		'X-Id': 'gateway-id',
		'X-Key': 'gateway-secret-1',
	});
	for (const type of ['bankClientCredentialsOAuth2Api', 'bankGatewayApi', 'bankHostToHostOAuth2Api'])
		expect((await connected(type, gateway)).parts).toEqual({ headers: {} });
});

it.each([
	['bankGatewayApi', { ...gateway, gatewayClientSecret: '' }, 'Gateway Client Secret is empty'],
	['bankGatewayApi', { sandboxBaseUrl: '' }, 'The base URL is empty'],
])('%s with %j is refused before anything is sent', async (type, held, message) => {
	expect(await thrownBy(() => connected(type, held))).toMatchObject({
		name: 'NodeOperationError',
		message,
		description: expect.stringMatching(/^Open the credential\. .+ Nothing was sent\.$/),
	});
});

describe('the secrets of the credential', () => {
	const type = 'bankClientCredentialsOAuth2Api';
	const holding = (accessToken: string) => ({ ...address, accessToken, clientSecret: 'the-client-secret' });

	/** A credential whose stored values change with each read. */
	function changing(kind: string, ...given: (Record<string, unknown> | Error)[]) {
		const context = contextOf({ credentials: { [kind]: {} } });
		jest.spyOn(context, 'getCredentials').mockImplementation(async () => {
			const next = given.length > 1 ? given.shift() : given[0];
			if (next instanceof Error) throw next;
			return { ...next } as never;
		});
		return resolveConnection(context, kind);
	}

	it('are read again, because a token may have been refreshed; both tokens are redacted', async () => {
		const { secrets } = await changing(type, holding('token-before-1'), holding('token-after-2'));
		const known = JSON.stringify(await secrets());
		for (const secret of ['token-before-1', 'token-after-2', 'the-client-secret']) expect(known).toContain(secret);
	});

	it('are those read first if n8n cannot read the credential any more: the bank may have processed the request', async () => {
		const { secrets } = await changing(type, holding('token-before-1'), new Error('gone'));
		expect(JSON.stringify(await secrets())).toContain('token-before-1');
	});

	it('are read once if there is no token to refresh', async () => {
		const { secrets } = await changing('bankGatewayApi', { ...address, ...gateway }, new Error('asked again'));
		expect(JSON.stringify(await secrets())).toContain('gateway-secret-1');
	});
});
