import * as v from 'valibot';

import { BankFailure, pollUntil, type Operation, type Send, verdictOf } from '../src/index.ts';
import { responseObject } from '../src/schemas/fields.ts';
import type { ResponseDetails } from '../src/serviceDetails/details.ts';
import { bankThat, detailsOf, json, prepared, type Reply, words } from './support/bank.ts';
import { results } from './support/inventedOperations.ts';

const operation: Operation = { ...results, asynchronous: true, callOrder: 'step 2, after the application' };
const request = prepared(operation, { path: { appId: 'A-1' }, details: { method: 'GET' } });

let now = 0;
beforeEach(() => {
	now = Date.UTC(2026, 2, 31, 9, 0, 0);
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Polls with a fake clock. Returns the number of requests, the waiting times and the result. */
async function asking(
	responses: ResponseDetails,
	replies: Reply[],
	{
		every = 5,
		atMost = 60,
		stopAt = Infinity,
		of = operation,
	}: { every?: number; atMost?: number; stopAt?: number; of?: Operation } = {},
) {
	const { send, asked } = bankThat(...replies);
	const waited: number[] = [];
	const wait = async (ms: number) => {
		waited.push(ms / 1000);
		now += ms;
		return waited.length < stopAt;
	};
	const options = { intervalSeconds: every, timeoutSeconds: atMost, wait };
	const end: unknown = await pollUntil({ ...of, details: { responses } }, request, send, options).catch(
		(error: unknown) => error,
	);
	return { asked: asked.length, waited, end };
}

const done = json(200, { state: { name: 'DONE' }, score: 0 });
const working = json(200, { state: { name: 'WORKING' }, score: null });

test.each<[string, ResponseDetails, Reply[]]>([
	[
		'an answer with content',
		{},
		[words(204, ''), json(200, {}), json(200, []), json(200, null), json(202, { accepted: true }), done],
	],
	[
		'a field that holds something, nought included',
		{ ready: { field: 'score' } },
		[words(200, ''), working, json(200, { score: '' }), json(200, { score: [] }), done],
	],
	[
		'a field that says so',
		{ ready: { field: 'state.name', values: ['DONE', 'FAILED'] } },
		[working, json(200, {}), json(200, { state: 'DONE' }), done],
	],
	[
		'a field with another value than those',
		{ ready: { field: 'state.name', not: ['WORKING', 'NEW'] } },
		[working, json(200, {}), json(200, { state: { name: '' } }), json(200, { state: { name: ' new' } }), done],
	],
	[
		'a yes or a no',
		{ yes: { field: 'state.name', values: ['done'] }, no: { field: 'state.name', values: ['NO'] } },
		[working, json(200, { state: { name: 'WAITING' } }), json(200, { state: { name: 'PENDING' } }), done],
	],
	[
		'a header',
		{ ready: { header: 'X-State', values: ['ready'] } },
		[working, json(202, {}, { 'x-state': 'READY' }), { ...done, headers: { 'x-state': ' READY' } }],
	],
])('waits for %s', async (_kind, responses, replies) => {
	const { asked, waited, end } = await asking(responses, replies);
	expect(end).toMatchObject({ data: { score: 0 }, status: 200 });
	expect(asked).toBe(replies.length);
	expect(waited).toEqual(replies.slice(1).map(() => 5));
});

test('waits for a response with a described shape as for any other', async () => {
	const shown = { ...operation, response: responseObject({ score: v.number() }) };
	const replies = [words(204, ''), words(200, ''), json(202, { accepted: true }), words(202, 'soon'), done];
	const { asked, waited, end } = await asking({}, replies, { of: shown });
	// The normal interval, not the backoff after a failure.
	expect([asked, waited, end]).toEqual([
		replies.length,
		[5, 5, 5, 5],
		expect.objectContaining({ data: { state: { name: 'DONE' }, score: 0 } }),
	]);

	const cut = await asking({}, [words(200, '{"score": ')], { of: shown, stopAt: 0 });
	expect(cut.end).toBeInstanceOf(BankFailure);
});

test.each<[string, ResponseDetails]>([
	['is not ready', { notReady: { field: 'state.name', values: ['WORKING'] } }],
	['is ready', { ready: { field: 'state.name', values: ['DONE'] } }],
])('takes a file for the result, whatever says that an answer %s', async (_which, responses) => {
	const file = { ...words(200, ''), file: { data: new Uint8Array([1]), mimeType: 'application/pdf' } };
	expect(await asking(responses, [working, file])).toMatchObject({ asked: 2, end: { file: file.file } });
	expect(verdictOf({ ...operation, details: { responses } }, { data: undefined, status: 200, file })).not.toBe(
		'notReady',
	);
});

test('sends one request if the result is ready at once', async () => {
	expect(await asking({}, [done])).toMatchObject({ asked: 1, waited: [] });
});

test('ends with a last request when the time is over, and reports the last state', async () => {
	const { asked, waited, end } = await asking({ ready: { field: 'state.name', values: ['DONE'] } }, [working], {
		every: 5,
		atMost: 12,
	});
	expect(end).toBeInstanceOf(BankFailure);
	expect({ asked, waited }).toEqual({ asked: 4, waited: [5, 5, 2] });
	expect(detailsOf(end)).toMatchObject({
		code: 'not_ready',
		outcome: 'nothingChanged',
		retryable: true,
		message: expect.stringContaining('not ready after 12 seconds'),
		kind: 'notReady',
		words: 'state.name "WORKING"',
		next: ['waitLonger'],
	});
});

test('quotes only the plain value of the field that it waits for', async () => {
	for (const reply of [json(200, { name: 'SECRET', state: { name: { SECRET: 1 } } }), json(200, { name: 'SECRET' })]) {
		const { end } = await asking({ ready: { field: 'state.name', values: ['DONE'] } }, [reply], { atMost: 0 });
		expect(detailsOf(end).words).toBe('no field state.name');
		expect(JSON.stringify(end)).not.toContain('SECRET');
	}
	expect(detailsOf((await asking({}, [json(202, { name: 'SECRET' })], { atMost: 0 })).end).words).toBe('HTTP 202');
});

test('ends when the execution is stopped, without another request', async () => {
	const { asked, end } = await asking({}, [words(204, '')], { stopAt: 2 });
	expect(asked).toBe(2);
	expect(detailsOf(end)).toMatchObject({
		code: 'ERR_CANCELED',
		retryable: false,
		next: [],
		message: expect.stringContaining('was stopped'),
	});
});

test.each([
	['before it, where only the last question', 5, /^HTTP 204$/],
	['itself, where an earlier one', 10, /did not respond in time/],
])('reports the state %s timed out, and waiting as the only next step', async (_when, atMost, said) => {
	const { end } = await asking({}, [words(204, ''), { code: 'ETIMEDOUT' }], { atMost });
	expect(detailsOf(end)).toMatchObject({
		code: 'not_ready',
		words: expect.stringMatching(said),
		next: ['waitLonger'],
	});
});

test('ends with a rejection', async () => {
	const { asked, end } = await asking({}, [words(204, ''), words(403, ''), done]);
	expect(asked).toBe(2);
	expect(end).toBeInstanceOf(BankFailure);
	expect(detailsOf(end).callOrder).toMatch(/^step 2,/);
});

test('continues after a status that means "not yet", and reports it if it is the last one', async () => {
	expect(await asking({ notReadyStatuses: [404, 409] }, [words(404, ''), words(409, ''), done])).toMatchObject({
		asked: 3,
		waited: [5, 5],
		end: { status: 200 },
	});
	expect(detailsOf((await asking({ notReadyStatuses: [409] }, [words(409, '')], { atMost: 5 })).end)).toMatchObject({
		code: 'not_ready',
		words: 'HTTP 409',
	});
});

describe('a bank that is unavailable', () => {
	test.each([
		['is not available', words(503, ''), 'HTTP 503'],
		['reports an error of its own', words(500, ''), 'HTTP 500'],
		['has too much to do', words(429, ''), 'HTTP 429'],
		['lets the connection break', { code: 'ECONNRESET' }, 'the connection broke before the response was complete'],
		['does not answer in time', { code: 'ECONNABORTED' }, 'the bank did not respond in time'],
	])('and %s does not end the wait while time is left', async (_kind, reply, seen) => {
		const recovered = await asking({}, [...Array.from({ length: 9 }, () => reply), done], {
			every: 1,
		});
		expect(recovered.end).toMatchObject({ data: { score: 0 } });
		const { end } = await asking({}, [reply], { every: 5, atMost: 12 });
		expect(detailsOf(end)).toMatchObject({ code: 'not_ready', words: seen });
	});

	test('and sends Retry-After is not asked earlier', async () => {
		const busy = words(429, '', { 'Retry-After': '40' });
		expect(await asking({}, [busy, done], { every: 5 })).toMatchObject({ asked: 2, waited: [40] });
		const late = await asking({}, [busy], { every: 5, atMost: 50 });
		expect(late).toMatchObject({ asked: 3, waited: [40, 10] });
		expect(detailsOf(late.end)).toMatchObject({ code: 'not_ready', retryAfter: 40 });
	});

	test.each([
		['an address where nobody listens', { code: 'ECONNREFUSED' }],
		['a page where JSON should be', words(200, '<html>')],
	])('ends the wait with %s on the first request, but not after a response', async (_kind, reply) => {
		const { end } = await asking({}, [reply, reply, reply, done], { every: 1 });
		expect(detailsOf(end).kind).toMatch(/unreadable|noAnswer/);
		const later = [words(204, ''), ...Array.from({ length: 7 }, () => reply), done];
		expect((await asking({}, later)).end).toMatchObject({ data: { score: 0 } });
	});

	test.each([
		['too large an answer', { code: 'RESPONSE_TOO_LARGE' }],
		['no token', { code: 'TOKEN' }],
		['a certificate of another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
	])('ends the wait with %s, because waiting does not help', async (_kind, fault) => {
		const { asked, end } = await asking({}, [words(204, ''), fault, done]);
		expect([asked, end]).toMatchObject([2, { details: { kind: 'noAnswer', ...fault } }]);
	});

	/** Polls for three seconds. Returns the time that each request was given, and the result. */
	async function given(intervalSeconds: number, reply: (within: number) => Reply) {
		const times: (number | undefined)[] = [];
		const send: Send = async ({ within }) => {
			times.push(within);
			return reply(within ?? 60_000);
		};
		const wait = async (ms: number) => ((now += ms), true);
		const options = { intervalSeconds, timeoutSeconds: 3, wait };
		const end: unknown = await pollUntil(operation, request, send, options).catch((error: unknown) => error);
		expect(detailsOf(end)).toMatchObject({ code: 'not_ready', what: expect.stringContaining('after 3 seconds') });
		return { times, end };
	}

	test('and hangs does not prolong the wait: each request gets the remaining time', async () => {
		const began = now;
		const { times, end } = await given(1, (within) => ((now += within), { code: 'ECONNABORTED' }));
		expect(detailsOf(end).words).toBe('the bank did not respond in time');
		expect([times, now - began]).toEqual([[3000], 3000]);
	});

	test('and responds at once gets a last request of one second when the time is over', async () => {
		expect((await given(2, () => words(204, ''))).times).toEqual([3000, 1000, 1000]);
	});
});

describe('all elements of a list', () => {
	const scans = (...states: (string | null)[]) => json(200, { scans: states.map((state) => ({ state })) });

	test.each<[string, ResponseDetails, Reply[], string]>([
		[
			'say so',
			{ ready: { field: 'scans[*].state', values: ['OK', 'BAD'] } },
			[scans('OK', 'NEW')],
			'scans[*].state "OK", "NEW"',
		],
		['hold something', { ready: { field: 'scans[*].state' } }, [scans('OK', null)], 'scans[*].state "OK"'],
		[
			'are there at all',
			{ ready: { field: 'scans[*].state', values: ['OK'] } },
			[scans(), json(200, {})],
			'no field scans[*].state',
		],
	])('are waited for until they %s', async (_kind, responses, notYet, said) => {
		const { asked, end } = await asking(responses, [...notYet, scans('OK', 'OK')]);
		expect([asked, end]).toMatchObject([notYet.length + 1, { status: 200 }]);
		const late = await asking(responses, notYet, { atMost: 0 });
		expect(detailsOf(late.end).words).toBe(said);
	});

	test('include those of nested lists, and of a response that is a list', async () => {
		const responses: ResponseDetails = { ready: { field: '[*].pages[*].state', values: ['OK'] } };
		const list = (...states: string[]) =>
			json(200, [{ pages: states.map((state) => ({ state })) }, { pages: [{ state: 'OK' }] }]);
		expect((await asking(responses, [list('OK', 'NEW'), list('OK', 'OK')])).asked).toBe(2);
	});
});

test('rethrows an error that is not from the bank unchanged', async () => {
	const { send } = bankThat(words(503, ''));
	const stopped = new Error('the execution has ended');
	const wait = () => Promise.reject(stopped);
	const options = { intervalSeconds: 5, timeoutSeconds: 60, wait };
	const pending: Operation = { ...operation, details: { responses: { notReadyStatuses: [503] } } };
	await expect(pollUntil(pending, request, send, options)).rejects.toBe(stopped);
});
