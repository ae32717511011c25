/**
 * A response of the bank never brings a secret or personal data into an error: every operation, with the faults and texts of a
 * hostile bank, in a test double of n8n. packages/host/test/engine searches what n8n itself stores.
 */
import { existing } from '../../fixtures/src/existing.ts';
import {
	type HttpResponse,
	isBankFailure,
	type Operation,
	type OperationInput,
	operations,
	prepare,
	type TransportError,
} from '@bank/core';
import { call, pollUntil } from '@bank/core';

import { casesOf } from '../../fixtures/src/samples.ts';
import { BankAuthorizationCodeOAuth2Api } from '../credentials/BankAuthorizationCodeOAuth2Api.credentials.ts';
import { BankClientCredentialsOAuth2Api } from '../credentials/BankClientCredentialsOAuth2Api.credentials.ts';
import { BankHostToHostOAuth2Api } from '../credentials/BankHostToHostOAuth2Api.credentials.ts';
import { errorFor, errorItem, failureOf } from '../nodes/shared/base/failures.ts';
import { resolveConnection } from '../nodes/shared/http/connection.ts';
import { BankHttpClient } from '../nodes/shared/http/bankHttpClient.ts';
import { bounds, contextOf, reply, thrownBy, Wire } from './pipeline/support.ts';

/** Secrets by kind: from the credential, or fetched by n8n. */
const planted = {
	gatewayId: 'GW-91c7e05d44',
	gatewaySecret: 'gw+s3cr3t/Zq9&x="7"',
	clientSecret: 'Cl13nt-S3cr3t-Value',
	passphrase: 'pass phrase of 12 words',
	accessToken: '0f8fad5b-d9cb-469f-a165-708677289501',
	refreshToken: 'rt.7Hq2_x-93kfPPw01mn',
	renewed: 'renewed-7d9e21aa0b5544f1',
	key: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
	userToken: 'user-token-5f0b9c1e77aa',
};

const credential = (accessToken: string) => ({
	environment: 'sandbox',
	sandboxBaseUrl: 'https://bank.test',
	clientId: 'client',
	clientSecret: planted.clientSecret,
	useGateway: true,
	gatewayClientId: planted.gatewayId,
	gatewayClientIdHeader: 'X-Renamed-Id',
	gatewayClientSecret: planted.gatewaySecret,
	gatewayKeyHeader: 'X-Renamed-Key',
	// These fields are not used, but still stored in the credential.
	useCertificate: false,
	certificateFormat: 'pem',
	clientPrivateKey: `-----BEGIN PRIVATE KEY-----\n${planted.key}\n-----END PRIVATE KEY-----`,
	certificatePassphrase: planted.passphrase,
	oauthTokenData: { access_token: accessToken, refresh_token: planted.refreshToken, token_type: 'Bearer' },
});

const inputOf = (id: string): OperationInput & Pick<Operation, 'details'> => {
	const [{ input } = { input: {} }] = casesOf<{ input: OperationInput & Pick<Operation, 'details'> }>(id);
	return input.accessToken === undefined
		? input
		: { ...input, accessToken: { ...input.accessToken, value: planted.userToken } };
};

const preparedOf = (operation: Operation) => {
	const { details, ...input } = inputOf(operation.id);
	return prepare({ ...operation, ...(details && { details }) }, input);
};

/** Personal data of an input: long numbers, texts of several words, and Cyrillic texts. */
function personalIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(personalIn);
	const text = String(value);
	const isNumber = /^\+?\d{10,}$/.test(text);
	return isNumber || /^\p{Lu}\p{Ll}+ \p{L}|\p{Script=Cyrillic}{3}|@/u.test(text) ? [text] : [];
}

const encodings: ((text: string) => string)[] = [
	(text) => text,
	(text) => encodeURIComponent(text),
	(text) => JSON.stringify(text).slice(1, -1),
	(text) => Buffer.from(text).toString('base64'),
	(text) => Buffer.from(`:${text}`).toString('base64url'),
	(text) => Buffer.from(text).toString('hex'),
	(text) => text.toUpperCase(),
	(text) => new URLSearchParams({ text }).toString().slice(5),
];

/** Sentences with a value, in invented formats. */
const sentences: ((value: string) => string)[] = [
	(value) => `Access token expired: ${value}`,
	(value) => `token ${value} has no scope`,
	(value) => `Unknown credentials id / secret ${value} / ${value}`,
	(value) => `{"X-Renamed-Key":["${value}"]}`,
	(value) => `got <b>${value}</b>, wanted another`,
	(value) => `ошибка:${value}.`,
];

/** Ways in which a bank or a proxy repeats values, in every format that an operation reads. */
const bodies: ((words: string) => string)[] = [
	(words) => JSON.stringify({ error: 'invalid_request', error_description: words }),
	(words) => JSON.stringify({ error: words }),
	(words) => JSON.stringify({ errorInfo: { errorCode: '1', errorText: words, errorTrace: words } }),
	(words) => JSON.stringify({ Error: { ErrorString: words } }),
	(words) => JSON.stringify({ code: words, message: words }),
	(words) => `<html><body>${words}</body></html>`,
	(words) => `{"cut": "${words}`,
];
const statuses = [200, 302, 400, 401, 403, 404, 409, 419, 429, 500, 503];

/** The part of a value that a text reveals, plain or encoded; otherwise undefined. */
function leak(shown: string, value: string): string | undefined {
	const plain = [...shown.toLowerCase()].filter((character) => !/\s/.test(character)).join('');
	// Quotes are escaped in JSON inside JSON.
	const forms = encodings.map((encode) => encode(value)).flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
	const digits = /^\+?\d+$/.test(value);
	for (const form of forms) {
		const small = (digits ? form.replace('+', '') : form).toLowerCase().replace(/\s|^[\\"]+|[\\"]+$/g, '');
		// The last four digits of a number may be shown; half of any other value reveals it.
		const size = digits ? 8 : Math.min(16, Math.max(8, Math.floor(small.length / 2)));
		for (let index = 0; index + size <= small.length; index++)
			if (plain.includes(small.slice(index, index + size))) return small.slice(index, index + size);
	}
	return undefined;
}

/** Everything that n8n would store of an error, whether the node stops or continues. */
function everythingOf(operation: Operation, error: unknown): string {
	const context = contextOf();
	const failure = failureOf(context, error, 0);
	const stopping = errorFor(context, failure, { items: [0] });
	const own = Object.fromEntries(
		Object.getOwnPropertyNames(stopping).map((name) => [name, Reflect.get(stopping, name) as unknown]),
	);
	return JSON.stringify([own, errorItem(operation.id, failure, 0)]);
}

async function shownOf(operation: Operation, answer: () => unknown): Promise<string | undefined> {
	const wire = new Wire();
	wire.answer = answer;
	let reads = 0;
	const context = Object.assign(contextOf({ wire }), {
		// n8n has refreshed the token during the request.
		getCredentials: async () => credential(reads++ === 0 ? planted.accessToken : planted.renewed),
	});
	const network = new BankHttpClient(
		context,
		await resolveConnection(context, 'bankAuthorizationCodeOAuth2Api'),
		bounds,
	);
	const prepared = preparedOf(operation);
	return await call(operation, prepared, network.send).then(
		() => undefined,
		(error: unknown) => {
			expect(isBankFailure(error)).toBe(true);
			return everythingOf(operation, error);
		},
	);
}

const asked = operations.filter(({ effect }) => effect !== 'none');

describe.each(asked.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
	const { userToken, ...held } = planted;
	const input = inputOf(id);
	const values = [
		...new Set([
			...Object.values(held),
			...(input.accessToken === undefined ? [] : [userToken]),
			...personalIn([input.path, input.query, input.body, input.payload]),
		]),
	];

	/** Combines all pairs of sentence, encoding, body and status, not all combinations. */
	const cases = values.flatMap((value, place) =>
		Array.from({ length: 5 }, (_, turn) => {
			const at = <Element>(list: readonly Element[], step: number) =>
				list[(place + turn * step) % list.length] as Element;
			const words = at(sentences, 1)(at(encodings, 1 + (place % 3))(value));
			return { value, status: at(statuses, 1), text: at(bodies, 1 + (turn % 2))(words), words };
		}),
	);

	it('has no secret in errors, for any response of the bank', async () => {
		let failures = 0;
		for (const { value, status, text, words } of cases) {
			const shown = await shownOf(operation, () =>
				reply(status, text, { location: `https://x.test/?${words}`, 'x-request-id': words }),
			);
			if (shown === undefined) continue;
			failures++;
			// Our own messages may contain the same word.
			const found = leak(shown.replaceAll(operation.callOrder ?? '\n', ''), value);
			if (found !== undefined) throw new Error(`${found}, of ${value}, after ${status} ${text}: ${shown}`);
		}
		expect(failures).toBeGreaterThan(cases.length / 2);
	});

	it('has no secret in errors without a response, for any message of a library', async () => {
		for (const [place, value] of values.entries()) {
			const code = ['ECONNRESET', 'EPROTO', undefined, 'ERR_OSSL_X', 'EAUTH'][place % 5];
			const words = `${sentences[place % sentences.length]?.(value)} in https://bank.test/?t=${encodeURIComponent(value)}`;
			const shown = await shownOf(operation, () => {
				throw Object.assign(new Error(words), {
					...(code === undefined ? {} : { code }),
					config: { url: 'https://elsewhere.test', headers: { Authorization: value } },
				});
			});
			expect(shown).toBeDefined();
			expect(leak(shown ?? '', value)).toBeUndefined();
		}
	});
});

test('the error that stops a workflow has no part of the request', async () => {
	const [operation] = asked;
	const shown = await shownOf(operation as Operation, () => reply(400, '{"error":"invalid_request"}'));
	expect(Object.keys((JSON.parse(shown ?? '[{}]') as [object])[0]).sort()).not.toEqual(
		expect.arrayContaining(['request', 'response', 'config', 'options']),
	);
	expect(shown).not.toMatch(/authorization|headers|sandboxBaseUrl/i);
});

test.each([
	(token: string) => `<answer><accessToken>${token}</accessToken></answer>`,
	(token: string) => `<p>Here you are: ${token}</p>`,
	(token: string) => `{"answer":["${token}"`,
])('a new token in an unreadable response is not in the error: %s', async (answerOf) => {
	const token = 'a-new-user-token-17c2f09b';
	const giving = operations.filter(({ returnsSecrets }) => returnsSecrets === true);
	expect(giving).not.toEqual([]);
	for (const operation of giving) {
		const shown = await shownOf(operation, () => reply(200, answerOf(token)));
		expect(shown).toContain('cannot be read');
		expect(leak(shown ?? '', token)).toBeUndefined();
	}
});

test('the state of an unfinished result is redacted', async () => {
	const found = existing(operations.find(({ asynchronous }) => asynchronous === true));
	const operation: Operation = { ...found, details: { responses: { ready: { field: 'state', values: ['done'] } } } };
	const answer: HttpResponse & TransportError = {
		status: 200,
		headers: {},
		text: JSON.stringify({ state: `waits for ${planted.accessToken}` }),
		redactSecrets: (text) => text.replace(planted.accessToken, '[REDACTED]'),
	};
	const error = await thrownBy(
		async () =>
			await pollUntil(operation, preparedOf(operation), async () => answer, {
				intervalSeconds: 1,
				timeoutSeconds: 0,
				wait: async () => true,
			}),
	);
	expect(everythingOf(operation, error)).toContain('waits for [REDACTED]');
});

test.each([new BankClientCredentialsOAuth2Api(), new BankAuthorizationCodeOAuth2Api(), new BankHostToHostOAuth2Api()])(
	'the test of $name fails if the base URL redirects',
	({ test: { request, rules = [] } }) => {
		const statuses = [301, 302, 303, 307, 308];
		expect(request).toMatchObject({
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { except: expect.arrayContaining(statuses) },
		});
		for (const value of statuses)
			expect(rules).toContainEqual({
				type: 'responseCode',
				properties: { value, message: expect.stringMatching(/^The base URL redirects .* Enter the final URL/) },
			});
	},
);
