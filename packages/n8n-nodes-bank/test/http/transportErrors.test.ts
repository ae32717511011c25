/** Errors thrown while getting a token. */
import { CredentialError } from '@bank/credentials';

import { responseOrError, tokenError } from '../../nodes/shared/http/transportErrors.ts';

const nothing = async () => new Uint8Array();
const code = 'TOKEN';

describe('an error of a token request', () => {
	test('from our own credential contains the next step, so nothing is added', () => {
		expect(tokenError(new CredentialError('Client ID is empty', 'Enter what the bank gave you.'))).toEqual({
			code,
			message: 'Client ID is empty. Enter what the bank gave you.',
			isAdvised: true,
		});
	});

	test.each([
		['its words', { message: 'Forbidden' }, { code, message: 'Forbidden' }],
		[
			'its words, what n8n says besides, and why there was no connection',
			{ message: 'Refused', description: 'The service refused the connection', code: 'ECONNREFUSED' },
			{ code, message: 'Refused The service refused the connection', reason: 'ECONNREFUSED' },
		],
		['the words that there are', { message: '', description: 'Only this' }, { code, message: 'Only this' }],
		['no words that are none', { message: 'This', description: null }, { code, message: 'This' }],
		['nothing, of what is no error', 'stopped', { code, message: '' }],
	])('from n8n has %s', (_what, thrown, fault) => {
		expect(tokenError(thrown)).toEqual(fault);
	});
});

test("a new token in a response that n8n's OAuth2 quotes is not in the message", () => {
	const expected = 'Expected JSON response from OAuth2 token endpoint (content-type: text/xml) but received: ';
	const thrown = { code: 'ESTATUS', message: `${expected}<answer>\n<access_token>N3wTok3nOfTheBank9fA</access_token>` };
	const { message } = tokenError(thrown);
	expect(message).toBe(`${expected}[REDACTED]`);
});

describe('an error thrown instead of a response', () => {
	const url = 'https://bank.test/things';

	test('has a code only if it is known', async () => {
		expect(await responseOrError({ message: 'It broke' }, url, [401], nothing)).toEqual({ message: 'It broke' });
	});

	test('means that no token could be obtained if n8n says so, even without a code as text', async () => {
		const message = 'No access token';
		expect(await responseOrError({ message, code: 42 }, url, [401], nothing)).toEqual({ code, message });
	});

	test("means that nothing was sent if n8n's SSRF protection blocked the request", async () => {
		const message = 'The request was blocked because it resolves to a restricted IP address';
		const thrown = {
			message: 'x',
			cause: { name: 'SsrfBlockedIpError', message, description: 'The target is not allowed.' },
		};
		expect(await responseOrError(thrown, url, [401], nothing)).toMatchObject({ code: 'BLOCKED' });
	});

	test('is a 401, even if its body breaks off', async () => {
		const thrown = { response: { status: 401, headers: {}, data: 'x' }, config: { url } };
		const found = await responseOrError(thrown, url, [401], () => Promise.reject(new Error('broken off')));
		expect(found).toMatchObject({ status: 401, text: '' });
	});
});
