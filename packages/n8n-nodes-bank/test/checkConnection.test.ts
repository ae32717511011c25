/** Connection: Check reports whether the bank accepts a credential, and for how long, as an item. */
import type { HttpResponse, PreparedRequest, TransportError } from '@bank/core';
import { existing } from '../../fixtures/src/existing.ts';
import { type IExecuteFunctions } from 'n8n-workflow';

import { type Certificates, processCertificates } from '../../fixtures/src/sandbox/tls/certificates.ts';
import { checkConnection } from '../nodes/Bank/forms/checkConnection.ts';
import type { Run } from '../nodes/shared/form/run.ts';
import { jsonOf, refusalOf, run, useBank } from './support/bank.ts';
import { askedCredentials, credentialTypes } from './support/forms.ts';

type Json = Record<string, unknown>;

const base = { environment: 'sandbox', sandboxBaseUrl: 'https://api.bank.test:8443/' };
const gateway = { ...base, useGateway: true, gatewayClientId: 'partner', gatewayClientIdHeader: 'X-GW-Client-Id' };
const withSecret = { gatewayClientSecret: 'gateway-secret-1', gatewayKeyHeader: 'x-gw-client-secret' };
const byType: Record<string, Json> = {
	bankAuthorizationCodeOAuth2Api: {
		...base,
		clientSecret: 'client-secret-1',
		bankScopes: ['operations-history', 'limits-control'],
		oauthTokenData: {
			access_token: 'access-token-1',
			refresh_token: 'refresh-token-1',
			n8n_expires_at: Date.UTC(2026, 10, 23),
			scope: 'operations-history limits-control',
		},
	},
	bankClientCredentialsOAuth2Api: {
		...base,
		clientSecret: 'client-secret-1',
		bankScopes: ['b2c_sbp_payments'],
		accessToken: 'access-token-1',
		accessTokenExpiresAt: String(Date.UTC(2026, 10, 23)),
		accessTokenScope: 'b2c_sbp_payments',
	},
	bankGatewayApi: { ...gateway, ...withSecret, testPath: '/status' },
	bankHostToHostOAuth2Api: { ...base, accessToken: 'access-token-1', refreshToken: 'refresh-token-1' },
	bankMutualTlsApi: { ...base },
};
const withToken = ['bankAuthorizationCodeOAuth2Api', 'bankClientCredentialsOAuth2Api', 'bankHostToHostOAuth2Api'];
const types = Object.keys(byType);

const operations = { operations: [] };
const scopeRefused = { error: 'insufficient_scope', error_description: 'no scope' };
const answer = (status: number, body: unknown = '', headers: Json = {}): HttpResponse => ({
	status,
	headers,
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Output of a check when the bank responds like this. `then`: the stored credential afterwards. */
async function checked(
	credentialType: string,
	given: HttpResponse | TransportError,
	changes: Json = {},
	then: Json = {},
): Promise<Json & { problems: string[]; untested: string[]; sent: PreparedRequest[] }> {
	const sent: PreparedRequest[] = [];
	const stored = { ...byType[credentialType], ...changes };
	const hints: string[] = [];
	const context = {
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		getCredentials: async () => ({ ...stored, ...(sent.length === 0 ? {} : then) }),
	} as unknown as IExecuteFunctions;
	const line = {
		credentialType,
		send: async ({ prepared }: { prepared: PreparedRequest }) => {
			sent.push(prepared);
			return given;
		},
	};
	const job = { items: [0, 1], input: {} };
	const items = await existing(checkConnection.hooks.previewItems)(
		{ context } as unknown as Run,
		job,
		{} as never,
		line as never,
		[],
	);
	expect(items).toHaveLength(1);
	expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	const [, partOfKey = ''] = made.partner.privateKey.split('\n');
	const secrets = ['access-token-1', 'refresh-token-1', 'client-secret-1', 'gateway-secret-1', partOfKey];
	expect(secrets.filter((secret) => JSON.stringify(items).includes(secret))).toEqual([]);
	const json = items[0]?.json as Json & { problems: string[]; untested: string[] };
	expect(hints).toEqual([
		json.ok === true
			? expect.stringMatching(/^The connection to \S+ works\.$/)
			: `The check found a problem: ${json.problems[0]}${json.problems.length > 1 ? ` (and ${json.problems.length - 1} more)` : ''}`,
	]);
	return { ...json, sent };
}

let made: Certificates;
beforeAll(async () => {
	made = await processCertificates();
	byType.bankMutualTlsApi = { ...base, ...pem(made.partner) };
});
const pem = ({ certificate, privateKey }: { certificate: string; privateKey: string }) => ({
	useCertificate: true,
	certificateFormat: 'pem',
	clientCertificate: certificate,
	clientPrivateKey: privateKey,
	bankCa: made.ca,
});

describe('the service details', () => {
	it('list the operations that are ready, and what is missing for others', async () => {
		const details = { 'trip.send': { method: 'POST', path: '/trips', fields: { a: { type: 'string' } } } };
		const found = await checked('bankGatewayApi', answer(200, {}), { serviceDetails: JSON.stringify(details) });
		const { ready, lacking } = found.serviceDetails as { ready: string[]; lacking: { operation: string }[] };
		expect(ready).toEqual(expect.arrayContaining(['trip.send', 'scoring.getShort']));
		expect(lacking).toContainEqual({ operation: 'courier.checkCode', missing: ['method', 'path', 'names.code'] });
		const named = [...ready, ...lacking.map(({ operation }) => operation)];
		expect(named.filter((id) => id.startsWith('unifiedCheck'))).toEqual([]);
		expect(found.problems).toEqual([]);
	});

	it('that are invalid are a problem, with the key', async () => {
		const found = await checked('bankMutualTlsApi', answer(404), { serviceDetails: '{"trip.send": {"url": "/x"}}' });
		expect(found.ok).toBe(false);
		expect(found.problems.join()).toContain('"trip.send".url is not a key of this operation');
	});
});

describe('a successful check', () => {
	const history = '/api/pp/v1/operations?limit=1';

	it.each([
		['bankAuthorizationCodeOAuth2Api', answer(200, operations), 'valid', history],
		// A token with another scope can only get this rejection here, and the rejection proves that the token is
		// valid.
		['bankClientCredentialsOAuth2Api', answer(403, scopeRefused), 'valid', history],
		['bankHostToHostOAuth2Api', answer(200, operations), 'valid', history],
		['bankGatewayApi', answer(200, { up: true }), 'none', '/status'],
		['bankMutualTlsApi', answer(404, 'nothing here'), 'none', '/'],
	])('of %s is ok, with the same fields for all types', async (type, given, token, path) => {
		const found = await checked(type, given);
		expect(found).toMatchObject({
			ok: true,
			credential: type,
			environment: 'sandbox',
			host: 'api.bank.test:8443',
			token,
			problems: [],
		});
		const { certificate, sent, ...others } = found;
		const { sent: _, ...gatewayFields } = await checked('bankGatewayApi', answer(200));
		expect(Object.keys(others)).toEqual(Object.keys(gatewayFields));
		expect(certificate === undefined).toBe(type !== 'bankMutualTlsApi');
		expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([['GET', path, undefined]]);
	});

	it('reports when the token expires, and which scopes it has and lacks', async () => {
		expect(await checked('bankAuthorizationCodeOAuth2Api', answer(200, operations))).toMatchObject({
			tokenEndsAt: '2026-11-23T00:00:00.000Z',
			scopes: ['operations-history', 'limits-control'],
			missingScopes: expect.arrayContaining(['credit-statements', 'debit-statements']),
			untested: [],
		});
		expect(await checked('bankClientCredentialsOAuth2Api', answer(403, scopeRefused))).toMatchObject({
			tokenEndsAt: '2026-11-23T00:00:00.000Z',
			scopes: ['b2c_sbp_payments'],
			missingScopes: expect.arrayContaining(['loan-applications']),
		});
	});

	it('reports no scopes if the bank did not', async () => {
		expect(await checked('bankHostToHostOAuth2Api', answer(200, operations))).toMatchObject({
			ok: true,
			tokenEndsAt: null,
			scopes: null,
			missingScopes: null,
			untested: [expect.stringContaining('which scopes the token has')],
		});
	});

	it('reports that the token was renewed', async () => {
		const renewed = { accessToken: 'access-token-2', accessTokenExpiresAt: String(Date.UTC(2026, 10, 24)) };
		const given = answer(403, scopeRefused);
		expect(await checked('bankClientCredentialsOAuth2Api', given, {}, renewed)).toMatchObject({
			ok: true,
			token: 'renewed',
			tokenEndsAt: '2026-11-24T00:00:00.000Z',
		});
	});

	it('compares the clocks', async () => {
		jest.useFakeTimers({ now: new Date('2026-11-22T10:00:30Z') });
		const dated = answer(200, operations, { Date: 'Sun, 22 Nov 2026 10:00:00 GMT' });
		const found = await checked('bankHostToHostOAuth2Api', dated);
		jest.useRealTimers();
		expect(found.clockDifferenceSeconds).toBe(30);
		expect(await checked('bankHostToHostOAuth2Api', answer(200, operations))).toMatchObject({
			clockDifferenceSeconds: null,
		});
	});
});

describe('a failed check', () => {
	const withoutToken = types.filter((type) => !withToken.includes(type));
	const invalidToken = { ...answer(401, { error: 'invalid_token' }), authenticatedBy: 'clientCredentials' as const };
	const noToken = { code: 'TOKEN', message: 'The bank does not accept Client ID or Client Secret (invalid_client)' };
	const noCertificate = 'No required SSL certificate was sent';

	/** The output field `token`, for the credential types that use an access token. */
	it.each<[string, string[], HttpResponse | TransportError, token: string, words: string]>([
		['an unknown host', types, { code: 'ENOTFOUND' }, 'untested', 'Correct the base URL of the credential'],
		['an untrusted authority', types, { code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'untested', 'CA of the Bank'],
		['no token', withToken, noToken, 'missing', noToken.message],
		['a rejected token', withToken, invalidToken, 'refused', '401'],
		['404', withToken, answer(404), 'untested', '(404)'],
		['429', withToken, answer(429), 'untested', '(429)'],
		['500', withToken, answer(500), 'untested', '(500)'],
		['a login page', withToken, answer(200, '<html>Sign in</html>'), 'untested', 'cannot be read'],
		['a page of a proxy', withToken, answer(403, '<html>Blocked</html>'), 'untested', '(403)'],
		['401', withoutToken, answer(401, 'Go away'), 'none', '(401)'],
		['403', withoutToken, answer(403, 'Go away'), 'none', '(403)'],
		['503', withoutToken, answer(503), 'none', '(503)'],
		['a missing certificate', withoutToken, answer(400, noCertificate), 'none', '(400)'],
	])('reports %s', async (_what, credentials, given, token, words) => {
		for (const type of credentials)
			expect(await checked(type, given)).toMatchObject({
				ok: false,
				token: withToken.includes(type) ? token : 'none',
				tokenEndsAt: null,
				scopes: null,
				clockDifferenceSeconds: null,
				problems: [expect.stringContaining(words)],
			});
	});

	it('reports a requested scope that the bank has not granted', async () => {
		const accessTokenScope = 'loan-applications';
		const found = await checked('bankClientCredentialsOAuth2Api', answer(403, scopeRefused), { accessTokenScope });
		const missingScopes = expect.arrayContaining(['b2c_sbp_payments']);
		expect(found).toMatchObject({ ok: false, token: 'valid', missingScopes });
		expect(found.problems).toEqual([expect.stringMatching(/ of the credential: b2c_sbp_payments[.,]/)]);
	});

	it('reports a rejected scope only if the credential requests it', async () => {
		const oauthTokenData = { access_token: 'access-token-1' };
		const type = 'bankAuthorizationCodeOAuth2Api';
		const asked = await checked(type, answer(403, scopeRefused), { oauthTokenData });
		expect(asked).toMatchObject({ ok: false, token: 'valid', missingScopes: ['operations-history'] });
		expect(asked.problems).toEqual([expect.stringContaining('It needs the scope "operations-history".')]);
		for (const changes of [{ bankScopes: ['limits-control'] }, { flow: 'h2h' }])
			expect(await checked(type, answer(403, scopeRefused), { oauthTokenData, ...changes })).toMatchObject({
				ok: true,
				missingScopes: ['operations-history'],
				problems: [],
			});
	});

	it('does not mean that the token is invalid, if the person has no rights', async () => {
		const given = answer(403, { error: 'access_denied' });
		expect(await checked('bankHostToHostOAuth2Api', given)).toMatchObject({ ok: false, token: 'valid' });
	});

	it('reports a sender that cannot pay', async () => {
		const { problems } = await checked('bankClientCredentialsOAuth2Api', answer(403, scopeRefused), { inn: '7' });
		expect(problems).toEqual([expect.stringMatching(/^Tax Number must .* Correct Tax Number in the credential\.$/)]);
	});

	it('reports an unusable credential, and sends nothing', async () => {
		const cases: [type: string, changes: Json, words: string][] = [
			['bankHostToHostOAuth2Api', { sandboxBaseUrl: '' }, 'The base URL is empty'],
			['bankGatewayApi', { gatewayClientSecret: '' }, 'Gateway Client Secret is empty'],
			['bankGatewayApi', { testPath: 'https://elsewhere.test/' }, 'Test Path is not a path'],
			['bankMutualTlsApi', { clientPrivateKey: '' }, 'Private Key is empty'],
			['bankMutualTlsApi', pem(made.refused.expired), 'Client Certificate expired on'],
		];
		for (const [type, changes, words] of cases) {
			const { ok, token, problems, sent } = await checked(type, answer(200, operations), changes);
			expect([ok, token, problems, sent]).toEqual([
				false,
				withToken.includes(type) ? 'untested' : 'none',
				[expect.stringContaining(words)],
				[],
			]);
		}
	});
});

describe('the client certificate', () => {
	const day = 24 * 3600 * 1000;

	it('is reported with subject and expiry, for PEM and PFX', async () => {
		const pfx = {
			useCertificate: true,
			certificateFormat: 'pfx',
			clientCertificatePfx: made.pfx,
			certificatePassphrase: made.passphrase,
		};
		const one = await checked('bankMutualTlsApi', answer(200));
		const other = await checked('bankMutualTlsApi', answer(200), pfx);
		const certificate = one.certificate as { subject: string; validUntil: string; daysLeft: number };
		expect(certificate.subject).toMatch(/CN=/);
		expect(certificate.daysLeft).toBe(Math.floor((Date.parse(certificate.validUntil) - Date.now()) / day));
		expect(other.certificate).toEqual(certificate);
	});

	it('is also reported if it has expired', async () => {
		const { certificate } = await checked('bankMutualTlsApi', answer(200), pem(made.refused.expired));
		expect((certificate as { daysLeft: number }).daysLeft).toBeLessThan(0);
	});

	it('expires with the first certificate of its chain', async () => {
		const { partner, refused } = made;
		const chain = { ...pem(partner), clientCertificate: partner.certificate + refused.expired.certificate };
		const found = await checked('bankMutualTlsApi', answer(200), chain);
		expect((found.certificate as { daysLeft: number }).daysLeft).toBeLessThan(0);
		expect(found).toMatchObject({
			ok: false,
			problems: [expect.stringContaining('in the chain of the client certificate')],
		});
	});
});

it('a gateway without Test Path is checked, with what was not tested', async () => {
	for (const testPath of ['', '/'])
		expect(await checked('bankGatewayApi', answer(200), { testPath })).toMatchObject({
			ok: true,
			untested: [expect.stringContaining('client ID and secret were not tested')],
		});
	expect((await checked('bankGatewayApi', answer(200))).untested).toEqual([]);
	expect((await checked('bankGatewayApi', answer(503))).untested).toEqual([]);
});

describe('in the node', () => {
	const bank = useBank();
	const address = { environment: 'sandbox', sandboxBaseUrl: 'https://bank.test' };

	it.each(Object.entries(credentialTypes))(
		'%s can be chosen, and needs its credential',
		async (authenticateWith, type) => {
			const values = { resource: 'connection', operation: 'check', authenticateWith };
			expect(askedCredentials('bank', values)).toEqual([type]);
			bank().answer = () => [200, operations];
			const own = type === 'bankMutualTlsApi' ? { ...byType[type], ...address } : { ...address, token: 'the token' };
			const options = { items: [{}, {}], credentials: { [type]: own } };
			const found = await run('connection.check', { authenticateWith }, options);
			expect(jsonOf(found)).toMatchObject([{ ok: true, credential: type, host: 'bank.test', problems: [] }]);
			expect(bank().seen.map(({ method }) => method)).toEqual(['GET']);
		},
	);

	it('sends one request, also if a retry might succeed', async () => {
		bank().answer = () => [503, {}];
		const credentials = { bankHostToHostOAuth2Api: { ...address, token: 'the token' } };
		const found = await run('connection.check', { authenticateWith: 'hostToHost' }, { credentials });
		expect(jsonOf(found)).toMatchObject([{ ok: false, token: 'untested' }]);
		expect(bank().seen).toHaveLength(1);
	});

	it('fails if the form is invalid', async () => {
		const options = { timeout: 'soon' };
		const refusal = await refusalOf(run('connection.check', { authenticateWith: 'hostToHost', options }));
		expect(refusal.message).toContain('Timeout');
		expect(bank().seen).toEqual([]);
	});
});
