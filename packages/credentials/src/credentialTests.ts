import { hasContent } from '@bank/core';
import type { ICredentialDataDecryptedObject, ICredentialTestRequest, IHttpRequestOptions } from 'n8n-workflow';

import { baseUrlOf, targetOf } from './address.ts';
import { testUrlOf } from './state.ts';

import { lineExpression } from './line.ts';

/** Header of a credential test, which must not pass with a stored token. The credential removes it. */
export const testHeader = 'x-n8n-bank-credential-test';

const chosenUrl =
	'($credentials.environment === "production" ? $credentials.productionBaseUrl : $credentials.sandboxBaseUrl)';
const baseURL = `={{ ${lineExpression(chosenUrl)} }}`;

/** For types without a token. With the header, the credential sends its own test request first, whose errors it can explain. */
export const serviceTest: ICredentialTestRequest = {
	request: {
		baseURL,
		url: `={{ ${lineExpression('$credentials.testPath')} }}`,
		headers: { Accept: 'application/json', [testHeader]: '1' },
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
	},
};

/** Path of the test request, for types that fetch their own tokens. */
const testedPath = '/api/pp/v1/operations';

/** Whether a request is the one of a credential test. A node can send the header of a test with any other one. */
export function isTestRequest(request: IHttpRequestOptions, credential: ICredentialDataDecryptedObject): boolean {
	const isToken = credential.testPath === undefined;
	const path = isToken ? testedPath : testUrlOf(credential);
	const addressOf = (url: URL | undefined) => url?.href.replace(/(?<!:)\/+/g, '/');
	return (
		(request.method ?? 'GET') === 'GET' &&
		!hasContent(request.body) &&
		addressOf(targetOf(request)) === addressOf(targetOf({ url: path, baseURL: baseUrlOf(credential) })) &&
		JSON.stringify(request.qs ?? {}) === (isToken ? '{"limit":1}' : '{}')
	);
}

const rule = (value: number, message: string) => ({ type: 'responseCode' as const, properties: { value, message } });

/** The nodes do not follow redirects with a token. */
const redirects = [301, 302, 303, 307, 308];
const redirectRules = redirects.map((status) =>
	rule(
		status,
		`The base URL redirects elsewhere (${status}). Enter the final URL: the token is not sent to redirect targets.`,
	),
);

/** Statuses that fail the test of a token. n8n shows the message of the rule for the status, or else its own. */
const failing = [...redirects, 400, 401, 404, 429, 500, 502, 503, 504];

/**
 * Reads one operation, which is harmless. The API shows no read-only call that every token can be used for, so 403 is expected without
 * the scope, and proves URL and token.
 */
const tokenTest = (
	begin: string,
	rejected: string,
	forbidden?: { message: string; status: string },
	headers?: Record<string, string>,
): ICredentialTestRequest => ({
	request: {
		baseURL,
		url: testedPath,
		qs: { limit: 1 },
		headers: { Accept: 'application/json', ...headers },
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: {
			ignore: true,
			except: forbidden ? [...failing, forbidden.status as unknown as number] : failing,
		},
	},
	rules: [
		...redirectRules,
		rule(400, `${begin}, but the bank rejects the test request (400). Connection: Check shows the reason.`),
		rule(401, rejected),
		rule(404, `${begin}, but the base URL does not lead to the API. Check it: https, host, no extra path.`),
		rule(429, `${begin}, but the bank received too many requests (429). Wait a minute, then test again.`),
		rule(500, `${begin}, but the bank reports an internal error. Try again later.`),
		rule(503, `${begin}, but the bank is temporarily unavailable. Try again later.`),
		...(forbidden ? [rule(403, forbidden.message)] : []),
	],
});

/** For types that fetch their own tokens: the header makes the credential fetch a new one. */
export const newTokenTest = tokenTest(
	'A token was issued',
	'The bank issued a token but does not accept it. Check that base URL and access token URL belong to the same environment.',
	undefined,
	{ [testHeader]: '1' },
);

/** For the type with n8n's Connect button. 403 fails the test only if the scope was requested; n8n evaluates the expression. */
export const connectedTest = tokenTest(
	'The token was sent',
	'The bank does not accept the token. Reconnect the credential; check that base URL and token URL belong to the same environment.',
	{
		status: '={{ $credentials.scope.split(" ").includes("operations-history") ? 403 : 401 }}',
		message:
			'The bank accepts the token, but not for operations-history. Turn on "Ask for Consent Again", save and reconnect.',
	},
);
