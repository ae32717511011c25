/** Which values of a credential and of a request are redacted. */
import { forms } from '../src/forms/index.ts';
import { credentialSecrets, requestSecrets } from '../src/index.ts';

const carried = (body: Record<string, unknown>, more: { url?: string; headers?: Record<string, string> } = {}) =>
	requestSecrets(
		{ method: 'POST', url: more.url ?? '/x', headers: {}, input: { path: {}, query: {}, body } },
		more.headers ?? {},
	);

const nothing = { secrets: [], personal: [], numbers: [] };

describe('of a person is', () => {
	it.each([
		['name', 'Ann'],
		['name', 'McDonald Ann'],
		['name', 'Ann McDonald'],
		['name', 'deMarco Ann'],
		['name', 'ann.LEE_1983'],
		['name', 'LEE_1983.ann'],
		['name', 'LEE_ann'],
		['note', 'Petrov'],
		['note', 'for 12'],
		['note', '12 for'],
		['note', 'ann@company.test'],
		['note', 'квартира'],
		['note', '+7 900 123-45-67 at night'],
		['note', 'see https://company.test/a-rather-long-page-name'],
	])('%s: %s', (key, text) => expect(carried({ [key]: text }).personal).toContain(text));

	it('each word of a name is personal data', () => {
		expect(carried({ fullName: 'Lee-Smith, Ann J. 2Lee Lee2' }).personal.slice(1)).toEqual(['Lee-Smith', 'Ann']);
		expect(carried({ purpose: 'For Ann' }).personal).toEqual(['For Ann']);
	});
});

describe('a term of the API is not personal data', () => {
	it.each([
		['name', 'incomingPayment'],
		['name', 'incomingPaymentDone'],
		['name', 'GENERAL_DATA'],
		['name', 'STEP2_DATA_NEW'],
		['name', 'Li'],
		['name', ''],
		['token', ''],
		['note', '1 2 3'],
		['note', 'x-Ray'],
		['note', 'Ray-x'],
		['note', '12345678'],
	])('%s: %s', (key, text) => expect(carried({ [key]: text })).toEqual(nothing));
});

it('numbers have at least nine digits, in any grouping', () => {
	for (const text of ['123456789', '+7 (900) 123-45-67', '40702.810.9.00000012345'])
		expect(carried({ note: text })).toEqual({ ...nothing, numbers: [text] });
});

it('long segments of a URL are secrets, and its host name is not', () => {
	const callback = 'http://a-rather-long-host-name.company.test/hook/0f8fad5bd9cb469f/v1.0f8fad5bd9cb469f';
	expect(carried({ callback })).toEqual({ ...nothing, secrets: ['0f8fad5bd9cb469f'] });
});

it('the parts of a form are searched like fields, and files are not', () => {
	const request = { method: 'POST', url: '/x', headers: {}, input: { path: {}, query: {}, body: undefined } } as const;
	const parts = [
		{ name: 'client_secret', value: ' the-secret ' },
		{ name: 'name', file: { field: 'name', fileName: 'Ann Lee.pdf', mimeType: 'application/pdf', base64: '' } },
	];
	expect(requestSecrets({ ...request, parts }, {})).toEqual({ ...nothing, secrets: ['the-secret'] });
});

it('the query of a URL is searched, and all headers but the usual ones', () => {
	expect(carried({}, { url: '/name=Ann/x?holder=Lee&limit=10' }).personal).toEqual(['Lee', 'Lee']);
	expect(
		carried({}, { headers: { 'User-Agent': 'n8n', Authorization: 'bearer  the-token', 'X-Key': 'no-Basic key' } })
			.secrets,
	).toEqual(['the-token', 'no-Basic key']);
});

it('accounts and tax number of a credential are numbers; identifiers count from four characters on', () => {
	expect(credentialSecrets({ account: '40702810900000012345', inn: '7700123456', clientId: 'abcd' })).toEqual({
		secrets: [],
		personal: ['abcd'],
		numbers: ['40702810900000012345', '7700123456'],
	});
	expect(credentialSecrets({ clientId: 'abc', account: '' })).toEqual(nothing);
});

it('all secrets of a credential are redacted; its URLs and choices are not', () => {
	const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
	const { secrets, personal } = credentialSecrets({
		environment: 'production',
		productionBaseUrl: 'https://api.bank.test',
		accessTokenUrl: 'https://id.bank.test/token',
		gatewayClientIdHeader: 'X-GW-Client-Id',
		gatewayClientId: 'gateway-id',
		gatewayClientSecret: 'gateway-secret',
		clientId: 'client-id',
		clientSecret: 'client-secret',
		certificatePassphrase: 'passphrase',
		clientPrivateKey: `-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n\r\n${line}\r\n${line}\r\n-----END RSA PRIVATE KEY-----`,
		clientCertificate: '-----BEGIN CERTIFICATE-----\nMIIBpublicpublicpublic\n-----END CERTIFICATE-----',
		bankScopes: ['operations-history'],
		pathSecret: 'path-secret',
		oauthTokenData: { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 300 },
	});
	expect(secrets).toEqual([
		'gateway-id',
		'gateway-secret',
		'client-secret',
		'passphrase',
		line,
		line,
		'path-secret',
		'access',
		'refresh',
	]);
	expect(personal).toEqual(['client-id']);
});

it.each(Object.entries(forms).filter(([name]) => !name.includes('Inbound')))(
	'%s has no secrets in its choices, limits and addresses, which errors and data may repeat',
	(_name, properties) => {
		const shown = properties.filter(
			({ type, default: initial, typeOptions }) =>
				type !== 'notice' && typeof initial !== 'boolean' && typeOptions?.password !== true,
		);
		const given = Object.fromEntries(shown.map(({ name }) => [name, `value of ${name}`]));
		// A hidden field of n8n's own OAuth2.
		const { secrets } = credentialSecrets({ ...given, clientCredentialType: 'clientSecret' });
		expect(secrets.filter((text) => text !== 'value of gatewayClientId')).toEqual([]);
	},
);

it('tokens and personal data of a request are redacted; terms of the API are not', () => {
	const found = requestSecrets(
		{
			method: 'POST',
			url: '/x?user_token=from-the-query&limit=10',
			headers: {},
			input: {
				path: { accountNumber: '40702810900000012345' },
				query: {},
				body: {
					code: 'code-of-the-user',
					lastName: 'Petrov',
					purpose: 'For the flat',
					phone: 79001234567,
					callbackUri: 'https://n8n.test/webhook/0f8fad5b-d9cb-469f/path-secret-1234567',
					eventType: 'INCOMING_PAYMENT',
					currency: 'RUB',
					method: 'sms',
					amount: 150.5,
					people: [{ fullName: 'Ann Lee' }],
				},
			},
			secrets: ['token-of-the-user'],
		},
		{ Accept: 'application/json', Authorization: 'Bearer the-token', 'X-Renamed': 'the-secret' },
	);
	expect(found.secrets).toEqual([
		'token-of-the-user',
		'code-of-the-user',
		'0f8fad5b-d9cb-469f',
		'path-secret-1234567',
		'from-the-query',
		'the-token',
		'the-secret',
	]);
	expect(found.personal).toEqual(['Petrov', 'Petrov', 'For the flat', 'Ann Lee', 'Ann', 'Lee']);
	expect(found.numbers).toEqual(['40702810900000012345', '79001234567']);
});
