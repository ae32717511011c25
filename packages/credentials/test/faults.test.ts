/** A connection of a credential that did not come about: what is wrong, and what to do, in words of the form. */
import { GatewayBase } from '../src/index.ts';
import { brokenConnection, CredentialFault } from '../src/faults.ts';
import { FakeN8n } from './support/n8n.ts';

class Gateway extends GatewayBase {}

const target = { field: 'Access Token URL', url: 'https://id.test:8443/token', hasCertificate: true };
const thrown = (message: string, code?: string) =>
	Object.assign(new Error(message), code === undefined ? {} : { code });
const said = (error: unknown) => brokenConnection(error, target);

it.each([
	['mac verify failure', undefined, /\(PFX\) cannot be opened: wrong passphrase/, /Certificate Passphrase/],
	[
		'key values mismatch',
		'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
		/^Private Key does not belong to Client Certificate$/,
		/key that the certificate/,
	],
	['bad decrypt', 'ERR_OSSL_BAD_DECRYPT', /^The client certificate or its key cannot be used$/, /Passphrase/],
	['Unsupported PKCS12 PFX data', undefined, /^The client certificate is locked .* RC2$/, /openssl pkcs12 -legacy/],
	[
		'getaddrinfo ENOTFOUND id.test',
		'ENOTFOUND',
		/id\.test:8443 \(Access Token URL\).*: the host name is unknown$/,
		/^Correct Access Token URL/,
	],
	[
		'connect ECONNRESET by peer',
		'ECONNRESET',
		/: the connection broke/,
		/not accept the client certificate .*\. Try again\.$/,
	],
	// What is not known keeps its own words, but for those that n8n would put its own in the place of.
	['The moon ECONNREFUSED is full', 'EMOON', /: "The moon is full"$/, /^Check Access Token URL/],
])('%s (%s)', (message, code, what, next) => {
	const fault = said(thrown(message, code));
	expect(fault).toBeInstanceOf(CredentialFault);
	expect(fault.what).toMatch(what);
	expect(fault.next).toMatch(next);
});

it('a fault that has its words already keeps them', () => {
	const fault = new CredentialFault('Client ID is empty', 'Enter it.');
	expect(said(fault)).toBe(fault);
});

it('an address that is none is not repeated, nor does it hide the fault', () => {
	expect(brokenConnection(thrown('', 'ERR_INVALID_URL'), { ...target, url: 'key-of-mine' }).what).toMatch(
		/^The request to the address \(Access Token URL\) did not succeed: the address is not a valid URL$/,
	);
});

it('what is no error at all is still a fault with a next step', () => {
	expect(said(undefined).message).toMatch(/did not succeed: the connection failed .*\. Check Access Token URL.*\.$/);
});

it('the test of a credential that does not get through names the base URL', async () => {
	const n8n = new FakeN8n(
		new Gateway(),
		{ sandboxBaseUrl: 'https://api.test', gatewayClientId: 'id', gatewayClientSecret: 'secret' },
		() => ({}),
	);
	n8n.reached = () => {
		throw thrown('connect', 'ECONNREFUSED');
	};
	await expect(n8n.test()).rejects.toThrow(
		'The request to api.test (the base URL) did not succeed: the connection was',
	);
});
