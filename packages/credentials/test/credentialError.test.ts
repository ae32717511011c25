/** Messages of connection errors of a credential. */
import { createConnectionError, CredentialError } from '../src/credentialError.ts';
import { FakeN8n } from './support/n8n.ts';
import { Gateway } from './support/types.ts';

const target = { field: 'Access Token URL', url: 'https://id.test:8443/token' };
const thrown = (message: string, code?: string, more: object = {}) =>
	Object.assign(new Error(message), code === undefined ? more : { code, ...more });
const inHandshake = { request: { socket: { secureConnecting: true } } };
const said = (error: unknown) => createConnectionError(error, target);

it.each<[string, string, RegExp, RegExp, object?]>([
	['bad decrypt', 'ERR_OSSL_BAD_DECRYPT', /: the client certificate or its key cannot be used$/, /passphrase\.$/],
	[
		'getaddrinfo ENOTFOUND id.test',
		'ENOTFOUND',
		/id\.test:8443 \(Access Token URL\).*: the host name is unknown$/,
		/^Correct Access Token URL/,
	],
	['connect ECONNRESET by peer', 'ECONNRESET', /: the connection broke/, /client certificate.*\. Try again\.$/],
	['in the handshake', 'ECONNRESET', /: no secure connection could be established$/, /certificate/, inHandshake],
	// Unknown errors keep their message, except for codes that n8n would replace.
	['The moon ECONNREFUSED is full', 'EMOON', /: "The moon is full"$/, /^Check Access Token URL/],
])('%s (%s)', (message, code, what, next, more = {}) => {
	const fault = said(thrown(message, code, more));
	expect(fault).toBeInstanceOf(CredentialError);
	expect(fault.what).toMatch(what);
	expect(fault.next).toMatch(next);
	// n8n-workflow, node.error: COMMON_ERRORS. n8n replaces messages that contain one of these codes.
	expect(fault.message).not.toMatch(
		/ECONN|ENOTFOUND|ETIMEDOUT|EADDR|EHOST|EAI_|ENOENT|EISDIR|ENOTDIR|EACCES|EEXIST|EPERM|GETADDRINFO/i,
	);
});

it('a CredentialError is returned unchanged', () => {
	const fault = new CredentialError('Client ID is empty', 'Enter it.');
	expect(said(fault)).toBe(fault);
});

it('a malformed URL is not repeated in the message', () => {
	expect(createConnectionError(thrown('', 'ERR_INVALID_URL'), { ...target, url: 'key-of-mine' }).what).toMatch(
		/^The request to the address \(Access Token URL\) did not succeed: the address is not a valid URL$/,
	);
});

it('a missing error still gives a message with a next step', () => {
	expect(said(undefined).message).toMatch(/did not succeed: the connection failed .*\. Check Access Token URL.*\.$/);
});

it('a credential test without a connection names the base URL', async () => {
	const n8n = new FakeN8n(Gateway, { gatewayClientSecret: 'secret' });
	n8n.reached = () => {
		throw thrown('connect', 'ECONNREFUSED');
	};
	await expect(n8n.test()).rejects.toThrow(
		'The request to api.test (the base URL) did not succeed: the connection was',
	);
});
