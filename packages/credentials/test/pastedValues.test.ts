/** Values as people paste them: with spaces, line breaks and invisible characters that they do not see. */
import { runInNewContext } from 'node:vm';

import type { INodeProperties } from 'n8n-workflow';

import {
	connectedTest,
	credentialErrorOf,
	forms,
	newTokenTest,
	serviceTest,
	validateCredential,
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
};

const messes: readonly ((value: string) => string)[] = [
	(value) => ` ${value} `,
	(value) => `${value}\n`,
	(value) => `\u00a0${value}\u200b`,
	(value) => `\ufeff${value.slice(0, 3)}\r\n${value.slice(3)}\t`,
];

/** Fields of one line that have nothing to do with a request. */
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
			else
				expect(what).toMatch(
					new RegExp(`^${label} contains an? (space|line break|no-break space|invisible character)`),
				);
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
