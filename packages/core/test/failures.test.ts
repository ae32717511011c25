/**
 * Every operation reports failures in the same way. Runs over one operation of each kind: its effect, the section of
 * part 7 with its errors, and whether its response is documented. Tests of the nodes cover the texts that users read.
 */
import { existing } from '../../fixtures/src/existing.ts';
import { type ErrorOracle, type ErrorSection, errorSections, representatives } from '../../fixtures/src/oracle.ts';
import {
	connectionCode,
	type HttpResponse,
	BankFailure,
	call,
	connectionErrorInfo,
	type FailureDetails,
	isTemporarilyUnavailable,
	isBankFailure,
	type AuthenticatedBy,
	type NextStep,
	type Operation,
	operationById,
	operations,
	createPrerequisiteReadError,
	createHeldBackError,
	createUnconfirmedError,
	type TransportError,
} from '../src/index.ts';
import { answered, anyRequest, bankThat, failureOf, json, patience, type Reply, words } from './support/bank.ts';

const sectionOf = ({ dialect }: Operation) => dialect?.spec ?? '7.1';
const kinds = representatives(operations, (operation) => [
	operation.effect,
	sectionOf(operation),
	operation.response === undefined ? 'answer not shown' : 'answer shown',
]);

/** The failure after all retries. */
async function failed(operation: Operation, reply: Reply) {
	const { send, asked } = bankThat(reply);
	const error = await failureOf(call(operation, anyRequest, send, patience()));
	if (!isBankFailure(error)) throw error;
	return { error, details: error.details, tries: asked.length };
}

/** The expected outcome. A failed read never changes anything. */
const outcomeOf = ({ effect }: Operation, otherwise: FailureDetails['outcome']) =>
	effect === 'read' ? 'nothingChanged' : otherwise;
const passing = [408, 429];
const worthAnotherTry = [429, 502, 503, 504];
const htmlPage =
	'<!DOCTYPE html><html><head><style>p { color: red ' +
	'}</style><script>alert(1)</script></head><body><h1>Proxy</h1><p>Something ' +
	'else</p></body></html>';

describe('an error that part 7 lists', () => {
	/** A rejection in the format of the section, or in an invented one if none is documented. */
	function refusalsOf(section: ErrorSection, error: ErrorOracle): HttpResponse[] {
		const statuses = error.status !== undefined ? [error.status] : (section.statuses ?? [200, 400]);
		const shape = error.body ?? section.body;
		const made =
			shape === undefined && error.code !== undefined ? { error: { code: '{code}', message: '{words}' } } : shape;
		const text = (JSON.stringify(made) ?? '')
			.replaceAll('{code}', error.code ?? '')
			.replaceAll('{words}', 'Invented words');
		return statuses.map((status) => words(status, text, { 'x-trace-id': 'trace-77' }));
	}

	/** Every text in a body that is not its code. */
	function textsIn(body: unknown, code: string | undefined): string[] {
		if (typeof body === 'string') return body === code || /^\d+$/.test(body) ? [] : [body];
		return typeof body === 'object' && body !== null
			? Object.values(body).flatMap((inner) => textsIn(inner, code))
			: [];
	}

	const cases = errorSections.flatMap((section) =>
		section.errors.map((error) => {
			const serving = operations.filter((operation) => sectionOf(operation) === section.section);
			const listing = serving.filter(
				({ errors }) => section.section !== '7.1' || errors.some(({ code }) => code === error.code),
			);
			const title = [section.section, error.status, error.code].filter((part) => part !== undefined).join(' ');
			return [`${title}: ${error.meaning}`, section, error, listing] as const;
		}),
	);

	/** The steps that fit the operation's kind of credential. */
	const stepsOf = ({ auth }: Operation, { next }: ErrorOracle) =>
		next
			.filter((step) => step !== 'useMutualTls' || auth !== 'mutualTls')
			.map((step) => {
				// With client credentials, no person has given a consent.
				if (auth === 'clientCredentials') return ['renewAccess', 'checkOwner'].includes(step) ? 'checkClient' : step;
				return step === 'renewAccess' ? 'connectAgain' : step;
			});

	test.each(cases)('%s', async (_title, section, error, listing) => {
		expect(listing.length).toBeGreaterThan(0);
		for (const [, operation] of representatives(listing, ({ effect, auth }) => [effect, auth])) {
			for (const answer of refusalsOf(section, error)) {
				const { error: thrown, details, tries } = await failed(operation, answer);
				expect(thrown).toBeInstanceOf(BankFailure);
				expect({ code: details.code }).toEqual({ code: error.code });
				// After status 500 the outcome is unknown. If the bank rejects a request with an error text, with any
				// other status, nothing was processed.
				expect(details).toMatchObject({
					operation: operation.id,
					httpStatus: answer.status,
					requestId: 'trace-77',
					outcome: outcomeOf(operation, answer.status === 500 ? 'unknown' : 'rejected'),
					retryable:
						operation.effect === 'read' && (answer.status === 500 || error.next.some((step) => /^try/.test(step))),
					kind: 'refused',
				});
				// If the outcome is unknown, no step repeats the request.
				if (details.outcome === 'unknown')
					expect(details.next).toEqual(error.next.filter((step) => step === 'askRegistration'));
				else expect(details.next).toEqual(expect.arrayContaining(stepsOf(operation, error)));
				expect(thrown.message).toBe(details.message);
				const known = details.code === undefined ? '' : ` ${details.code}`;
				expect(details.message).toMatch(new RegExp(`^${operation.action}: .+ \\(${answer.status}${known}\\)$`));
				expect(details.message).toMatch(new RegExp(error.message));
				const texts = answer.text === '' ? [] : textsIn(JSON.parse(answer.text), error.code);
				for (const text of texts) expect(details.words).toContain(text);
				expect(details.words === undefined).toBe(texts.length === 0);
				expect(tries).toBe(1);
			}
		}
	});
});

describe.each(kinds)('%s', (_kind, operation) => {
	const isRead = operation.effect === 'read';
	const triedAgain = isRead ? 3 : 1;

	/** A success status with an unreadable body. */
	async function cannotBeRead(answer: HttpResponse, why: RegExp): Promise<FailureDetails> {
		const { error, details, tries } = await failed(operation, answer);
		expect(error).toBeInstanceOf(BankFailure);
		expect(details).toMatchObject({
			code: 'unreadable_response',
			httpStatus: 200,
			outcome: outcomeOf(operation, 'unknown'),
			retryable: isRead,
		});
		expect(details.message).toMatch(why);
		expect(tries).toBe(triedAgain);
		return details;
	}

	test('explains an unlisted rejection by its status', async () => {
		for (const [status, outcome, what] of [
			[302, 'unknown', /redirect, which is not followed/],
			[404, 'rejected', /./],
			[408, 'unknown', /timed out waiting for the request/],
			[417, 'rejected', /refused the request/],
			[429, 'rejected', /too many requests/],
			[502, 'unknown', /gateway got no usable response/],
			[503, 'unknown', /temporarily unavailable/],
			[504, 'unknown', /gateway timed out/],
			[599, 'unknown', /could not process/],
		] as const) {
			for (const text of [
				'',
				'<h1>Proxy</h1>',
				'[{"a":1}]',
				'{"code":"new","message":"New words"}',
				'{"__proto__":{"error":"invalid_request"}}',
			]) {
				const { error, details, tries } = await failed(operation, words(status, text, { 'X-Request-Id': 'trace-7' }));
				expect(error).toBeInstanceOf(BankFailure);
				expect(details).toMatchObject({
					httpStatus: status,
					outcome: outcomeOf(operation, outcome),
					retryable: isRead && (status >= 500 || passing.includes(status)),
					requestId: 'trace-7',
					message: expect.stringMatching(what),
				});
				expect(details.words === undefined).toBe(text === '');
				if (details.outcome === 'unknown') expect(details.next).toEqual(status === 302 ? ['checkBaseUrl'] : []);
				expect(tries).toBe(isRead && worthAnotherTry.includes(status) ? 3 : 1);
			}
		}
	});

	test('reports the code and the text of an unlisted rejection', async () => {
		const { details } = await failed(
			operation,
			sectionOf(operation) === '7.1'
				? json(403, { error: 'brand_new_code', error_description: 'New words' })
				: json(417, {
						// The service that issues tokens has its code where RFC 6749 has it.
						[sectionOf(operation) === '7.6' ? 'error' : 'code']: 'brand_new_code',
						message: 'New words',
						moreInformation: 'New words',
					}),
		);
		// Courier and checks have codes at other paths.
		if (!['7.2', '7.3', '7.4'].includes(sectionOf(operation))) expect(details.code).toBe('brand_new_code');
		expect(details.words).toContain('New words');
		expect(details.outcome).toBe(outcomeOf(operation, 'rejected'));
	});

	test('has the outcome rejected for 409 if its section lists it, otherwise unknown', async () => {
		const { details } = await failed(operation, json(409, { error: 'conflict', message: 'Not now' }));
		const isListed = sectionOf(operation) === '7.5';
		expect(details.outcome).toBe(outcomeOf(operation, isListed ? 'rejected' : 'unknown'));
		expect(details.message).toMatch(
			isListed ? /status of the application does not allow/ : /conflicts with the present state/,
		);
	});

	test('does not accept a web page as a response, whatever its status', async () => {
		const details = await cannotBeRead(words(200, ` \n\t${htmlPage}`), /web page/);
		expect(details.kind).toBe('unreadable');
		expect(details.words).toBe(operation.returnsSecrets === true ? undefined : 'Proxy Something else');
		const refused = await failed(operation, words(502, htmlPage));
		expect(refused.details).not.toHaveProperty('code');
		expect(refused.details).toMatchObject({ kind: 'refused', words: 'Proxy Something else' });
	});

	test('does not accept a truncated response', async () => {
		await cannotBeRead(words(200, '{"id": "FAKE", "a'), /not valid JSON/);
		await cannotBeRead(words(200, ' [{"id": 1'), /not valid JSON/);
	});

	test('accepts an empty success only if no content is expected', async () => {
		const isFine = operation.effect === 'delete' || (operation.response === undefined && operation.effect !== 'money');
		for (const [status, text] of [
			[200, ''],
			[200, ' \n'],
			[204, ''],
			[202, ''],
		] as const) {
			if (isFine)
				expect(await answered(operation, words(status, text))).toEqual({ data: undefined, raw: undefined, status });
			else
				expect((await failed(operation, words(status, text))).details).toMatchObject({
					code: 'unreadable_response',
					outcome: outcomeOf(operation, 'unknown'),
					message: expect.stringContaining('it is empty'),
				});
		}
	});

	if (operation.response !== undefined) {
		test('does not accept JSON that is not an object', async () => {
			for (const text of ['[]', 'null', '"OK"']) await cannotBeRead(words(200, text), /not a JSON object/);
		});
		return;
	}

	test('returns a response that is not described unchanged', async () => {
		const strange = JSON.parse('{"__proto__":{"errorInfo":1},"constructor":"c","own":{"a":1}}') as unknown;
		for (const [text, data] of [
			['{"anything":{"deep":[1,null,""]}}', { anything: { deep: [1, null, ''] } }],
			['[{"id":1},"x"]', [{ id: 1 }, 'x']],
			['{"id":40702810000000000001}', { id: '40702810000000000001' }],
			['{"__proto__":{"errorInfo":1},"constructor":"c","own":{"a":1}}', strange],
		] as const)
			expect(await answered(operation, words(200, text))).toEqual({ data, raw: data, status: 200 });
	});

	test('returns plain text if no money is involved; otherwise the outcome is unknown', async () => {
		for (const [text, data] of [
			['"accepted"', 'accepted'],
			['7', 7],
			['Accepted, thank you', 'Accepted, thank you'],
		] as const) {
			if (operation.effect === 'money')
				expect((await failed(operation, words(200, text))).details).toMatchObject({
					code: 'unreadable_response',
					outcome: 'unknown',
				});
			else expect((await answered(operation, words(200, text))).data).toEqual(data);
		}
	});

	test('returns a file', async () => {
		const file = { data: new Uint8Array([37, 80, 68, 70]), mimeType: 'application/pdf', fileName: 'form.pdf' };
		expect(await answered(operation, { ...words(200, ''), file })).toEqual({
			data: undefined,
			raw: undefined,
			status: 200,
			file,
		});
	});

	test('does not accept plain text that is declared as JSON', async () => {
		await cannotBeRead(words(200, 'OK', { 'Content-Type': 'application/json; charset=utf-8' }), /not valid JSON/);
		await cannotBeRead(words(200, '"cut', { 'content-type': 'application/problem+json' }), /not valid JSON/);
	});
});

const read = operationById('webhook.get');
const edit = operationById('webhook.update');

describe('the details of a failure have what is known, and no other fields:', () => {
	const refused = { kind: 'refused', httpStatus: 418, next: ['correctRequest'], retryable: false };
	const unreadable = {
		kind: 'unreadable',
		httpStatus: 200,
		code: 'unreadable_response',
		next: ['checkProxy'],
		retryable: true,
	};
	const notRead = (why: string) => `the bank responded with 200, but the response cannot be read (${why})`;
	const traced = { 'x-trace-id': 'trace-7' };
	const requestId = 'trace-7';
	const body = { error: 'x', error_description: 'Words' };

	test.each<[Reply, string, object]>([
		[words(418, ''), 'the bank refused the request (418)', refused],
		[
			json(418, body, traced),
			'the bank refused the request (418 x)',
			{ ...refused, code: 'x', words: 'Words', requestId },
		],
		[words(200, ''), notRead('it is empty'), unreadable],
		[words(200, 'Hm', traced), notRead('it is not valid JSON'), { ...unreadable, words: 'Hm', requestId }],
		[
			{},
			'the connection failed before there was a response',
			{ kind: 'noAnswer', next: ['checkConnection', 'tryAgain'], retryable: true },
		],
		[
			{ code: 'ENOTFOUND', message: 'Hm' },
			'the host name is unknown',
			{ kind: 'noAnswer', code: 'ENOTFOUND', words: 'Hm', next: ['checkHost'], retryable: false },
		],
		[
			{ code: 'RESPONSE_TOO_LARGE' },
			'the response is too large',
			{ kind: 'noAnswer', code: 'RESPONSE_TOO_LARGE', next: ['askForLess'], retryable: false },
		],
	])('%j', async (reply, what, more) => {
		const { details } = await failed(read, reply);
		const message = `${read.action}: ${what}`;
		const facts = { operation: read.id, effect: read.effect, outcome: 'nothingChanged' };
		expect(details).toStrictEqual({ ...facts, what, message, ...more });
	});

	test.each([
		['EADDRNOTAVAIL', 'notSent'],
		['EPIPE', 'unknown'],
	])('the details say how to verify the outcome only if it is unknown: %s', async (code, outcome) => {
		const unclear: Operation['verifyWith'] = { whether: 'it was edited', readWith: read.id, by: 'its ID' };
		const { verifyWith: _, ...without } = edit;
		const { details } = await failed({ ...without, verifyWith: unclear }, { code });
		expect(details).toMatchObject({ outcome, next: outcome === 'unknown' ? [] : connectionErrorInfo(code).next });
		expect(details.verifyWith).toEqual(outcome === 'unknown' ? unclear : undefined);
		expect((await failed(without, { code })).details).not.toHaveProperty('verifyWith');
	});

	test('the details have scope and calling order only if these may be the reason', async () => {
		const { scope: _scope, ...open } = edit;
		const scoped: Operation = { ...edit, scope: 'debit', callOrder: 'first of all' };
		const refused = async (operation: Operation, status: number, error: string) =>
			(await failed(operation, json(status, { error }))).details;
		expect(await refused(scoped, 403, 'insufficient_scope')).toMatchObject({
			scope: 'debit',
			callOrder: 'first of all',
		});
		expect(await refused(scoped, 409, 'conflict')).toMatchObject({ callOrder: 'first of all' });
		expect(await refused(scoped, 403, 'access_denied')).not.toHaveProperty('scope');
		expect(await refused(open, 403, 'insufficient_scope')).not.toHaveProperty('scope');
		expect(await refused(open, 403, 'insufficient_scope')).not.toHaveProperty('callOrder');
		for (const status of [400, 401, 404])
			expect(await refused(scoped, status, 'invalid_request')).not.toHaveProperty('callOrder');
	});
});

test.each([
	[300, 'a redirect, which is not followed', ['checkBaseUrl']],
	[399, 'a redirect, which is not followed', ['checkBaseUrl']],
	[400, '', ['correctNamedField']],
	[404, '', ['checkService']],
	[409, '', ['readState']],
	[429, '', ['slowDown']],
	[499, 'the bank refused the request', ['correctRequest']],
	[500, '', ['tryLater', 'reportRequest']],
	[503, '', ['tryLater']],
	[599, 'could not process the request', ['tryLater', 'reportRequest']],
])('a failure with status %d alone says what happened (%s) and what to do', async (status, what, next) => {
	const { details } = await failed(read, words(status, ''));
	expect(details).toMatchObject({ message: expect.stringContaining(what), next });
});

test('a rejection by the courier service is a sentence that says who reports it', async () => {
	const errorInfo = { errorCode: '003', errorString: 'Denied' };
	const { details } = await failed(operationById('courier.authorize'), json(200, { errorInfo }));
	expect(details.message).toMatch(/: the bank reports an authorization error \(200 003\)$/);
});

describe('a 404', () => {
	const unknown = [json(404, { error: 'unknown_route' }), json(404, { error: 'not_found' }), words(404, '')];
	const inPath = operations.filter(({ pathFields, dialect }) => pathFields !== undefined && dialect === undefined);

	test.each(inPath.map((operation) => [operation.id, operation] as const))(
		'of %s says first that the identifier in its path may be wrong',
		async (_id, operation) => {
			for (const reply of unknown)
				expect((await failed(operation, reply)).details.message).toMatch(
					/: the identifier may be wrong or no longer exist, or the endpoint was not found or is not active \(404/,
				);
		},
	);

	test('of an operation without an identifier in its path does not', async () => {
		const other = operationById('accountOperation.getMany');
		for (const reply of unknown)
			expect((await failed(other, reply)).details.message).toMatch(/: the endpoint was not found or is not active/);
	});
});

test.each<[string, HttpResponse]>([
	['a refusal', json(400, { error: 'known-value', error_description: 'known-value is not known' })],
	['a refusal in words', words(400, 'known-value is not known')],
	['an answer that cannot be read', words(200, '{"known-value": ')],
	['a redirect', { ...words(302, ''), headers: { location: 'https://elsewhere.test/known-value' } }],
])('%s repeats no secret of the request', async (_kind, answer) => {
	const headers = { ...answer.headers, 'x-request-id': 'about known-value' };
	const redactSecrets = (text: string) => text.replaceAll('known-value', '***');
	const { details } = await failed(operationById('payment.sendPackage'), { ...answer, headers, redactSecrets });
	expect(JSON.stringify(details)).not.toContain('known-value');
	expect([details.words, details.requestId]).toEqual([expect.stringContaining('***'), 'about ***']);
});

test('a redirect error has the target, if the response has one', async () => {
	const redirected = async (headers: Record<string, unknown>, status = 301, text = '') =>
		(await failed(read, words(status, text, headers))).details.words;
	for (const text of ['', '<h1>Moved</h1>', '{"error":"moved","error_description":"Moved"}'])
		expect(await redirected({ Location: 'https://bank.test/v2' }, 301, text)).toBe('go to https://bank.test/v2');
	for (const headers of [{}, { Location: '' }, { Location: ['x'] }]) expect(await redirected(headers)).toBeUndefined();
	for (const status of [201, 409])
		expect(await redirected({ Location: '/v2' }, status, '{"error":"x"}')).not.toMatch(/v2/);
});

describe('a payment that may already have been made', () => {
	const pay = operationById('payment.sendPackage');

	test('is unknown if the bank accepts the package without naming the payment', () => {
		const { details } = createUnconfirmedError(pay, 'row-1');
		const unknown = { outcome: 'unknown', retryable: false, names: ['row-1'], next: [] };
		expect(details).toMatchObject({ ...unknown, kind: 'unconfirmed', code: 'unconfirmed' });
		expect(details.message).toContain('does not name this payment');
	});

	test('has its own message if duplicate protection holds it back', () => {
		const { details } = createHeldBackError(pay, 'conflict', 'already_sent', 'A was sent', 'It was not sent again.');
		expect(details).toMatchObject({ kind: 'heldBack', outcome: 'conflict', code: 'already_sent', retryable: false });
		expect([details.message, details.words]).toEqual(['A was sent', 'It was not sent again.']);
	});

	const duplicate = [
		...['Duplicate request', 'already exists', 'The payment exists', 'was accepted', 'in progress', 'in-process'],
		...['is being processed', 'Дубликат', 'Уже принят', 'в обработке'],
	];
	const money = operations.filter(({ effect }) => effect === 'money');
	test.each(money.map((operation) => [operation.id, operation] as const))(
		'is unknown if a rejection says that %s may exist already',
		async (_id, operation) => {
			const outcomeAfter = async (reply: Reply) => (await failed(operation, reply)).details.outcome;
			for (const status of [406, 408, 409, 412, 418, 422, 423, 424, 425, 499])
				expect([status, await outcomeAfter(json(status, { error: 'no' }))]).toEqual([status, 'unknown']);
			for (const said of duplicate)
				for (const body of [{ error: 'x', error_description: said }, { error: { text: [said] } }, { [said]: true }])
					expect([body, await outcomeAfter(json(400, body))]).toEqual([body, 'unknown']);
			for (const body of [
				{ transactionId: 'tx' },
				{ error: { transactions: [{ id: 1 }] } },
				{ payPackage: 7 },
				{ transaction_ids: ['x'] },
			])
				expect([body, await outcomeAfter(json(400, body))]).toEqual([body, 'unknown']);
			expect(await outcomeAfter(words(404, 'transactionId=5'))).toBe('unknown');
		},
	);

	test('is rejected if the rejection mentions no duplicate', async () => {
		for (const said of [
			'Amount is not valid',
			'the account does not belong to you',
			'Счёт не существует',
			'Сумма хуже',
		])
			for (const transactionId of [undefined, null, '']) {
				const { details } = await failed(
					pay,
					json(400, { error: 'invalid_request', error_description: said, transactionId }),
				);
				expect([said, details.outcome]).toEqual([said, 'rejected']);
			}
		const order = existing(operations.find(({ effect }) => effect === 'order'));
		expect(
			(await failed(order, json(400, { error: 'invalid_request', error_description: 'Duplicate' }))).details.outcome,
		).toBe('rejected');
	});
});

test('an unreadable response is quoted from its beginning, unless it may contain secrets', async () => {
	const giving = existing(operations.find(({ returnsSecrets }) => returnsSecrets === true));
	const cut = words(200, '{"name": "aB3-dE5fG7hI9jK1"');
	expect((await failed(giving, cut)).details.words).toBeUndefined();
	expect((await failed(read, cut)).details.words).toBe(cut.text);
});

describe('advice that only some failures need', () => {
	const pay: Operation = { ...edit, effect: 'money' };
	const { path: _, ...open } = read;
	const withoutScope = json(403, { error: 'insufficient_scope' });
	type Case = [step: NextStep, position: number, operation: Operation, reply: HttpResponse];

	test.each<Case>([
		// Only payments are not sent again with a new token.
		['useNewToken', 0, { ...pay, auth: 'notShown' }, { ...words(401, ''), authenticatedBy: 'hostToHost' }],
		['useNewToken', 0, { ...pay, tokenExpiredStatus: 419 }, words(419, '')],
		...[400, 403, 404, 419].map((status): Case => ['useNewToken', -1, pay, words(status, '')]),
		...[read, edit, { ...edit, effect: 'delete' as const }, { ...pay, auth: 'gateway' as const }].map(
			(operation): Case => ['useNewToken', -1, operation, words(401, '')],
		),
		// Only if the user entered method and path, and the response has no code of the service.
		...[404, 405].map((status): Case => ['checkMethodAndPath', 0, open, words(status, '')]),
		...[404, 405].map((status): Case => ['checkMethodAndPath', -1, read, words(status, '')]),
		['checkMethodAndPath', -1, open, words(403, '')],
		['checkMethodAndPath', -1, operationById('entryScore.scoreCompany'), json(404, { code: '#1000' })],
		['checkMethodAndPath', -1, operationById('file.getMany'), json(404, { errorInfo: { errorCode: '004' } })],
		['consentAgain', 1, { ...edit, auth: 'notShown' }, withoutScope],
		['consentAgain', -1, { ...edit, auth: 'gateway' }, withoutScope],
	])('%s is step %d', async (step, position, operation, reply) => {
		expect((await failed(operation, reply)).details.next.indexOf(step)).toBe(position);
	});
});

// The sample of P3 has this spelling of the key.
test.each([
	['Attribute borrower.legal is missing', 'Attribute borrower.legal is missing'],
	[['legal is missing', 'amount is missing'], 'legal is missing; amount is missing'],
])('a rejection with error_descriptions is reported with the text of the bank: %j', async (texts, told) => {
	const { details } = await failed(
		operationById('loanApplication.create'),
		json(400, { error: 'invalid_request', error_descriptions: texts }),
	);
	expect(details.words).toBe(told);
});

test.each<[Reply, boolean]>([
	[words(408, ''), true],
	[words(429, ''), true],
	[words(500, ''), true],
	[words(499, ''), false],
	[{ code: 'ECONNRESET' }, true],
	[{ code: 'ENOTFOUND' }, false],
])('whether the bank is away for the moment: %j', async (reply, away) => {
	const { error } = await failed(operationById('webhook.get'), reply);
	expect(isTemporarilyUnavailable(error)).toBe(away);
});

test.each<Reply>([json(403, { error: 'access_denied' }), { code: 'ECONNRESET', message: 'socket hang up' }])(
	'a read that was made for an edit fails as the edit, of which nothing was sent: %j',
	async (reply) => {
		const { error } = await failed(read, reply);
		const { details, message } = createPrerequisiteReadError(edit, error, 'checkCallback');
		expect(details).toEqual({
			...error.details,
			operation: edit.id,
			effect: edit.effect,
			outcome: 'notSent',
			message: `${edit.action}: ${error.details.what}`,
			next: [...error.details.next, 'checkCallback'],
		});
		expect(message).toBe(details.message);
	},
);

describe('a success whose body is an error', () => {
	const effective = operations.filter(({ effect }) => effect !== 'read' && effect !== 'none');

	test.each([
		'Error: account is blocked',
		'** Error: account is blocked',
		'ProcessingError: account is blocked',
		'errorCode: 008, errorString: field x is empty',
		'The request ended with WSTechnicalException',
		'Access denied',
	])('is recognized in plain text: %s', async (text) => {
		for (const { id, response } of effective)
			if (response === undefined)
				expect((await failed(operationById(id), words(200, text))).details.outcome).toBe('unknown');
	});

	test.each(['No errors', 'Errors: 0', 'error: none', 'defaulted'])(
		'is not seen in a text without an error: %s',
		async (text) => {
			expect((await answered('directDebit.createConsent', words(200, text))).data).toBe(text);
		},
	);

	test.each([
		[
			'no payment',
			'directDebit.debit',
			{ requestId: '77', data: { code: 'A-17', message: 'no' } },
			'unreadable_response',
		],
		['no deletion', 'cardLimit.delete', { error: 'internal_error' }, 'internal_error'],
		['no order', 'statement.orderAccount', { id: 'r-1', status: 'ERROR' }, undefined],
		['no result of a read', 'accountOperation.getMany', { operations: [], error: 'access_denied' }, 'access_denied'],
	])('is %s: %s, %j', async (_what, id, body, code) => {
		const { details } = await failed(operationById(id), json(200, body));
		expect(details).toMatchObject({ httpStatus: 200, outcome: outcomeOf(operationById(id), 'unknown') });
		expect(details.code).toBe(code);
	});

	test.each([
		{ id: 'd-1', error: null, errors: [], errorCode: '000', fault: false },
		{ errorCode: 0, errorMessage: 'OK', data: { id: 'd-1' } },
		{ result: { error_code: '000', error_description: 'done', id: 7 } },
		{ id: 'd-1', status: { code: 'NEW', description: 'made' } },
		{ response: { code: 'SUCCESS', message: 'made' } },
		{ id: 'd-1', consent: { id: 1 }, history: [{ error: 'of the first try' }] },
		{ success: true, status: 'REJECTED' },
		{ id: 'd-1', errorCode: 0, state: 'DECLINED' },
		{ code: '00', message: 'OK' },
		{ code: 201, message: 'made' },
		{ code: 'Successfully', timestamp: 'now' },
		{ code: 'A-17', id: 'd-1' },
		{ code: 'A-17', codeOfDebit: 'd-1' },
		{ message: 'accepted' },
	])('is not seen in a success: %j', async (body) => {
		expect(await answered('directDebit.createConsent', json(200, body))).toMatchObject({ data: body });
	});
});

describe('the next steps fit the kind of credential', () => {
	test.each<[Partial<TransportError>, NextStep[]]>([
		[{}, ['fixToken']],
		[{ reason: 'ECONNREFUSED' }, ['fixToken']],
		[{ reason: 'SELF_SIGNED_CERT_IN_CHAIN' }, ['trustTokenServer']],
		[{ reason: 'ERR_TLS_CERT_ALTNAME_INVALID' }, ['useGivenTokenHost']],
		[{ isAdvised: true }, []],
	])('where there is no token: %j, %j', async (fault, next) => {
		expect((await failed(read, { code: 'TOKEN', ...fault })).details).toMatchObject({
			next,
			outcome: 'nothingChanged',
		});
	});

	const profiled = existing(operations.find(({ dialect }) => dialect?.spec === '7.6'));
	test.each<[string, AuthenticatedBy, NextStep[]]>([
		['unifiedCheck.run', 'gateway', ['useMutualTls', 'checkRegisteredClient']],
		['unifiedCheck.run', 'mutualTls', ['checkRegisteredClient']],
		[profiled.id, 'gateway', ['checkGatewayClient']],
		[profiled.id, 'mutualTls', ['checkRegisteredClient']],
	])('after a 401 of %s with the credential %s', async (id, knownBy, next) => {
		const { details } = await failed(operationById(id), { ...json(401, {}), authenticatedBy: knownBy });
		expect(details.next).toEqual(next);
	});

	const refused = async (knownBy: AuthenticatedBy, status: number, error: string) => {
		const { details } = await failed(read, { ...json(status, { error }), authenticatedBy: knownBy });
		return { what: details.what, next: details.next };
	};

	test.each<[AuthenticatedBy, { token: string; refused: string; scope: string[] }]>([
		[
			'authorizationCode',
			{ token: 'connectAgain', refused: 'checkScopeAndOwner', scope: ['addScope', 'consentAgain'] },
		],
		['clientCredentials', { token: 'checkClient', refused: 'checkClient', scope: ['addScope'] }],
		['hostToHost', { token: 'beginAnew', refused: 'checkScopeAndOwner', scope: ['addScope', 'beginAnew'] }],
		['gateway', { token: 'checkGatewayClient', refused: 'checkClient', scope: ['checkClient'] }],
		[
			'mutualTls',
			{ token: 'checkRegisteredClient', refused: 'checkRegisteredClient', scope: ['checkRegisteredClient'] },
		],
	])('after 401, 403 without a known code, and 403 insufficient_scope: %s', async (knownBy, steps) => {
		const hasNoToken = ['gateway', 'mutualTls'].includes(knownBy);
		const token = await refused(knownBy, 401, 'invalid_token');
		expect(token.next).toEqual([steps.token]);
		expect(token.what.includes('access token')).toBe(!hasNoToken);
		expect(token.what.startsWith('the bank did not accept the credential (401')).toBe(hasNoToken);
		expect(await refused(knownBy, 403, 'brand_new_code')).toEqual({
			what: 'the bank refused access (403 brand_new_code)',
			next: [steps.refused],
		});
		const scope = await refused(knownBy, 403, 'insufficient_scope');
		expect(scope.next).toEqual(steps.scope);
		expect(scope.what.includes('token')).toBe(!hasNoToken);
	});
});

test('status 407 and a broken CONNECT come from a proxy: nothing reached the bank', async () => {
	expect(connectionCode(new Error('Proxy connection ended before receiving CONNECT response'))).toBe('PROXY');
	for (const operation of [...representatives(operations, ({ effect }) => [effect])].map(([, one]) => one))
		if (operation.effect !== 'none')
			for (const reply of [
				words(407, 'Proxy Authentication Required'),
				json(407, { error: 'invalid_request' }),
				{ code: 'PROXY' },
			]) {
				const { details, tries } = await failed(operation, reply);
				expect(details).toMatchObject({
					outcome: outcomeOf(operation, 'notSent'),
					message: expect.stringContaining('the proxy in front of the bank'),
					next: ['checkProxyAccess'],
				});
				expect(tries).toBe(1);
			}
});
