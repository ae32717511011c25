/** Forms of the credential types, and the values derived from them. */
import { runInNewContext } from 'node:vm';

import { operations } from '@bank/core';
import { type INodeProperties } from 'n8n-workflow';

import { testNotice } from '../src/forms/fields.ts';
import { forms } from '../src/forms/index.ts';
import { baseUrlOf, connectedTest, newTokenTest } from '../src/index.ts';

const {
	bankAuthorizationCodeOAuth2Api: authorizationCode,
	bankClientCredentialsOAuth2Api: clientCredentials,
	bankGatewayApi: gateway,
	bankHostToHostOAuth2Api: hostToHost,
	bankMutualTlsApi: mutualTls,
} = forms;

const field = (properties: INodeProperties[], name: string) => properties.find((property) => property.name === name);

/** Resolves the expression of a hidden field like n8n does. */
function resolved(properties: INodeProperties[], name: string, given: Record<string, unknown> = {}): unknown {
	const expression = /^=\{\{([\s\S]*)\}\}$/.exec(String(field(properties, name)?.default))?.[1];
	if (expression === undefined) throw new Error(`${name} is no expression`);
	const $self = { ...Object.fromEntries(properties.map((property) => [property.name, property.default])), ...given };
	return runInNewContext(expression, { $self });
}

describe('the base URL', () => {
	const both = { productionBaseUrl: 'https://api.test', sandboxBaseUrl: 'https://sandbox.test' };

	it.each([
		[{ ...both, environment: 'production' }, 'https://api.test'],
		[{ ...both, environment: 'sandbox' }, 'https://sandbox.test'],
		[{ environment: 'sandbox', sandboxBaseUrl: ' https://sandbox.test/prefix// ' }, 'https://sandbox.test/prefix'],
		[{ ...both, environment: 'production', productionBaseUrl: '' }, ''],
		[{ environment: 'production' }, ''],
		// The production URL is used only if production is chosen.
		[both, 'https://sandbox.test'],
	])('of %j is "%s"', (credential, url) => expect(baseUrlOf(credential)).toBe(url));
});

describe.each([
	['clientCredentials', clientCredentials],
	['authorizationCode', authorizationCode],
])('%s', (auth, properties) => {
	it('offers exactly the scopes of its operations', () => {
		const needed = [
			...new Set(operations.filter((operation) => operation.auth === auth).flatMap(({ scope }) => scope ?? [])),
		].sort();
		const scopes = field(properties, 'bankScopes');
		const offered = (scopes?.options as { value: string }[]).map(({ value }) => value);
		expect(offered.filter((value) => value !== 'none')).toEqual(needed);
	});

	it('asks for the token URL, which the API description does not show', () => {
		expect(field(properties, 'accessTokenUrl')).toMatchObject({ type: 'string', required: true, default: '' });
	});
});

/** Values that the user can choose. */
const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'boolean' ? [true, false] : options.flatMap((option) => ('value' in option ? [option.value] : []));

/** Expected defaults other than an empty text or false. */
const usual: Record<string, unknown> = {
	environment: 'sandbox',
	authentication: 'header',
	beginWith: 'authorizationCode',
	flow: 'authorizationCode',
	certificateFormat: 'pem',
	signature: 'none',
	signatureKeyFormat: 'pem',
	signaturePosition: 'last',
	// Header names of part 5.
	gatewayClientIdHeader: /^x-gw-client-id$/i,
	gatewayKeyHeader: 'x-gw-client-secret',
	gatewayCertificateHeader: 'x-client-certificate',
	testPath: '/',
	allowedOperations: 'all',
	limitTimeZone: 'UTC',
	// n8n's own default lets HTTP Request nodes send requests anywhere.
	httpRequestDomains: 'none',
	bankScopes: [],
	checks: [],
	headerName: 'Authorization',
	signatureAlgorithm: 'sha256',
	signatureEncoding: 'hex',
	signedContent: '{timestamp}.{body}',
	timestampWindow: 300,
};

describe.each(Object.entries(forms))('%s', (type, properties) => {
	const names = properties.map(({ name }) => name);
	const filledIn = properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');

	it('has a label and a description for every field', () => {
		const untold = ({ displayName, description }: { displayName: string; description?: string }) =>
			displayName === '' || description === undefined || description === '';
		expect(filledIn.filter(untold)).toEqual([]);
		expect(properties.filter(({ name, displayName }) => name === '' || displayName === '')).toEqual([]);
	});

	it('starts with a notice of what it is for', () => {
		expect(properties[0]).toEqual({
			displayName: expect.stringMatching(/^For .+\.$/),
			name: 'purposeNotice',
			type: 'notice',
			default: '',
		});
	});

	it('says at its end what its test does not prove, in the same words as the others', () => {
		const notices = properties.filter(({ name }) => name === 'testNotice').map(({ displayName }) => displayName);
		expect(notices).toEqual(type === 'bankInboundApi' ? [] : [testNotice.displayName]);
		if (notices.length > 0) expect(properties.filter(({ type }) => type !== 'hidden').at(-1)).toBe(testNotice);
	});

	it('has empty fields except for defaults', () => {
		for (const { name, type, default: initial } of filledIn) {
			const expected = usual[name] ?? (type === 'boolean' ? false : '');
			if (expected instanceof RegExp) expect(initial).toMatch(expected);
			else expect([name, initial]).toEqual([name, expected]);
		}
	});

	// n8n's lint cannot see inherited properties.
	it('masks every secret and every stored value', () => {
		const secrets = properties.filter(
			({ name, type }) =>
				!['boolean', 'options', 'notice'].includes(type) &&
				name !== 'useCertificate' &&
				name !== 'accessTokenUrl' &&
				!name.endsWith('Header') &&
				/secret|password|passphrase|privatekey|token|cert|authorizationcode$/i.test(name),
		);
		for (const { name, typeOptions } of secrets)
			expect({ name, password: typeOptions?.password }).toEqual({ name, password: true });
	});

	it('has display conditions on existing choices only', () => {
		for (const { displayOptions } of properties) {
			for (const [name, values = []] of Object.entries(displayOptions?.show ?? {})) {
				expect(names).toContain(name);
				const choices = properties
					.filter((property) => property.name === name && property.type !== 'hidden')
					.flatMap(choicesOf);
				expect(values.length).toBeGreaterThan(0);
				for (const value of values) expect(choices.length > 0 ? choices : [true]).toContain(value);
			}
		}
	});
});

describe('hidden fields', () => {
	it('have the fixed values of their types', () => {
		const hidden = (properties: INodeProperties[], name: string) => {
			const { type, default: value } = field(properties, name) ?? {};
			return [type, value];
		};
		expect(hidden(gateway, 'useGateway')).toEqual(['hidden', true]);
		expect(hidden(mutualTls, 'useCertificate')).toEqual(['hidden', true]);
		expect(hidden(mutualTls, 'gatewayClientIdHeader')).toEqual(['string', 'x-gw-client-id']);
		expect(hidden(gateway, 'gatewayClientIdHeader')).toEqual(['string', 'X-GW-Client-Id']);
	});

	// n8n fetches a token if this field is empty.
	it.each([[clientCredentials], [hostToHost]])(
		'let n8n fetch a token if the access token is empty (%#)',
		(properties) => {
			const expirable = properties.filter(({ typeOptions }) => typeOptions?.expirable === true);
			expect(expirable).toMatchObject([{ name: 'accessToken', type: 'hidden', default: '' }]);
		},
	);

	// Not empty, so that n8n runs preAuthentication only after a 401.
	it.each([[gateway], [mutualTls]])('let n8n test a credential without a token (%#)', (properties) => {
		expect(properties.filter(({ typeOptions }) => typeOptions?.expirable === true)).toMatchObject([
			{ type: 'hidden', default: expect.stringMatching(/./) },
		]);
	});
});

describe.each([
	['a new token', newTokenTest],
	['a connected token', connectedTest],
])('the test of %s', (_name, { request, rules = [] }) => {
	const { except } = request.ignoreHttpStatusErrors as { except: unknown[] };

	// Without a rule for a status, n8n shows only the name of the status.
	it.each([301, 302, 307, 400, 401, 404, 429, 500, 503])('fails with %d, and says what it means', (status) => {
		expect(except).toContain(status);
		expect(rules.map(({ properties }) => properties.value)).toContain(status);
	});
});

describe('authorization code', () => {
	it('fixes the grant type', () => {
		expect(field(authorizationCode, 'grantType')).toMatchObject({
			type: 'hidden',
			default: 'authorizationCode',
		});
	});

	it('explains the limits of Connect if the certificate is turned on', () => {
		expect(authorizationCode.find(({ name }) => name === 'connectNotice')).toMatchObject({
			displayOptions: { show: { useCertificate: [true] } },
			displayName: expect.stringContaining('Host-to-Host'),
		});
	});
});

describe('the authorization request', () => {
	it.each([
		[{ bankScopes: ['a', 'b'] }, 'a b'],
		[{ bankScopes: [] }, 'as-accrual-and-debt credit-statements debit-statements limits-control operations-history'],
		[{ bankScopes: ['a'], eventScopes: 'events more' }, 'a events more'],
		[{ flow: 'h2h', bankScopes: ['a'], eventScopes: 'events' }, 'events'],
	])('with %j asks for the scopes "%s"', (given, expected) => {
		expect(resolved(authorizationCode, 'scope', given)).toBe(expected);
	});

	it.each([
		[{}, ''],
		[{ requestConsent: true }, 'prompt=consent'],
		[{ authorizationParameters: 'login_hint=a' }, 'login_hint=a'],
		[{ requestConsent: true, authorizationParameters: 'login_hint=a' }, 'prompt=consent&login_hint=a'],
	])('with %j has the parameters "%s"', (given, expected) => {
		expect(resolved(authorizationCode, 'authQueryParameters', given)).toBe(expected);
	});
});
