import * as v from 'valibot';

import { representatives } from '../../fixtures/src/oracle.ts';
import {
	BankFailure,
	call,
	connectionCodes,
	connectionErrorInfo,
	isBankFailure,
	type Operation,
	operationById,
	operations,
	requestIdOf,
	restOperations,
	type Send,
	unwrap,
} from '../src/index.ts';
import { bankThat, detailsOf, failureOf, json, patience, prepared, type Reply, words } from './support/bank.ts';
import { sampleOf } from './support/samples.ts';

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const request = (id: string) => prepared(id, sampleOf(id, 'all fields').input);
const kindOf = ({ effect, list, response }: Operation) => [
	effect,
	response === undefined ? 'without an answer' : list === undefined ? 'one answer' : 'a list',
];
const kinds = (isRead: boolean) =>
	representatives<Operation>(
		restOperations.filter(({ effect }) => (effect === 'read') === isRead),
		kindOf,
	);

/** Calls a bank with these replies. Returns the number of requests, the waiting times and the result. */
async function calling(id: string, replies: Reply[], more?: (waited: number) => boolean) {
	const { send, asked } = bankThat(...replies);
	const { wait, waited } = patience(more);
	const end = await call(operationById(id), request(id), send, { wait }).catch((error: unknown) => error);
	return { asked: asked.length, waited, end };
}

const operationsPage = json(200, { operations: [] });
const list = 'accountOperation.getMany';

/** Every status that is not a success, every known error of Node, TLS, axios and n8n, and some unknown ones. */
const unknownCodes = ['EPROTO', 'HPE_INVALID_CONSTANT', 'ERR_SOMETHING_NEW', 'constructor', '__proto__', 'toString'];
const failingStatuses = Array.from({ length: 500 }, (_, index) => index + 100).filter(
	(status) => status < 200 || status > 299,
);
const unreadable = ['', ' ', '<html>', '{"a":', '[]', 'null', '"x"', '7', '\u0000'];

const everyFault: { kind: string; reply: Reply }[] = [
	...failingStatuses.flatMap((status) => [
		{ kind: `${status}`, reply: words(status, '') },
		{ kind: `${status} soon`, reply: json(status, { error: 'internal_error' }, { 'Retry-After': '0' }) },
	]),
	...[...connectionCodes, ...unknownCodes].map((code) => ({ kind: code, reply: { code, message: 'words' } })),
	{ kind: 'no code', reply: {} },
	...[200, 201, 202, 204].flatMap((status) =>
		unreadable.map((text) => ({ kind: `${status} ${JSON.stringify(text)}`, reply: words(status, text) })),
	),
];

/** Statuses for requests that were not processed; 424 and 425 refer to another request. */
const isRefusal = (status: number) =>
	status <= 417 || (status >= 421 && status <= 431 && ![424, 425, 427, 430].includes(status)) || status === 451;

describe.each(kinds(false))('%s, which has an effect,', (_kind, operation) => {
	const { id } = operation;

	test('is sent once if the sender throws', async () => {
		let asked = 0;
		const send: Send = async () => {
			asked++;
			throw new TypeError('a bug in the transport');
		};
		await expect(call(operation, request(id), send, patience())).rejects.toThrow(
			new TypeError('a bug in the transport'),
		);
		expect(asked).toBe(1);
	});

	test('is sent once at any fault; its outcome is notSent, rejected or unknown, and never retryable', async () => {
		for (const { kind, reply } of everyFault) {
			const { asked, waited, end } = await calling(id, [reply, operationsPage]);
			expect({ kind, asked, waited }).toEqual({ kind, asked: 1, waited: [] });
			if (!isBankFailure(end)) {
				// A deletion may have an empty response. P11 has no described body, so only a web page is rejected.
				expect({ kind, effect: operation.effect }).toEqual({
					kind: expect.stringMatching(operation.response === undefined ? /^20\d (?!"<)/ : /^20\d "\s*"$/),
					effect: 'delete',
				});
				continue;
			}
			const { outcome, retryable } = detailsOf(end);
			const rejected =
				'status' in reply &&
				reply.status >= 400 &&
				reply.status < 500 &&
				// The bank has rejected the request, in words or by the HTTP status.
				![406, 407, 408, 409].includes(reply.status) &&
				!(operation.effect === 'money' && [412, 418, 422, 423, 424, 425, 499].includes(reply.status)) &&
				(reply.text !== '' || isRefusal(reply.status));
			const expected = rejected
				? 'rejected'
				: ('code' in reply && !connectionErrorInfo(reply.code).mayHaveArrived) ||
					  // 407 comes from a proxy.
					  ('status' in reply && reply.status === 407)
					? 'notSent'
					: 'unknown';
			expect({ kind, outcome, retryable }).toEqual({ kind, outcome: expected, retryable: false });
			expect(end).toBeInstanceOf(BankFailure);
		}
	});
});

describe.each(kinds(true))('%s, which reads,', (_kind, { id }) => {
	test('is retried after temporary faults only', async () => {
		const again = new Set<string>();
		for (const { kind, reply } of everyFault) {
			const { asked, end } = await calling(id, [reply]);
			expect({ kind, failed: isBankFailure(end) && detailsOf(end).outcome }).toEqual({
				kind,
				failed: 'nothingChanged',
			});
			if (asked > 1) again.add(kind);
			expect([1, 3]).toContain(asked);
		}
		const passing = [
			...['429', '502', '503', '504'].flatMap((status) => [status, `${status} soon`]),
			...connectionCodes.filter((code) => connectionErrorInfo(code).isTemporary),
			'no code',
			...[200, 201, 202, 204].flatMap((status) => unreadable.map((text) => `${status} ${JSON.stringify(text)}`)),
		];
		expect([...again].sort()).toEqual(passing.sort());
	});

	test('returns the response of a later attempt', async () => {
		const answer = json(200, sampleOf(id, 'all fields').response.body);
		const { asked, waited, end } = await calling(id, [words(503, ''), { code: 'ECONNRESET' }, answer]);
		expect({ asked, waited }).toEqual({ asked: 3, waited: [1000, 2000] });
		expect(end).toMatchObject({ data: sampleOf(id, 'all fields').output, status: 200 });
	});
});

describe('a retry', () => {
	test('waits for a random time, so that clients do not retry at the same moment', async () => {
		const waits = async (chance: number) => {
			jest.spyOn(Math, 'random').mockReturnValue(chance);
			return (await calling(list, [words(503, '')])).waited;
		};
		expect(await waits(0)).toEqual([1000, 2000]);
		expect(await waits(0.5)).toEqual([750, 1500]);
		expect(await waits(1)).toEqual([500, 1000]);
	});

	const busy = words(503, '');
	test.each<[string, Reply[], number, number, number[], object]>([
		['after three tries', [busy, words(429, ''), words(504, '')], Infinity, 3, [1000, 2000], { httpStatus: 504 }],
		['at a fault that does not pass', [busy, words(403, '')], Infinity, 2, [1000], { httpStatus: 403 }],
		['when the execution is stopped at the first wait', [busy], 1, 1, [1000], { httpStatus: 503 }],
		['when it is stopped at the second', [busy, { code: 'ECONNRESET' }], 2, 2, [1000, 2000], { code: 'ECONNRESET' }],
	])('ends %s, with the last failure', async (_when, replies, stopAt, tries, waits, last) => {
		const { asked, waited, end } = await calling(list, [...replies, operationsPage], (waited) => waited < stopAt);
		expect({ asked, waited }).toEqual({ asked: tries, waited: waits });
		expect(detailsOf(end)).toMatchObject(last);
	});

	test('is not made if the caller cannot wait', async () => {
		const { send, asked } = bankThat(busy, operationsPage);
		const end = await failureOf(call(operationById(list), request(list), send));
		expect([detailsOf(end).httpStatus, asked.length]).toEqual([503, 1]);
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 2, 31, 9, 0, 0);
	beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(now));

	const after = async (headers: Record<string, unknown>, status = 429) =>
		await calling(list, [words(status, '', headers), operationsPage]);

	test.each([
		[{ 'retry-after': '7' }, 7000],
		[{ 'Retry-After': 7 }, 7000],
		[{ 'RETRY-AFTER': '0' }, 0],
		[{ 'Retry-After': '1.5' }, 1500],
		[{ 'Retry-After': '-5' }, 0],
		[{ 'Retry-After': 'Tue, 31 Mar 2026 09:00:10 GMT' }, 10_000],
		[{ 'Retry-After': 'Tue, 31 Mar 2026 08:59:00 GMT' }, 0],
		[{ 'Retry-After': 'soon' }, 1000],
		[{ 'Retry-After': '' }, 1000],
		[{ 'Retry-After': 'Infinity' }, 1000],
		[{ 'Retry-After': ['7'] }, 1000],
		[{}, 1000],
	])('%j: waits %i ms', async (headers, ms) => {
		for (const status of [429, 503]) {
			const { asked, waited } = await after(headers, status);
			expect({ asked, waited }).toEqual({ asked: 2, waited: [ms] });
		}
	});

	test('is reported in seconds, also by an operation that is not retried', async () => {
		for (const [given, seconds] of [
			['7', 7],
			['86400', 86400],
			['Tue, 31 Mar 2026 09:00:10 GMT', 10],
			['soon', undefined],
		] as const) {
			const { end } = await calling('statement.orderAccount', [words(429, '', { 'Retry-After': given })]);
			expect(detailsOf(end).retryAfter).toBe(seconds);
		}
	});

	test.each([{ 'Retry-After': '31' }, { 'Retry-After': 'Tue, 31 Mar 2026 09:00:31 GMT' }])(
		'%j is too long to wait',
		async (headers) => {
			const { asked, waited, end } = await after(headers);
			expect({ asked, waited }).toEqual({ asked: 1, waited: [] });
			expect(detailsOf(end)).toMatchObject({ httpStatus: 429, retryable: true });
		},
	);

	test('counts only for its own response', async () => {
		const { waited } = await calling(list, [
			words(503, '', { 'Retry-After': '7' }),
			{ code: 'ECONNRESET' },
			operationsPage,
		]);
		expect(waited).toEqual([7000, 2000]);
	});
});

describe('the request ID', () => {
	test.each([
		[{ 'x-traceid': 'abc-1' }, 'abc-1'],
		[{ 'X-Request-Id': 'abc-2' }, 'abc-2'],
		[{ 'X-CORRELATION-ID': 'abc-3', 'x-trace-id': 'abc-4' }, 'abc-4'],
		[{ 'X-Correlation-ID': 'abc-5' }, 'abc-5'],
		[
			{ traceparent: '00-48273645901a577b34da6a3ce929d0e0-12345678901a4da6-01' },
			'00-48273645901a577b34da6a3ce929d0e0-12345678901a4da6-01',
		],
		[{ 'x-traceid': '', 'x-request-id': 'second' }, 'second'],
		[{ 'x-traceid': ['a'], 'x-request-id': 7 }, undefined],
		[{ 'content-type': 'text/html' }, undefined],
		[{}, undefined],
	])('of %j is %s', (headers, id) => {
		expect(requestIdOf(headers)).toBe(id);
	});

	test('is short and without secrets', () => {
		expect(requestIdOf({ 'x-request-id': 'x'.repeat(500) })).toHaveLength(100);
		expect(requestIdOf({ 'x-request-id': 'card 4111111111111111' })).toBe('card ****1111');
	});
});

describe('a success status that confirms nothing', () => {
	const money = operationById('payment.sendPackage');
	const sample = request('payment.sendPackage');

	test('has fields that are missing, empty, or other than the required ones', async () => {
		for (const { id, response } of operations.filter(({ effect }) => !['read', 'none', 'delete'].includes(effect))) {
			if (response === undefined) continue;
			const names = Object.keys(unwrap(response).schema.entries ?? {});
			const empty = [null, '', {}, []].map((value) => Object.fromEntries(names.map((name) => [name, value])));
			for (const body of [...empty, {}, { accepted: true }, { subscription: { enabled: true } }]) {
				const { end } = await calling(id, [json(200, body)]);
				expect(detailsOf(end)).toMatchObject({ outcome: 'unknown', code: 'unreadable_response' });
				expect(detailsOf(end).message).toContain('it holds none of the fields that confirm it');
			}
		}
		const response = v.looseObject({ id: v.string(), note: v.optional(v.string()) });
		const answered = (text: string) => call({ ...money, response }, sample, bankThat(words(200, text)).send);
		await expect(answered('{"note":"x"}')).rejects.toMatchObject({ details: { outcome: 'unknown' } });
		expect(await answered('{"id":"x"}')).toMatchObject({ data: { id: 'x' } });
	});

	test.each([
		['levels', '['.repeat(100_000)],
		['values', `[${'{},'.repeat(300_000)}{}]`],
		['values', `{"payments":[${'1,'.repeat(600_000)}1]}`],
	])('a response with so many %s that parsing could end the process is not parsed', async (what, text) => {
		const parse = jest.spyOn(JSON, 'parse');
		const ended = async (status: number) =>
			detailsOf(await failureOf(call(money, sample, bankThat(words(status, text)).send)));
		const excess = { code: 'RESPONSE_TOO_LARGE', words: expect.stringMatching(`^more than \\d+ ${what}$`) };
		expect(await ended(200)).toMatchObject({ outcome: 'unknown', retryable: false, ...excess });
		expect(await ended(500)).toMatchObject({ outcome: 'unknown', httpStatus: 500 });
		expect(parse).not.toHaveBeenCalled();
	});
});

test.each([200, 299])('status %d is a success', async (status) => {
	const reply = words(status, '{"limits":[]}');
	expect((await calling('cardLimit.getMany', [reply])).end).toMatchObject({ data: { limits: [] }, status });
});

describe('a response about another object than the request', () => {
	/** Only single values: objects are not compared. */
	const namesIn = (schema: Operation['body'] | Operation['response']): string[] =>
		Object.entries((schema && unwrap(schema).schema.entries) ?? {})
			.filter(([, field]) => !['strict_object', 'loose_object', 'array'].includes(unwrap(field).schema.type))
			.map(([name]) => name);
	/**
	 * Whether a field is an identifier. The bank may format other fields differently. Packages have their own rules.
	 */
	const isIdentifier = (name: string) => /^object$|id$/i.test(name);

	test('is detected by every identifier that the response repeats', () => {
		const wrong = operations.flatMap(({ id, effect, pathFields, query, body, response, echoes = [] }) => {
			if (effect === 'read' || effect === 'money') return [];
			const sent = [pathFields, query, body].flatMap(namesIn);
			const inPath = namesIn(pathFields);
			const repeated = namesIn(response)
				.filter((name) => inPath.includes(name) || (sent.includes(name) && isIdentifier(name)))
				.sort();
			return [...echoes].sort().join() === repeated.join() ? [] : [`${id}: set echoes to [${repeated.join(', ')}]`];
		});
		expect(wrong).toEqual([]);
	});

	test.each([
		['loanApplication.create', 'dealId', '00000000-0000-4000-8000-000000000000'],
		['webhook.update', 'id', '00000000-0000-4000-8000-000000000000'],
		['webhook.update', 'object', 'jp_sbp_incoming_payments'],
	])('%s: with another %s the outcome is unknown, with both values', async (id, field, other) => {
		const { path, body } = sampleOf(id, 'all fields').input;
		const sent = String({ ...path, ...(body as object) }[field]);
		const answered = { ...(sampleOf(id, 'all fields').response.body as object), [field]: other };
		const { end, asked } = await calling(id, [json(200, answered)]);
		expect(asked).toBe(1);
		expect(detailsOf(end)).toMatchObject({
			outcome: 'unknown',
			retryable: false,
			code: 'other_response',
			httpStatus: 200,
		});
		expect(detailsOf(end).message).toMatch(new RegExp(`${field} "${other}", and "${sent}" was sent$`));
		const { end: same } = await calling(id, [json(200, { ...answered, [field]: sent.toUpperCase() })]);
		expect(same).toMatchObject({ status: 200 });
	});
});
