/** Options passed to n8n's HTTP helper, requests that are never repeated, and the meaning of responses and errors. */
import { type CallResult, isBankFailure, type Operation, rest, Throttle, type Wait } from '@bank/core';
import { CredentialError, markOwnRequest } from '@bank/credentials';

import { resolveConnection } from '../../nodes/shared/http/connection.ts';
import { BankHttpClient } from '../../nodes/shared/http/bankHttpClient.ts';
import { sendEncoded } from '../../nodes/shared/pipeline/encodeRequest.ts';
import { descriptionOf } from '../../nodes/shared/base/messages.ts';
import {
	baseUrl,
	bounds,
	connection,
	contextOf,
	effects,
	list,
	make,
	networkOf,
	plannedOf,
	reply,
	result,
	encodedOf,
	thrownBy,
	Wire,
	withEffect,
} from '../pipeline/support.ts';

const waits: number[] = [];
const wait: Wait = async (milliseconds) => waits.push(milliseconds) > 0;
const pace = (how = wait) => ({ wait: how, throttle: new Throttle() });
beforeEach(() => void waits.splice(0));

const sending = async (
	operation: Operation,
	wire: Wire,
	more: Parameters<typeof plannedOf>[1] = {},
	network = networkOf(wire),
): Promise<CallResult> => await sendEncoded(await encodedOf(operation, more), network, pace());
/** Details of a bank error; any other error fails the test. */
async function detailsOf(running: () => unknown) {
	const error = await thrownBy(running);
	if (!isBankFailure(error)) throw error;
	return error.details;
}
const money = withEffect('money');

/** A credential type by the owner of its token. */
const typeWith = {
	n8n: 'bankAuthorizationCodeOAuth2Api',
	credential: 'bankClientCredentialsOAuth2Api',
	nobody: 'bankGatewayApi',
} as const;
const answering = (answer: Wire['answer']): Wire => Object.assign(new Wire(), { answer });

describe('a request passed to n8n', () => {
	it('has the encoded bytes unchanged, and switches off redirects and retries of n8n', async () => {
		const wire = new Wire();
		const encoded = await encodedOf(make);
		await sendEncoded(encoded, networkOf(wire, {}, { timeout: 7 }), pace());
		const [asked, ...others] = wire.asked;
		expect(others).toEqual([]);
		expect(asked).toEqual({
			type: 'bankGatewayApi',
			// Marked, so that a restricted credential accepts it.
			request: markOwnRequest({
				method: 'POST',
				url: `${baseUrl}/things/a`,
				headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
				body: Buffer.from('{"name":"b"}'),
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: { ignore: true, except: [] },
				disableFollowRedirect: true,
				timeout: 7000,
			}),
			options: { preAuthenticationRetryStatusCode: [] },
		});
		expect(asked?.request.body).toBe(encoded.body);
	});

	it('is sent for a trigger, which has no cancel signal', async () => {
		const wire = answering(() => reply(200, { number: '1' }));
		const context = Object.assign(contextOf({ wire }), { getExecutionCancelSignal: undefined });
		await sending(make, wire, {}, new BankHttpClient(context, connection, bounds));
		expect(wire.asked).toHaveLength(1);
	});

	it('has a signal that ends with the execution and with the deadline', async () => {
		const stop = new AbortController();
		const signals: AbortSignal[] = [];
		const context = contextOf({ signal: stop.signal });
		context.helpers.httpRequestWithAuthentication = async function () {
			const signal = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
			if (signal !== undefined) signals.push(signal);
			return await new Promise<never>(() => undefined);
		};
		const network = new BankHttpClient(context, connection, bounds);
		const encoded = await encodedOf(make);
		expect(await network.sendBytes(make, encoded, 20)).toMatchObject({
			code: 'ECONNABORTED',
			message: 'no complete response within 0.02 seconds',
		});
		const stopped = network.sendBytes(make, encoded);
		stop.abort();
		expect(await stopped).toMatchObject({ code: 'ERR_CANCELED' });
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
		expect(signals).not.toContain(stop.signal);
	});

	it('has the parts of the credential, whose headers take precedence', async () => {
		const wire = new Wire();
		const parts = { headers: { Accept: 'theirs', 'X-Key': 'k' }, agentOptions: { cert: 'c' } };
		await sending(make, wire, {}, networkOf(wire, { parts } as never));
		expect(wire.asked[0]?.request).toMatchObject({
			headers: { Accept: 'theirs', 'Content-Type': 'application/json', 'X-Key': 'k' },
			agentOptions: { cert: 'c' },
		});
	});

	it('keeps n8n from repeating a payment after a 401', async () => {
		const wire = new Wire();
		await sending(money, wire);
		// n8n recognizes a body that can be read only once by these two methods.
		expect(wire.asked[0]?.request).toHaveProperty('formData.getHeaders', expect.any(Function));
		expect(wire.asked[0]?.request).toHaveProperty('formData.append', expect.any(Function));
		const { formData } = wire.asked[0]?.request as unknown as { formData: { getHeaders: () => unknown } };
		expect(formData.getHeaders()).toEqual({});
	});

	it.each(['read', ...effects] as const)('lets n8n repeat a %s after a 401, unless it is a payment', async (effect) => {
		for (const credentialType of Object.values(typeWith)) {
			const wire = new Wire();
			await sending(withEffect(effect), wire, {}, networkOf(wire, { credentialType }));
			const isRefused = 'formData' in (wire.asked[0]?.request ?? {});
			expect([credentialType, isRefused]).toEqual([credentialType, effect === 'money']);
		}
	});

	it.each([
		{ operation: result, outcome: 'nothingChanged' },
		{ operation: money, outcome: 'unknown' },
	])('is aborted if the response is too large ($operation.effect)', async ({ operation, outcome }) => {
		const wire = answering(() => reply(200, { number: 'x'.repeat(bounds.bytes) }));
		const details = { code: 'RESPONSE_TOO_LARGE', outcome, retryable: false };
		expect(await detailsOf(() => sending(operation, wire))).toMatchObject(details);
	});

	it.each([
		['n8n', undefined, [401], { oauth2: { tokenExpiredStatusCode: [401] } }],
		['n8n', 419, [401, 419], { oauth2: { tokenExpiredStatusCode: [401, 419] } }],
		['credential', undefined, [401], { preAuthenticationRetryStatusCode: [401] }],
		['credential', 419, [401, 419], { preAuthenticationRetryStatusCode: [401, 419] }],
		// Without a token n8n would only repeat the request.
		['nobody', undefined, [], { preAuthenticationRetryStatusCode: [] }],
		['nobody', 419, [], { preAuthenticationRetryStatusCode: [] }],
	] as const)('refreshes a token of %s, if the operation has the status %s for it, at %j', async (...given) => {
		const [owner, tokenExpiredStatus, statuses, options] = given;
		const wire = new Wire();
		const operation: Operation = { ...make, ...(tokenExpiredStatus && { tokenExpiredStatus }) };
		await sending(operation, wire, {}, networkOf(wire, { credentialType: typeWith[owner] }));
		expect(wire.asked[0]?.options).toEqual(options);
		expect(wire.asked[0]?.request.ignoreHttpStatusErrors).toEqual({ ignore: true, except: statuses });
	});

	it('is the same for triggers and pages, which need no EncodedRequest', async () => {
		const [encoded, plain] = [new Wire(), new Wire()];
		await sending(make, encoded);
		await networkOf(plain).send({ operation: make, prepared: plannedOf(make).prepared });
		expect(plain.asked).toEqual(encoded.asked);
	});
});

describe("a token of n8n's own OAuth2", () => {
	const hour = 3_600_000;
	const stored = (endsAt: number, more: object = {}) => ({
		oauthTokenData: {
			access_token: 'a',
			refresh_token: 'r',
			expires_in: 3600,
			n8n_expires_at: String(endsAt),
			...more,
		},
	});
	/** An n8n whose stored token expires at this time. A refresh stores the next token. */
	const holding = async (credential: object, next: object | Error = stored(Date.now() + hour)) => {
		const wire = new Wire();
		const order: string[] = [];
		const held = { bankAuthorizationCodeOAuth2Api: { environment: 'sandbox', sandboxBaseUrl: baseUrl, ...credential } };
		const context = contextOf({ wire, credentials: held });
		context.helpers.refreshOAuth2Token = async (type: string) => {
			order.push(`renewed ${type}`);
			if (next instanceof Error) throw next;
			Object.assign(held.bankAuthorizationCodeOAuth2Api, next);
			return (next as ReturnType<typeof stored>).oauthTokenData;
		};
		wire.answer = ({ request }) => (order.push(`${request.method} sent`), reply(200, { number: '1' }));
		const connection = await resolveConnection(context, 'bankAuthorizationCodeOAuth2Api');
		const client = new BankHttpClient(context, connection, bounds);
		const request = async (operation: Operation = make) => await sending(operation, wire, {}, client);
		return { order, wire, request, held, context };
	};
	const renewed = 'renewed bankAuthorizationCodeOAuth2Api';

	it.each(['read', ...effects] as const)('that has expired is refreshed once before a %s is sent', async (effect) => {
		const { order, request } = await holding(stored(Date.now() - 1));
		await Promise.all([1, 2, 3].map(() => request(withEffect(effect))));
		await request(withEffect(effect));
		expect(order).toEqual([renewed, ...Array.from({ length: 4 }, () => 'POST sent')]);
	});

	it('is refreshed again if the new one expires during the run', async () => {
		const { order, request } = await holding(stored(Date.now() - 2), stored(Date.now() - 1));
		for (let times = 0; times < 2; times++) await request();
		expect(order).toEqual([renewed, 'POST sent', renewed, 'POST sent']);
	});

	it('is not refreshed again after another run has refreshed it', async () => {
		const { order, request, held } = await holding(stored(Date.now() - 1));
		Object.assign(held.bankAuthorizationCodeOAuth2Api, stored(Date.now() + hour));
		await request();
		expect(order).toEqual(['POST sent']);
	});

	it.each([
		['is valid for long', stored(Date.now() + hour)],
		['has no known expiry', stored(NaN, { n8n_expires_at: undefined })],
		['has no refresh token', stored(Date.now() - 1, { refresh_token: undefined })],
		['is missing', {}],
	])('that %s is left to n8n', async (_kind, credential) => {
		const { order, request } = await holding(credential);
		await request();
		expect(order).toEqual(['POST sent']);
	});

	it.each(effects)('that cannot be refreshed sends no %s, and the error says so', async (effect) => {
		const { order, request } = await holding(
			stored(Date.now() - 1),
			new Error('The credential needs to be reconnected'),
		);
		expect(await detailsOf(() => request(withEffect(effect)))).toMatchObject({
			code: 'TOKEN',
			outcome: 'notSent',
			words: expect.stringContaining('needs to be reconnected'),
		});
		expect(order).toEqual([renewed]);
	});

	it('is read once for several reads, until it changes', async () => {
		const { request, held, context } = await holding(stored(Date.now() + hour));
		const lent: unknown[] = [];
		let refreshes = 0;
		// n8n's OAuth2 reads the credential from `this`, and writes a refreshed token into it.
		context.helpers.httpRequestWithAuthentication = async function (this: typeof context) {
			const credential = await this.getCredentials<{ oauthTokenData: object }>(typeWith.n8n);
			lent.push(Reflect.get(credential.oauthTokenData, 'access_token'));
			if (refreshes-- > 0)
				Object.assign(held.bankAuthorizationCodeOAuth2Api, {
					oauthTokenData: (credential.oauthTokenData = { access_token: 'b' }),
				});
			return reply(200, { things: [], number: '1' });
		} as never;
		const reads = jest.spyOn(context, 'getCredentials');
		await request(list);
		await request(list);
		// One read is for the secrets to redact.
		expect([lent, reads.mock.calls.length]).toEqual([['a', 'a'], 1]);
		refreshes = 1;
		await request(list);
		await request(list);
		expect([lent.slice(2), reads.mock.calls.length]).toEqual([['a', 'b'], 2]);
		// A request with an effect always reads the credential again.
		await request(make);
		expect(reads.mock.calls.length).toBe(3);
	});

	it('that cannot be refreshed gives an error without secrets of the credential', async () => {
		const clientSecret = 'secret-of-the-client';
		const { request } = await holding(
			{ ...stored(Date.now() - 1), clientSecret },
			new Error(`The server refused client_id=partner&x=${clientSecret}`),
		);
		const { words } = await detailsOf(() => request());
		expect(words).toContain('The server refused');
		expect(words).not.toContain(clientSecret);
	});

	it('whose refresh hangs ends with the execution, and nothing is sent', async () => {
		const { wire, request, context } = await holding(stored(Date.now() - 1));
		const stop = new AbortController();
		Object.assign(context, { getExecutionCancelSignal: () => stop.signal });
		context.helpers.refreshOAuth2Token = () => {
			stop.abort();
			return new Promise(() => undefined);
		};
		expect(await detailsOf(() => request(money))).toMatchObject({ outcome: 'notSent' });
		expect(wire.asked).toEqual([]);
	});

	it('is not refreshed before the request by an older n8n', async () => {
		const { wire, request, context } = await holding(stored(Date.now() - 1));
		Object.assign(context.helpers, { refreshOAuth2Token: undefined });
		await request();
		expect(wire.asked).toHaveLength(1);
	});
});

/** Errors thrown by n8n's helper: if it is uncertain whether the request was sent, the outcome is unknown. */
describe('no response', () => {
	const wrapped = (cause: object) => new Error('NodeApiError', { cause });
	const axios = (more: object) =>
		wrapped({ isAxiosError: true, config: { url: `${baseUrl}/things/a` }, message: 'broke', ...more });
	async function failing(thrown: unknown, operation = money) {
		const wire = answering(() => Promise.reject(thrown));
		const named = { bankGatewayApi: 'My bank' };
		const details = await detailsOf(() => sending(operation, wire, {}, networkOf(wire, {}, { named })));
		expect(wire.asked).toHaveLength(1);
		return details;
	}

	const coded = (code: string, message: string) => wrapped(Object.assign(new Error(message), { code }));

	it.each<[string, unknown, code: string | undefined]>([
		['a time-out', axios({ code: 'ECONNABORTED' }), 'ECONNABORTED'],
		['a reset', axios({ code: 'ECONNRESET' }), 'ECONNRESET'],
		['a broken connection without a code', axios({}), undefined],
		['a response that broke off', axios({ code: 'ERR_BAD_RESPONSE', response: { status: 200 } }), 'ERR_BAD_RESPONSE'],
		['a fault in n8n itself, perhaps after sending', new TypeError('Cannot read properties'), undefined],
		// The error of a broken connection does not tell whether the request was sent.
		['a break of which the words speak of a credential', axios({ message: 'credential lost' }), undefined],
		['a fault with a code, of which the words speak of a token', coded('ENEW', 'no access token in it'), 'ENEW'],
	])('after %s the payments are unknown', async (_name, thrown, code) => {
		const details = await failing(thrown);
		expect(details).toMatchObject({ outcome: 'unknown' });
		expect(details.code).toBe(code);
		expect(descriptionOf(details)).toMatch(/^The payments may have been made and are not sent again\./);
		expect(descriptionOf(details)).not.toContain('My bank');
	});

	const refused = 'The bank does not accept Client ID or Client Secret (invalid_client)';
	it.each<[string, unknown, code?: string]>([
		['a refused connection', axios({ code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
		['a reset by the token endpoint', axios({ code: 'ECONNRESET', config: { url: `${baseUrl}/token` } })],
		['a refusal by the token endpoint', coded('EAUTH', 'invalid_client')],
		['a token that n8n cannot get', wrapped(new Error('Failed to acquire OAuth2 access token: invalid_client'))],
		['a refusal in the words of the credential', wrapped(new CredentialError(refused, 'Check both.'))],
	])('after %s nothing was sent', async (_name, thrown, code = 'TOKEN') => {
		const details = await failing(thrown);
		expect(details).toMatchObject({ outcome: 'notSent', code });
		expect(descriptionOf(details)).toMatch(/^Nothing was sent, so no money moved/);
		// A workflow may use several credentials, so token errors name one.
		expect(descriptionOf(details).includes('credential "My bank"')).toBe(code === 'TOKEN');
	});

	it('names the credential type if the workflow names no credential', async () => {
		const context = contextOf({ wire: answering(() => Promise.reject(wrapped({ code: 'EAUTH', message: 'no' }))) });
		const sending = async () =>
			await sendEncoded(await encodedOf(money), new BankHttpClient(context, connection, bounds), pace());
		expect((await detailsOf(sending)).words).toBe('credential "bankGatewayApi": no');
	});

	it.each([401, 419])('is not the meaning of a %i that n8n throws: the bank rejected the request', async (status) => {
		const body = Buffer.from('{"error":"invalid_token"}');
		const thrown = axios({ response: { status, headers: { 'x-traceid': 't-1' }, data: body } });
		expect(await failing(thrown, { ...money, tokenExpiredStatus: 419 })).toMatchObject({
			outcome: 'rejected',
			httpStatus: status,
			code: 'invalid_token',
			requestId: 't-1',
		});
	});

	it('and its text repeats no secret of the credential', async () => {
		const body = Buffer.from('{"error":"invalid_token","error_description":"kestrel41walnut is no token"}');
		const wire = answering(() => Promise.reject(axios({ response: { status: 401, headers: {}, data: body } })));
		const secrets = async () => [{ secrets: ['kestrel41walnut'], personal: [], numbers: [] }];
		const told = await detailsOf(() => sending(money, wire, {}, networkOf(wire, { secrets })));
		expect(told).toMatchObject({ httpStatus: 401, words: expect.stringContaining('is no token') });
		expect(JSON.stringify(told)).not.toContain('kestrel');
	});
});

describe('a request', () => {
	it('that reads is retried with the same bytes, after the time of Retry-After', async () => {
		const wire = answering(() =>
			wire.asked.length < 3 ? reply(503, '', { 'retry-after': '2' }) : reply(200, { number: '7' }),
		);
		expect((await sending(withEffect('read'), wire)).data).toEqual({ number: '7' });
		expect(wire.bodies).toEqual(['{"name":"b"}', '{"name":"b"}', '{"name":"b"}']);
		expect(waits).toEqual([2000, 2000]);
	});

	const broken: Operation['dialect'] = {
		...rest,
		isRejection: () => {
			throw new RangeError('Maximum call stack size exceeded');
		},
	};

	it.each(effects)('with an effect is unknown if reading its response throws (%s)', async (effect) => {
		const operation: Operation = { ...withEffect(effect), dialect: broken };
		expect(await detailsOf(() => sending(operation, new Wire()))).toMatchObject({
			operation: 'thing.make',
			outcome: 'unknown',
			words: expect.stringContaining('Maximum call stack size exceeded'),
		});
	});

	it('that reads fails with the error that reading its response throws', async () => {
		const operation: Operation = { ...withEffect('read'), dialect: broken };
		expect(await thrownBy(() => sending(operation, new Wire()))).toBeInstanceOf(RangeError);
	});
});

describe('a list', () => {
	const things = Array.from({ length: 40 }, (_, id) => ({ id, name: `thing ${id}` }));
	const pages = () =>
		answering(({ request }) => {
			const query = new URL(request.url).searchParams;
			const from = Number(query.get('from'));
			return reply(200, { things: things.slice(from, from + Number(query.get('most'))) });
		});
	const read = async (wire: Wire, paging: object, more: Parameters<typeof plannedOf>[1] = {}) =>
		await sending(list, wire, { input: {}, paging: { pageSize: 2, mapRow: Object, ...paging }, ...more });

	it('requests each page as the first one was prepared', async () => {
		const wire = pages();
		await read(wire, {}, { input: { query: { colours: ['red', 'blue'] } }, preparing: { arrayFormat: 'comma' } });
		expect(wire.urls.length).toBeGreaterThan(2);
		for (const url of wire.urls) expect(url).toContain('colours=red%2Cblue&');
	});
});

describe('waiting for a result', () => {
	const waiting = { intervalSeconds: 3, timeoutSeconds: 600 };
	const awaited: Operation = {
		...result,
		details: { responses: { ready: { field: 'score' }, notReadyStatuses: [404] } },
	};

	it('polls until the result is ready, also if a status means "not yet"', async () => {
		const answers = [reply(404, ''), reply(200, { state: 'NEW' }), reply(200, { score: 700 })];
		const wire = answering(() => answers[wire.asked.length - 1]);
		expect((await sending(awaited, wire, { waiting })).data).toEqual({ score: 700 });
		expect(wire.urls).toEqual([1, 2, 3].map(() => `${baseUrl}/things/a/result`));
		expect(waits).toEqual([3000, 3000]);
	});
});
