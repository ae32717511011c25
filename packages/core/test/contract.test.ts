import {
	BankApiError,
	call,
	connectionFault,
	type Effect,
	type FailureDetails,
	type NextStep,
	NoAnswerError,
	prepare,
	type RestOperation,
	restOperations,
} from '../src/index.ts';
import { bankThat, failureOf, json, patience, queryOf, type Reply, words } from './support/bank.ts';
import { type Described, description } from './support/description.ts';
import { namesIn, sampleOf, samplesOf } from './support/samples.ts';
import { requiredIn, shapeOf } from './support/shape.ts';

/** By what each operation does: part 4 says so in words. */
const effects: Record<string, Effect> = {
	'payment.sendPackage': 'money',
	'taxpayerAccount.get': 'read',
	'loanApplication.create': 'change',
	'statement.orderCredit': 'order',
	'statement.orderAccount': 'order',
	'accountOperation.getMany': 'read',
	'cardLimit.getMany': 'read',
	'cardLimit.delete': 'delete',
	'webhook.get': 'read',
	'webhook.update': 'change',
	'webhook.delete': 'delete',
};

/** Of each listed code: what the message tells, and what is to be done where the outcome is known (7.1). */
const explained: Record<string, { what: RegExp; next: NextStep }> = {
	invalid_request: { what: /refused the request as invalid/, next: 'correctNamedField' },
	invalid_token: { what: /did not accept the access token/, next: 'renewAccess' },
	insufficient_scope: { what: /scope does not cover/, next: 'addScope' },
	access_denied: { what: /access to the account is prohibited/, next: 'checkOwner' },
	insufficient_privileges: {
		what: /callbackUri is not accessible, or webhook settings are switched off/,
		next: 'checkCallback',
	},
	unknown_route: { what: /not found or is not active/, next: 'checkService' },
	unknown_endpoint: { what: /not found or is not active/, next: 'checkService' },
	internal_error: { what: /internal error/, next: 'tryLater' },
};

const outcomes = (operation: RestOperation, withEffect: 'rejected' | 'unknown' | 'notSent') =>
	operation.effect === 'read' ? 'nothingChanged' : withEffect;

const htmlPage =
	'<!DOCTYPE html><html><head><style>p { color: red }</style><script>alert(1)</script></head><body><h1>Proxy</h1><p>Something else</p></body></html>';

test('core has the operations P1 to P11 and no other of their kind', () => {
	expect(restOperations.map(({ id }) => id).sort()).toEqual(Object.keys(description).sort());
	expect(restOperations.map(({ spec }) => spec).sort()).toEqual([
		'4, P1',
		'4, P10',
		'4, P11',
		'4, P2',
		'4, P3',
		'4, P4',
		'4, P5',
		'4, P6',
		'4, P7',
		'4, P8',
		'4, P9',
	]);
});

describe.each(restOperations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
	const described = description[id] as Described;

	describe('agrees with the API description in', () => {
		test('method, path, scope and flow', () => {
			const { method, path, scope, auth } = operation;
			expect({ method, path, scope }).toEqual({
				method: described.method,
				path: described.path,
				scope: described.scope,
			});
			// Where the flow is not stated, the one of P9 was taken: the scope is that of the same event.
			expect(auth).toBe(described.flow === 'Client Credentials Flow' ? 'clientCredentials' : 'authorizationCode');
		});

		test('what it does at the bank', () => {
			expect(operation.effect).toBe(effects[id]);
		});

		test('the errors', () => {
			expect(operation.errors.map(({ status, code }) => `${status} ${code}`)).toEqual(described.errors);
		});

		test('the fields of path, query and body, their types, and which are required', () => {
			expect(shapeOf(operation.pathFields)).toEqual(described.pathFields);
			expect(shapeOf(operation.query)).toEqual(described.query);
			expect(operation.body === undefined).toBe(described.body === undefined);
			expect(shapeOf(operation.body)).toEqual(described.body ?? {});
		});

		test('the path, which has a field for each of its places', () => {
			expect([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
				Object.keys(described.pathFields),
			);
		});

		test('the fields of the answer', () => {
			const lenient = Object.fromEntries(
				Object.entries(described.answer ?? {}).map(([name, type]) => [name, type.replace('uuid', 'string')]),
			);
			expect(operation.response === undefined).toBe(described.answer === undefined);
			expect(shapeOf(operation.response)).toEqual(lenient);
		});
	});

	describe('samples', () => {
		test('"all fields" has every field of the description, in the request and in the answer', () => {
			const { input, output } = sampleOf(id, 'all fields');
			expect(namesIn(input.path)).toEqual(new Set(Object.keys(described.pathFields)));
			expect(namesIn(input.query)).toEqual(new Set(Object.keys(described.query)));
			expect(namesIn(input.body)).toEqual(new Set(Object.keys(described.body ?? {})));
			const unanswered = id === 'webhook.get' ? /^(organizationIdHash|statusDescriptions)/ : /^$/; // P9 does not list them
			expect(namesIn(output)).toEqual(
				new Set(Object.keys(described.answer ?? {}).filter((name) => !unanswered.test(name))),
			);
		});

		test('"only the required fields" has those of the request and no other, and at least those of the answer', () => {
			const { input, output } = sampleOf(id, 'only the required fields');
			expect(namesIn(input.path)).toEqual(requiredIn(described.pathFields));
			expect(namesIn(input.query)).toEqual(requiredIn(described.query));
			expect(namesIn(input.body)).toEqual(requiredIn(described.body ?? {}));
			expect([...namesIn(output)]).toEqual(expect.arrayContaining([...requiredIn(described.answer ?? {})]));
		});
	});

	describe.each(samplesOf(id).map((sample) => [sample.name, sample] as const))('with %s', (_name, sample) => {
		test('prepare() builds the request of the sample', () => {
			const request = prepare(operation, sample.input);
			expect(request.method).toBe(sample.request.method);
			expect(request.url.split('?')[0]).toBe(sample.request.path);
			expect(queryOf(request)).toEqual(sample.request.query);
			if (sample.request.body === undefined) {
				expect(request).not.toHaveProperty('body');
				expect(request.headers).toEqual({ Accept: 'application/json' });
			} else {
				expect(JSON.parse(request.body ?? '')).toEqual(sample.request.body);
				expect(request.headers).toEqual({ Accept: 'application/json', 'Content-Type': 'application/json' });
			}
		});

		test('preparing what was prepared changes nothing', () => {
			const request = prepare(operation, sample.input);
			expect(prepare(operation, request.input)).toEqual(request);
		});

		test('call() reads the answer of the sample, sending once', async () => {
			const { status, body } = sample.response;
			const { send, asked } = bankThat(words(status, body === undefined ? '' : JSON.stringify(body)));
			const request = prepare(operation, sample.input);
			const result = await call(operation, request, send, patience());
			expect(result.data).toEqual(sample.output);
			expect(result.raw).toEqual(body);
			expect(result.status).toBe(status);
			expect(asked).toEqual([request]);
		});
	});

	describe('fails as described:', () => {
		const request = () => prepare(operation, sampleOf(id, 'all fields').input);

		/** The failure, after as many tries as its kind is worth. */
		async function failing(
			reply: Reply,
		): Promise<{ error: unknown; details: FailureDetails; tries: number; waits: number }> {
			const { send, asked } = bankThat(reply);
			const patient = patience();
			const error = await failureOf(call(operation, request(), send, patient));
			return { error, details: (error as BankApiError).details, tries: asked.length, waits: patient.waited.length };
		}

		const triedAgain = operation.effect === 'read' ? 3 : 1;

		test.each(operation.errors.map(({ status, code }) => [status, code] as const))('%i %s', async (status, code) => {
			const { error, details, tries, waits } = await failing(
				json(status, { error: code, error_description: 'Invented words of the bank' }, { 'X-Request-Id': 'trace-77' }),
			);
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({
				operation: id,
				httpStatus: status,
				code,
				outcome: outcomes(operation, status === 500 ? 'unknown' : 'rejected'),
				requestId: 'trace-77',
			});
			expect((error as Error).message).toBe(details.message);
			expect(details.message).toMatch(explained[code]?.what as RegExp);
			expect(details.message).toContain(operation.action);
			expect(details.message).toContain(`${status} ${code}`);
			expect(details).toMatchObject({ kind: 'refused', words: 'Invented words of the bank' });
			// Where nobody knows whether it was carried out, nothing is said that would repeat it.
			if (details.outcome === 'unknown') expect(details.next).toEqual([]);
			else expect(details.next).toContain(explained[code]?.next);
			expect(details.scope).toBe(code === 'insufficient_scope' ? described.scope : undefined);
			// Only where a user has given a consent can it be given anew.
			expect(details.next.includes('consentAgain')).toBe(
				code === 'insufficient_scope' && operation.auth === 'authorizationCode',
			);
			expect(details.retryable).toBe(operation.effect === 'read' && status === 500);
			expect([tries, waits]).toEqual([1, 0]);
		});

		// In P2 and P3 some refusals have no body; nothing says that others always have one.
		test.each([...new Set(operation.errors.map(({ status }) => status))])('%i without a body', async (status) => {
			const { error, details, tries } = await failing(words(status, ''));
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({
				httpStatus: status,
				outcome: outcomes(operation, status === 500 ? 'unknown' : 'rejected'),
			});
			expect(details).not.toHaveProperty('code');
			expect(details.message).toMatch(new RegExp(`^${operation.action}: .+ \\(${status}\\)$`));
			expect(details).not.toHaveProperty('words');
			expect(tries).toBe(1);
		});

		test.each([
			[400, 'brand_new_code', /refused the request as invalid/, 'rejected'],
			[403, 'brand_new_code', /refused access/, 'rejected'],
			[418, 'teapot', /refused the request/, 'rejected'],
			[409, 'conflict', /conflicts with the present state/, 'unknown'],
			[408, 'slow', /timed out waiting/, 'unknown'],
			[599, 'strange', /could not process/, 'unknown'],
			[302, 'moved', /redirect, which is never followed/, 'unknown'],
		] as const)('an unlisted code, %i %s', async (status, code, what, outcome) => {
			const { error, details, tries } = await failing(json(status, { error: code, error_description: 'New words' }));
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({ httpStatus: status, code, outcome: outcomes(operation, outcome) });
			expect(details.message).toMatch(what);
			expect(details.words).toBe('New words');
			if (details.outcome === 'unknown') expect(details.next).toEqual(status === 302 ? ['checkBaseUrl'] : []);
			expect(tries).toBe(1);
		});

		// The sample of P3 spells the key so.
		test('a refusal with error_descriptions', async () => {
			const { details } = await failing(
				json(400, { error: 'invalid_request', error_descriptions: 'Attribute borrower.legal is missing' }),
			);
			expect(details.words).toBe('Attribute borrower.legal is missing');
		});

		const emptyIsFine = operation.effect === 'delete';
		test(`an empty answer of success ${emptyIsFine ? 'is one, as a deletion needs no words' : 'cannot be read'}`, async () => {
			const { send, asked } = bankThat(words(200, ' \n'));
			if (emptyIsFine) {
				await expect(call(operation, request(), send, patience())).resolves.toEqual({
					data: undefined,
					raw: undefined,
					status: 200,
				});
				expect(asked).toHaveLength(1);
				return;
			}
			const { error, details, tries } = await failing(words(200, ' \n'));
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({
				httpStatus: 200,
				code: 'unreadable_answer',
				outcome: outcomes(operation, 'unknown'),
			});
			expect(details.message).toContain('it is empty');
			expect(tries).toBe(triedAgain);
		});

		test('a web page at 200 is not the bank', async () => {
			const { error, details, tries } = await failing(words(200, htmlPage));
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({
				httpStatus: 200,
				code: 'unreadable_answer',
				outcome: outcomes(operation, 'unknown'),
				retryable: operation.effect === 'read',
			});
			expect(details.message).toContain('web page');
			expect(details).toMatchObject({ kind: 'unreadable', words: 'Proxy Something else' });
			expect(tries).toBe(triedAgain);
		});

		// P11 answers without a body, so there is nothing to be cut off.
		if (operation.response !== undefined) {
			test.each([
				['cut off', '{"id": "FAKE", "operations": [{"id": "FA', /not whole JSON/],
				['a list', '[]', /not a JSON object/],
				['null', 'null', /not a JSON object/],
				['text', '"OK"', /not a JSON object/],
			])('JSON at 200 that is %s', async (_kind, text, why) => {
				const { error, details, tries } = await failing(words(200, text));
				expect(error).toBeInstanceOf(BankApiError);
				expect(details).toMatchObject({
					httpStatus: 200,
					code: 'unreadable_answer',
					outcome: outcomes(operation, 'unknown'),
				});
				expect(details.message).toMatch(why);
				expect(tries).toBe(triedAgain);
			});
		}

		test('a web page at 502', async () => {
			const { error, details, tries } = await failing(words(502, htmlPage));
			expect(error).toBeInstanceOf(BankApiError);
			expect(details).toMatchObject({
				httpStatus: 502,
				outcome: outcomes(operation, 'unknown'),
				retryable: operation.effect === 'read',
			});
			expect(details).not.toHaveProperty('code');
			expect(details.message).toContain('gateway got no usable answer');
			expect(details.words).toBe('Proxy Something else');
			expect(tries).toBe(triedAgain);
		});

		test.each([
			['refused connection', 'ECONNREFUSED', /connection was refused/, 'notSent'],
			['reset connection', 'ECONNRESET', /connection broke/, 'unknown'],
			['time-out', 'ECONNABORTED', /did not answer in time/, 'unknown'],
			['time-out of the connection', 'ETIMEDOUT', /did not answer in time/, 'unknown'],
		] as const)('a %s', async (_kind, code, what, outcome) => {
			const { error, details, tries } = await failing({ code, message: 'invented words of a library' });
			expect(error).toBeInstanceOf(NoAnswerError);
			expect(details).toMatchObject({
				operation: id,
				code,
				outcome: outcomes(operation, outcome),
				retryable: operation.effect === 'read',
			});
			expect(details).not.toHaveProperty('httpStatus');
			expect(details.message).toMatch(what);
			expect(details).toMatchObject({ kind: 'noAnswer', words: 'invented words of a library' });
			expect(details.next).toEqual(details.outcome === 'unknown' ? [] : connectionFault(code).next);
			expect(tries).toBe(triedAgain);
		});
	});
});
