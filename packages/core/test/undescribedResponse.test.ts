/** Responses and rejections specific to the services (7.2 to 7.6); the common ones are in failures.test.ts. */
import { BankFailure, call, type FailureDetails, type Operation, operationById, operations } from '../src/index.ts';
import {
	answered,
	anyRequest,
	bankThat,
	detailsOf,
	failureOf,
	json,
	patience,
	type Reply,
	words,
} from './support/bank.ts';

const inSection = (section: string) => operations.filter(({ dialect }) => dialect?.spec === section);
async function refused(id: string | Operation, reply: Reply): Promise<FailureDetails> {
	const error = await failureOf(answered(id, reply));
	expect(error).toBeInstanceOf(BankFailure);
	return detailsOf(error);
}

test.each(['null', '{}', '[]', '""', ' {} '])(
	'a debit is unknown after the response %s, as after an empty one',
	async (text) => {
		expect(await refused('directDebit.debit', words(200, text))).toMatchObject({
			code: 'unreadable_response',
			outcome: 'unknown',
		});
		expect(await answered('directDebit.createConsent', words(200, text))).toMatchObject({
			data: JSON.parse(text) as unknown,
		});
	},
);

test.each([
	[{ id: 'd-1', error: null, errors: [], fault: '', exception: {} }],
	[{ id: 'd-1', hasError: false, defaultAccount: 'x' }],
	[[{ id: 'd-1' }]],
	[{ id: 0 }],
	{ id: 'd-1', status: 'CREATED', rejectedBefore: 'no' },
	// Names that only begin or end like one that tells of an error.
	...[{ unsuccessful: 'no' }, { success: '10' }, { ok: 'noted' }, { lastStatus: 'failed' }, { status: 'no error' }],
	[{ data: { id: 'd-1', error: null }, consent: { lastError: { code: 'E77' }, errors: ['long ago'] } }],
])('a debit succeeds with the response %j', async (body) => {
	expect(await answered('directDebit.debit', json(200, body))).toStrictEqual({ data: body, raw: body, status: 200 });
	expect(await answered('directDebit.debit', json(200, body, { 'X-Trace-Id': 'trace-7' }))).toStrictEqual({
		...{ data: body, raw: body, status: 200 },
		requestId: 'trace-7',
	});
});

test.each([
	{ id: 'd-1', status: 'REJECTED' },
	{ id: 'd-1', state: 'declined by bank' },
	{ data: { id: 'd-1', orderStatus: 'CANCELLED' } },
	[{ id: 'd-1', result: 'Denied' }],
])('a debit is unknown after the response %j, whose state is a failure', async (body) => {
	expect(await refused('directDebit.debit', json(200, body))).toMatchObject({
		code: 'unreadable_response',
		outcome: 'unknown',
	});
	// Cancelling is what some operations ask for, so CANCELLED may be their success.
	if (!JSON.stringify(body).includes('CANCELLED'))
		expect(await refused('directDebit.createConsent', json(200, body))).toMatchObject({ outcome: 'unknown' });
});

test('a response with markup inside a text is not a web page', async () => {
	const body = { text: 'a <b> c' };
	expect(await answered('directDebit.createConsent', json(200, body))).toMatchObject({ data: body });
});

test.each([
	['text that only holds brackets', 'done [x] {y}', {}, 'done [x] {y}'],
	['text without a type', 'done', {}, 'done'],
	['text of another type', 'done', { 'Content-Type': 'text/plain' }, 'done'],
	['nothing but spaces, as JSON', ' \n', { 'Content-Type': 'application/json' }, undefined],
])('a response that is %s is returned unchanged', async (_kind, text, headers, data) => {
	expect(await answered('directDebit.createConsent', words(200, text, headers))).toMatchObject({ data, status: 200 });
});

describe('the courier service', () => {
	test.each([
		['no errorInfo', { files: [] }],
		['an empty errorInfo', { errorInfo: {}, files: [] }],
		['errorInfo null', { errorInfo: null }],
		['a code of zeros', { errorInfo: { errorCode: '000', errorString: 'OK' } }],
		['the text none in errorInfo', { errorInfo: 'none' }],
		['errorInfo in a list', [{ errorInfo: { errorCode: '000' } }, { errorCode: 0, errorString: 'OK' }]],
	])('reports a success with HTTP 200 and %s', async (_kind, body) => {
		expect(await answered('file.attach', json(200, body))).toEqual({ data: body, raw: body, status: 200 });
	});

	test.each([
		['in a list', [{ errorInfo: { errorCode: '009', errorString: 'Invented words' } }]],
		['in an envelope', { response: { data: { errorInfo: { errorCode: 9, errorString: 'Invented words' } } } }],
		['in upper case', { ERRORINFO: { ERRORCODE: '009', ERRORSTRING: 'Invented words' } }],
		['without errorInfo', { errorCode: '009', errorString: 'Invented words' }],
		['with other separators in the names', { error_info: { 'error-code': '009', error_string: 'Invented words' } }],
		[
			'after one that is a success',
			[{ errorInfo: { errorCode: '000' } }, { ErrorCode: '9', errorString: 'Invented words' }],
		],
		['as an error with a code', { result: { error: { code: '009', message: 'Invented words' } } }],
		['as errors with codes', { result: { errors: [{ code: 9, text: 'Invented words' }] } }],
		['as a fault', [{ response: { Fault: { detail: { code: '009', description: 'Invented words' } } } }]],
	])('reports a rejection with HTTP 200, its error %s', async (_kind, body) => {
		for (const id of ['file.attach', 'application.changeStatus', 'courier.checkCode'])
			expect(await refused(id, json(200, body))).toMatchObject({
				code: '009',
				outcome: 'rejected',
				words: 'Invented words',
				next: ['readInstead'],
			});
		// A list of several rows is what a read asked for.
		if (!Array.isArray(body) || body.length === 1)
			expect(await refused('file.getMany', json(200, body))).toMatchObject({ code: '009', outcome: 'nothingChanged' });
	});

	test.each([
		{ result: { order: { code: '009', message: 'leave at the door' } } },
		{ files: [{ code: '004', text: 'passport' }, '009'] },
		{ status: { code: '011', description: 'under way' } },
		{ withoutError: { code: '008', message: 'of an order' } },
		{ result: { error: null, errors: [], code: '008' } },
	])('reports a success if a code belongs to something else: %j', async (body) => {
		for (const id of ['file.getMany', 'file.attach'])
			expect(await answered(id, json(200, body))).toMatchObject({ data: body });
	});

	test('has the outcome unknown if an error has other field names than those of the service', async () => {
		for (const body of [{ errorInformation: 'declined' }, { fault: 'declined' }])
			expect(await refused('file.attach', json(200, body))).toMatchObject({ httpStatus: 200, outcome: 'unknown' });
	});

	test.each([
		['a code that is not listed', { errorCode: '999', errorString: 'New words' }, '999'],
		['a code of another kind', { errorCode: 'E1', errorString: 'New words' }, 'E1'],
		['text alone', { errorString: 'New words' }, undefined],
		['a code named like a part of every object', { errorCode: 'constructor', errorString: 'New words' }, 'constructor'],
	])('rejects with HTTP 400 and %s; with HTTP 200 the outcome is unknown', async (_kind, errorInfo, code) => {
		for (const status of [200, 400]) {
			const details = await refused('application.changeStatus', json(status, { errorInfo }));
			expect(details.code).toBe(code);
			expect(details).toMatchObject({
				httpStatus: status,
				outcome: status === 200 ? 'unknown' : 'rejected',
				message: expect.stringMatching(/the bank refused the request|the response contains an error/),
				words: 'New words',
			});
			expect(await refused('file.getMany', json(status, { errorInfo }))).toMatchObject({ outcome: 'nothingChanged' });
		}
	});

	test.each(['OK', ' ok ', 'SUCCESS', 'Successful', 'none', '200', 200, '0', 0, '000', 'DONE', null])(
		'reports a success with the code %j and any text',
		async (errorCode) => {
			for (const id of ['file.attach', 'file.getMany'])
				for (const body of [
					{ errorInfo: { errorCode, errorString: 'OK' } },
					{ errorInfo: { errorString: 'OK' } },
					{ errorCode },
				])
					expect(await answered(id, json(200, body))).toMatchObject({ data: body });
		},
	);

	test('has the outcome unknown with HTTP 500, whatever the text', async () => {
		expect(
			await refused('file.attach', json(500, { errorInfo: { errorCode: '009', errorString: 'x' } })),
		).toMatchObject({ outcome: 'unknown', next: [] });
		expect((await refused('file.attach', json(500, { errorCode: '999', errorString: 'x' }))).message).toMatch(
			/internal error/,
		);
	});
});

describe('the entry score service', () => {
	const id = 'entryScore.scoreCompany';

	test.each([
		['alone', '#1000'],
		['at the beginning of a text', '#1000: not found'],
		['further in, in a list', { errors: [{ a: 1 }, { detail: ' #1000 not found' }] }],
		['as a key', { errors: { '#1000': 'not found' } }],
		['without its sign in a field for codes', { error: { errorCode: 1000 } }],
		['without its sign as code', { code: '1000' }],
	])('says its codes %s', async (_kind, body) => {
		for (const status of [200, 400, 422])
			expect(await refused(id, json(status, body))).toMatchObject({
				code: '#1000',
				httpStatus: status,
				outcome: 'nothingChanged',
				message: expect.stringContaining('no such company'),
			});
	});

	test.each([
		['#1000', false],
		['#1001', false],
		['#1002', false],
		['#2001', true],
		['#2002', true],
	])('%s: worth another try later is %s, and at once it never is', async (code, retryable) => {
		for (const status of [200, 400]) {
			const { send, asked } = bankThat(json(status, { code }));
			const failure = call(operationById(id), anyRequest, send, patience());
			await expect(failure).rejects.toMatchObject({ details: { code, retryable } });
			expect(asked).toHaveLength(1);
		}
	});

	test.each<[string, unknown, string]>([
		['alone', '#1000: not found', '#1000: not found'],
		...[
			...['message', 'text', 'description', 'errorMessage', 'error_description'],
			...['errorString', 'httpMessage', 'moreInformation', 'detail'],
		].map((key): [string, unknown, string] => [
			`as ${key}`,
			{ code: '#1000', [key]: 'Invented words' },
			'Invented words',
		]),
	])('says its words %s', async (_kind, body, said) => {
		expect((await refused(id, json(400, body))).words).toBe(said);
	});

	test('refuses with a code that is not listed, in its own words', async () => {
		expect(await refused(id, json(200, { code: ' #3000', message: 'New words' }))).toMatchObject({
			code: '#3000',
			message: 'Score company: the response contains an error (200 #3000)',
			words: 'New words',
		});
	});

	test.each([
		{ category: 'green', number: '1000' },
		{ note: 'application #4512' },
		{ colour: '#10001' },
		{ colour: '#aa1000' },
		{ a: 1000 },
		{ category: 'green', postalCode: '1000', region_code: 2001, codeOfRegion: 1002 },
	])('has answered with %j', async (body) => {
		expect(await answered(id, json(200, body))).toMatchObject({ data: body });
	});
});

describe('the unified checks', () => {
	const id = 'unifiedCheck.run';

	test.each([
		[
			{ Error: { ErrorCode: 'E1', ErrorString: 'Validate REST', ErrorTrace: 'T1' } },
			'Validate REST: E1: T1',
			'Validate REST',
		],
		[{ Error: { ErrorCode: 'E1', ErrorTrace: 'T1' } }, 'E1: T1', 'E1'],
		[{ Error: { ErrorTrace: 'T1' } }, 'T1', undefined],
		[
			{ httpCode: '422', httpMessage: 'Invented words', moreInformation: 'and more' },
			'Invented words: and more',
			undefined,
		],
		[{ httpCode: 400, moreInformation: 'and more' }, 'and more', undefined],
	])('refuses with HTTP 200, in all its words: %j', async (body, said, code) => {
		const details = await refused(id, json(200, body));
		expect(details).toMatchObject({ words: said, outcome: 'nothingChanged' });
		expect(details.code).toBe(code);
	});

	test('says in flag and words that it may be had later', async () => {
		const error = { Error: { ErrorCode: 'E1', ErrorString: 'WSTechnicalException', ErrorTrace: 'T1' } };
		for (const status of [200, 500])
			expect(await refused(id, json(status, error))).toMatchObject({
				retryable: true,
				next: ['tryLater', 'reportTrace'],
			});
	});

	test.each([
		{ httpCode: '204', checks: {} },
		{ httpCode: 200, checks: {} },
		{ Error: 'none', checks: {} },
	])('has answered with %j', async (body) => {
		expect(await answered(id, json(200, body))).toMatchObject({ raw: body });
	});
});

describe('card issuance', () => {
	test.each([
		[{ code: 'E17', message: 'Invented words' }, 'E17', 'Invented words'],
		[{ errorCode: 17, errorMessage: 'Invented words' }, '17', 'Invented words'],
		[{ error: 'Invented words' }, undefined, 'Invented words'],
		[{ moreInformation: 'Invented words', code: {} }, undefined, 'Invented words'],
		['Invented words', undefined, 'Invented words'],
		[{ unheardOf: 'Invented words' }, undefined, '{"unheardOf":"Invented words"}'],
	])('reads words where their place is not shown: %j', async (body, code, said) => {
		for (const id of ['application.create', 'trip.send', 'directDebit.getOffer']) {
			const details = await refused(id, typeof body === 'string' ? words(400, body) : json(400, body));
			expect(details.code).toBe(code);
			expect(details.words).toBe(said);
		}
	});
});

describe('what a failure tells holds no secret:', () => {
	const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLWl0';
	const echoes = [
		'{"headers":{"X-GW-Client-Id":"id","x-gw-client-secret":"hunter2"}}',
		'{"message":"X-Gw-Client-Secret: hunter2"}',
		`{"message":"token ${jwt} is not hunter's","moreInformation":"code=hunter2&access_token=hunter2"}`,
		'{"errorInfo":{"errorCode":"008","errorString":"Bearer hunter2"}}',
		'{"Error":{"ErrorCode":"Bearer hunter2","ErrorString":"client_secret=hunter2","ErrorTrace":"refresh_token=hunter2"}}',
		'{"httpCode":"401","httpMessage":"Basic hunter2","moreInformation":"x-gw-client-secret=hunter2"}',
		'{"code":"Bearer hunter2","message":"card 4111111111111111, account 40702810000000000001"}',
	];

	test.each(echoes)('%s', async (text) => {
		for (const operation of [
			...inSection('7.2').slice(0, 1),
			...inSection('7.3'),
			...inSection('7.4').slice(0, 1),
			...inSection('7.5').slice(0, 2),
			...inSection('7'),
			...inSection('7.6'),
		]) {
			for (const status of [400, 401, 500]) {
				const { operation: _, ...told } = await refused(operation, words(status, text));
				expect(JSON.stringify(told)).not.toMatch(/hunter2|eyJ|4111111|407028/);
			}
		}
	});
});
