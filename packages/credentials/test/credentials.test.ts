/** What the credential types make of what the user fills in: an address, scopes, parameters of the authorization request. */
import { runInNewContext } from 'node:vm';

import { operations } from '@bank/core';
import { type INodeProperties } from 'n8n-workflow';

import {
	AuthorizationCodeOAuth2Base,
	baseUrlOf,
	ClientCredentialsOAuth2Base,
	GatewayBase,
	HostToHostOAuth2Base,
	InboundBase,
	MutualTlsBase,
} from '../src/index.ts';

class ClientCredentials extends ClientCredentialsOAuth2Base {}
class AuthorizationCode extends AuthorizationCodeOAuth2Base {}
class HostToHost extends HostToHostOAuth2Base {}
class Gateway extends GatewayBase {}
class MutualTls extends MutualTlsBase {}
class Inbound extends InboundBase {}
const clientCredentials = new ClientCredentials().properties;
const authorizationCode = new AuthorizationCode().properties;
const withScopes = [
	['client credentials', clientCredentials, 'clientCredentials'],
	['authorization code', authorizationCode, 'authorizationCode'],
] as const;
const withAddress = [
	['client credentials', clientCredentials],
	['authorization code', authorizationCode],
	['host to host', new HostToHost().properties],
	['gateway', new Gateway().properties],
	['mutual TLS', new MutualTls().properties],
] as const;
const all = [...withAddress, ['inbound', new Inbound().properties]] as const;

const field = (properties: INodeProperties[], name: string) => properties.find((property) => property.name === name);

/** A hidden field as n8n resolves it: an expression over the other fields, with their defaults where the user gave nothing. */
function resolved(properties: INodeProperties[], name: string, given: Record<string, unknown> = {}): unknown {
	const expression = /^=\{\{([\s\S]*)\}\}$/.exec(String(field(properties, name)?.default))?.[1];
	if (expression === undefined) throw new Error(`${name} is no expression`);
	const $self = { ...Object.fromEntries(properties.map((property) => [property.name, property.default])), ...given };
	return runInNewContext(expression, { $self });
}

describe('the base URL', () => {
	it.each([
		[
			{ environment: 'production', productionBaseUrl: 'https://api.test', sandboxBaseUrl: 'https://sandbox.test' },
			'https://api.test',
		],
		[
			{ environment: 'sandbox', productionBaseUrl: 'https://api.test', sandboxBaseUrl: 'https://sandbox.test' },
			'https://sandbox.test',
		],
		[{ environment: 'sandbox', sandboxBaseUrl: ' https://sandbox.test/prefix// ' }, 'https://sandbox.test/prefix'],
		[{ environment: 'production', productionBaseUrl: '', sandboxBaseUrl: 'https://sandbox.test' }, ''],
		[{ environment: 'production' }, ''],
		// Never production by accident.
		[{ productionBaseUrl: 'https://api.test', sandboxBaseUrl: 'https://sandbox.test' }, 'https://sandbox.test'],
	])('of %j is "%s"', (credential, url) => expect(baseUrlOf(credential)).toBe(url));

	it.each(withAddress)("of %s is the sandbox's unless the user chooses production", (_name, properties) => {
		expect(field(properties, 'environment')?.default).toBe('sandbox');
		expect(field(properties, 'productionBaseUrl')?.default).toBe('');
	});
});

describe.each(withScopes)('%s', (_name, properties, auth) => {
	it('offers exactly the scopes of its operations, and all of them are chosen at first', () => {
		const needed = [
			...new Set(operations.filter((operation) => operation.auth === auth).flatMap(({ scope }) => scope ?? [])),
		].sort();
		const scopes = field(properties, 'bankScopes');
		expect((scopes?.options as { value: string }[]).map(({ value }) => value)).toEqual(needed);
		expect(scopes?.default).toEqual(needed);
	});

	it('asks for the token URL, which the API description does not show', () => {
		expect(field(properties, 'accessTokenUrl')).toMatchObject({ type: 'string', required: true, default: '' });
	});
});

describe.each(all)('%s', (_name, properties) => {
	const names = properties.map(({ name }) => name);

	it('has every field once', () => expect(names).toEqual([...new Set(names)]));

	// n8n's lint cannot see inherited properties.
	it('masks every secret, and all that is kept with the credential', () => {
		const secrets = properties.filter(
			({ name, type }) =>
				!['boolean', 'options', 'notice'].includes(type) &&
				name !== 'useCertificate' &&
				name !== 'accessTokenUrl' &&
				/secret|password|passphrase|privatekey|token|cert|authorizationcode$/i.test(name),
		);
		for (const { name, typeOptions } of secrets)
			expect({ name, password: typeOptions?.password }).toEqual({ name, password: true });
	});

	it('shows fields only by fields that are there', () => {
		for (const { displayOptions } of properties)
			for (const name of Object.keys(displayOptions?.show ?? {})) expect(names).toContain(name);
	});
});

describe('authorization code', () => {
	it('pins the flow, and asks for the scopes that are chosen', () => {
		expect(field(authorizationCode, 'grantType')).toMatchObject({ type: 'hidden', default: 'authorizationCode' });
		expect(resolved(authorizationCode, 'scope', { bankScopes: ['a', 'b'] })).toBe('a b');
		expect(resolved(authorizationCode, 'scope', { bankScopes: [] })).toBe('');
	});

	it('says what Connect cannot do, where the certificate is on', () => {
		expect(authorizationCode.find(({ type }) => type === 'notice')).toMatchObject({
			displayOptions: { show: { useCertificate: [true] } },
			displayName: expect.stringContaining('Host-to-Host'),
		});
	});
});

describe('the authorization request', () => {
	it('adds the scopes of webhook events, and of these alone in the H2H flow', () => {
		expect(resolved(authorizationCode, 'scope', { bankScopes: ['a'], eventScopes: 'events more' })).toBe(
			'a events more',
		);
		expect(resolved(authorizationCode, 'scope', { flow: 'h2h', bankScopes: ['a'], eventScopes: 'events' })).toBe(
			'events',
		);
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
