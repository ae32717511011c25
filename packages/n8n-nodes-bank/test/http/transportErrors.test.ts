/** Errors thrown while getting a token. */
import { CredentialError } from '@bank/credentials';

import { responseOrError, tokenError } from '../../nodes/shared/http/transportErrors.ts';

const nothing = async () => new Uint8Array();
const code = 'TOKEN';

describe('that no token could be had', () => {
	test('is told by a credential of ours with what to do, so that nothing is added to it', () => {
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
	])('is told by anybody else in %s', (_what, thrown, fault) => {
		expect(tokenError(thrown)).toEqual(fault);
	});
});

test("a new token does not come into the message with the response that n8n's OAuth2 quotes", () => {
	const expected = 'Expected JSON response from OAuth2 token endpoint (content-type: text/xml) but received: ';
	const thrown = { code: 'ESTATUS', message: `${expected}<answer>\n<access_token>N3wTok3nOfTheBank9fA</access_token>` };
	const { message } = tokenError(thrown);
	expect(message).toBe(`${expected}[REDACTED]`);
});

describe('what was thrown instead of an answer', () => {
	const url = 'https://bank.test/things';

	test('has a code only where one is known', async () => {
		expect(await responseOrError({ message: 'It broke' }, url, [401], nothing)).toEqual({ message: 'It broke' });
	});

	test('is a token that could not be had where n8n says so in words and with no code, for a number is none', async () => {
		const message = 'No access token';
		expect(await responseOrError({ message, code: 42 }, url, [401], nothing)).toEqual({ code, message });
	});

	test("is no request where n8n's SSRF protection blocked it, so that nothing was paid", async () => {
		const message = 'The request was blocked because it resolves to a restricted IP address';
		const thrown = {
			message: 'x',
			cause: { name: 'SsrfBlockedIpError', message, description: 'The target is not allowed.' },
		};
		expect(await responseOrError(thrown, url, [401], nothing)).toMatchObject({ code: 'BLOCKED' });
	});

	test('is the refusal of a token, though its words break off', async () => {
		const thrown = { response: { status: 401, headers: {}, data: 'x' }, config: { url } };
		const found = await responseOrError(thrown, url, [401], () => Promise.reject(new Error('broken off')));
		expect(found).toMatchObject({ status: 401, text: '' });
	});
});
