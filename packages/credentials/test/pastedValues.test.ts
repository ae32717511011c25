/** Values as people paste them: with spaces, line breaks and invisible characters that they do not see. */
import { runInNewContext } from 'node:vm';

import type { INodeProperties } from 'n8n-workflow';

import {
	connectedTest,
	credentialErrorOf,
	forms,
	newTokenTest,
	serviceTest,
	paymentValuesOf,
	validateCredential,
	validatePaymentSettings,
} from '../src/index.ts';
import { FakeN8n, unique } from './support/n8n.ts';
import { ClientCredentials, Gateway, HostToHost, MutualTls } from './support/types.ts';

const types = { ClientCredentials, HostToHost, Gateway, MutualTls };

/** A usable value of each field that goes into requests. */
const values: Record<string, string> = {
	sandboxBaseUrl: 'https://api.test',
	accessTokenUrl: 'https://id.test/token',
	clientId: 'client',
	clientSecret: 'sec ret/1=',
	additionalScopes: 'a b',
	redirectUri: 'https://company.example/callback',
	authorizationCode: 'code-1',
	gatewayClientId: 'partner',
	gatewayClientSecret: 'gateway secret',
	partnerName: 'Example Partner',
	partnerNameHeader: 'X-Partner-Name',
	gatewayCertificate: 'MIIB',
	gatewayCertificateHeader: 'x-client-certificate',
	gatewayClientIdHeader: 'x-gw-client-id',
	gatewayKeyHeader: 'x-gw-client-secret',
	testPath: '/service/status',
	partnerId: '1001',
	inn: '7700000000',
	account: '40702810000000000001',
	ric: '1',
	bankNames: 'Example Bank, 100000000111',
};

/** Values that cannot come from a bank, and values of another field. */
const wrong: Readonly<Record<string, readonly string[]>> = {
	sandboxBaseUrl: ['', 'api.test', 'https:/api.test', 'https://api .test', 'https://api.test?a', 'ftp://api.test'],
	accessTokenUrl: ['', '/token', 'https://id.test/token#a', 'https://id.test/\ttoken'],
	clientId: ['', 'cli\u00a0ent', 'клиент'],
	clientSecret: ['', 'se\u00a0cret', '-----BEGIN\tKEY-----'],
	redirectUri: [''],
	authorizationCode: [''],
	gatewayClientSecret: ['', 'секрет'],
	gatewayKeyHeader: ['x secret', 'host'],
	partnerName: ['Партнёр'],
	partnerNameHeader: ['x partner'],
	testPath: ['https://api.test/status', '/a b'],
	partnerId: ['abc', '1.5', '1e3', '0x10', '12345678901234567890'],
	inn: ['770000000', '77000000001', '77OOOOOOOO', '40702810000000000001'],
	account: ['4070281000000000001', '407028100000000000012', 'RU0204452560040702810412345678901', '7700000000'],
	ric: ['first', '1.5'],
	bankNames: ['Example Bank', 'A, 1\nA, 2', 'A, B'],
};

const messes: readonly ((value: string) => string)[] = [
	(value) => ` ${value} `,
	(value) => `${value}\n`,
	(value) => `\u00a0${value}\u200b`,
	(value) => `\ufeff${value.slice(0, 3)}\r\n${value.slice(3)}\t`,
];

/** Whether a field needs no value here: it holds several lines, or does not go into a request as it is. */
const isOther = ({ name, typeOptions }: INodeProperties) =>
	typeOptions?.rows !== undefined || /passphrase|Url$|^(?:allowed|largest|most|limit|operationList)/i.test(name);

describe.each(Object.entries(types))('%s', (_name, Type) => {
	const { properties } = new Type();
	const own = properties.filter(({ name }) => name in values).map(({ name }) => name);
	const clean = Object.fromEntries(own.map((name) => [name, values[name] ?? '']));
	const switches = Type === MutualTls || Type === Gateway ? {} : { useGateway: true };

	/** All requests of a test and of a call that follows. */
	async function requestsOf(changed: string, mess: (value: string) => string) {
		// An authorization code can be used only once, so each run needs a new one.
		const entered: Record<string, string> = { ...clean, authorizationCode: unique('code') };
		const changes = { [changed]: mess(entered[changed] ?? '') };
		const n8n = new FakeN8n(Type, { ...entered, ...switches, ...changes }, () => ({
			body: { access_token: 'token', token_type: 'Bearer', expires_in: 3600, refresh_token: 'next' },
		}));
		// The certificate of Mutual TLS has tests of its own.
		n8n.stored = { ...n8n.stored, useCertificate: false };
		await n8n.test();
		const { asked, sent } = n8n;
		return [...asked, ...sent].map(({ url, headers, body }) => ({
			url,
			headers,
			body: String(body).replace(/code-\d+/, 'code'),
		}));
	}

	it('has a value for each text that goes into a request', () => {
		const unknown = properties.filter((field) => field.type === 'string' && !isOther(field) && !(field.name in values));
		expect(
			unknown.map(({ name }) => name).filter((name) => !['paymentDescription', 'refreshToken'].includes(name)),
		).toEqual([]);
	});

	it.each(own.flatMap((name) => (wrong[name] ?? []).map((value) => [name, value] as const)))(
		'sends nothing if %s is %j, and says what to enter',
		async (name, value) => {
			const n8n = new FakeN8n(
				Type,
				{ ...clean, authorizationCode: unique('code'), ...switches, [name]: value },
				() => ({}),
			);
			// With a stored token, the test comes before the request for a new one.
			n8n.stored = { ...n8n.stored, useCertificate: false, accessToken: 'stored' };
			const { displayName = '' } = properties.find((field) => field.name === name) ?? {};
			const label = name === 'sandboxBaseUrl' ? 'The base URL' : displayName;
			await expect(n8n.test()).rejects.toThrow(
				new RegExp(`^${label}:? .*(?:Enter|Remove|Correct|Ask|Paste|Clear) .*\\.$`),
			);
			expect([...n8n.grants, ...n8n.sent]).toEqual([]);
		},
	);

	it.each(own.flatMap((name) => messes.map((mess, index) => [name, index, mess] as const)))(
		'sends the same requests if %s is pasted with invisible characters (%d)',
		async (name, _index, mess) => {
			expect(await requestsOf(name, mess)).toEqual(await requestsOf(name, (value) => value));
		},
	);
});

describe('Authorization Code, whose fields n8n sends itself', () => {
	const properties = forms.bankAuthorizationCodeOAuth2Api;
	const fields: Record<string, string> = { ...values, authUrl: 'https://id.test/authorize' };
	const sentByN8n = ['clientId', 'clientSecret', 'authUrl', 'accessTokenUrl'];
	const withValue = (changes: object) => ({ ...fields, ...changes, environment: 'sandbox', useCertificate: false });

	it.each(sentByN8n.flatMap((name) => messes.map((mess, index) => [name, index, mess] as const)))(
		'%s is refused with its name, or does no harm (%d)',
		(name, _index, mess) => {
			expect(credentialErrorOf(() => validateCredential(withValue({})))).toBeUndefined();
			const pasted = mess(fields[name] ?? '');
			const what = credentialErrorOf(() => validateCredential(withValue({ [name]: pasted })))?.what;
			const label = properties.find((field) => field.name === name)?.displayName;
			const isHarmless = URL.canParse(pasted) && new URL(pasted).href === fields[name];
			if (isHarmless) expect(what).toBeUndefined();
			else expect(what).toContain(`${label} contains a space at an end or an invisible character`);
		},
	);
});

/** Resolves an expression like n8n does. */
const resolved = (expression: string, scope: object): unknown =>
	runInNewContext(/^=\{\{([\s\S]*)\}\}$/.exec(expression)?.[1] ?? '', scope);

it.each([serviceTest, newTokenTest, connectedTest])(
	'the base URL of a test is the intended one (%#)',
	({ request }) => {
		for (const mess of messes) {
			const url = mess('https://api.test');
			for (const $credentials of [
				{ environment: 'production', productionBaseUrl: url },
				{ environment: 'sandbox', sandboxBaseUrl: url },
			])
				expect(resolved(String(request.baseURL), { $credentials })).toBe('https://api.test');
		}
	},
);

describe('the sender in a credential', () => {
	it('may have spaces between its digits, as printed', () => {
		const printed = {
			account: '40702 810 0 0000\u00a00000001',
			inn: '77 00 000 000',
			partnerId: '1\u2009001',
			ric: ' 1 ',
		};
		expect(credentialErrorOf(() => validatePaymentSettings(printed))).toBeUndefined();
		expect(paymentValuesOf(printed)).toMatchObject({ account: values.account, inn: values.inn, partnerId: '1001' });
	});

	it('has all its problems in one message, such as swapped tax number and account', () => {
		const swapped = { inn: values.account ?? '', account: values.inn ?? '', partnerId: 'x' };
		expect(credentialErrorOf(() => validatePaymentSettings(swapped))?.message).toMatch(
			/^Partner ID must [^;]*; Tax Number must [^;]*; Account must [^;]* Correct Partner ID, Tax Number, Account in the credential\.$/,
		);
	});

	it('does not keep other operations from using the credential', () => {
		const credential = { environment: 'sandbox', sandboxBaseUrl: 'https://api.test', partnerId: 'x' };
		expect(credentialErrorOf(() => validateCredential(credential))).toBeUndefined();
	});
});
