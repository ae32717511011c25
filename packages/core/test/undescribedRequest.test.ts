/** Requests with undescribed parts: method, path, payload, field names, files, access token. */
import * as v from 'valibot';

import {
	type FileInput,
	InputError,
	type Operation,
	operationById,
	type OperationInput,
	operations,
	parsePath,
	parseServiceDetails,
	prepare,
} from '../src/index.ts';
import { choice, text } from '../src/schemas/fields.ts';
import { bodyOf, type DetailedInput, issuesOf, pathsIn, pathsOf, prepared, queryOf } from './support/bank.ts';
import * as madeUp from './support/inventedOperations.ts';
import { sampleOf } from './support/samples.ts';

const trip = (payload: unknown, { details, ...more }: DetailedInput = {}): DetailedInput => ({
	payload,
	...more,
	details: { method: 'POST', path: '/trips', ...details },
});
const sentTrip = (payload: unknown) => bodyOf(madeUp.trip, trip(payload)) as unknown;
const tripFaults = (payload: unknown, more?: DetailedInput) => issuesOf(madeUp.trip, trip(payload, more));

const appId = { appId: 'A-1' };
const results = ({ details, ...more }: DetailedInput = {}): DetailedInput => ({
	path: appId,
	...more,
	details: { method: 'GET', ...details },
});
const score = (taxNumber: unknown, name: string, { details, ...more }: DetailedInput = {}): DetailedInput => ({
	unnamedFields: { taxNumber },
	...more,
	details: { method: 'POST', names: { taxNumber: name }, ...details },
});

const file = (field: string, more: Partial<FileInput> = {}): FileInput => ({
	field,
	fileName: `${field}.pdf`,
	mimeType: 'application/pdf',
	base64: 'RkFLRQ==',
	...more,
});
const documents = ['passportMain', 'passportRegistration', 'personalDataConsent', 'clientPhoto'];
const four = documents.map((name) => file(name, { document: name }));
const full = (files: FileInput[]): OperationInput => ({
	path: appId,
	payload: { name: 'Invented' },
	files,
});

describe('method and path', () => {
	test('come from the service details if, and only if, the description shows none', () => {
		expect(prepared(madeUp.trip, trip({ a: 1 }, { details: { method: 'PUT' } }))).toMatchObject({
			method: 'PUT',
			url: '/trips',
		});
		expect(
			prepared('scoring.getShort', { path: appId, details: { method: 'DELETE', path: '/elsewhere' } }),
		).toMatchObject({
			method: 'GET',
			url: '/applications/A-1/scorings/short',
		});
		expect(pathsIn(madeUp.trip, { payload: { a: 1 } })).toEqual(['method', 'path']);
	});

	test('take the values of path fields, each as one segment', () => {
		expect(prepared(madeUp.results, results({ path: { appId: 'a b&c' } })).url).toBe('/applications/a%20b%26c/results');
		const { path: _, ...unaddressed } = madeUp.results;
		expect(
			prepared(unaddressed, results({ details: { path: '/v2/{appId}?id={appId}' }, path: { appId: 'a&b' } })).url,
		).toBe('/v2/a%26b?id=a%26b');
		expect(prepared('offer.select', { path: { appId: '{offerId}', offerId: 'evil.example' } }).url).toBe(
			'/applications/%7BofferId%7D/offers/evil.example/select',
		);
	});
});

describe('the payload', () => {
	const sample = { id: 7, list: [1, 'a'], deep: { b: true } };

	test.each([
		['an object', sample, sample],
		['a list', [sample, 'a', 0], [sample, 'a', 0]],
		['JSON text', JSON.stringify(sample), sample],
	])('may be %s', (_kind, payload, sent) => {
		const request = prepared(madeUp.trip, trip(payload));
		expect(JSON.parse(request.body ?? '')).toEqual(sent);
		expect(request.headers).toEqual({ Accept: 'application/json', 'Content-Type': 'application/json' });
		expect(request).not.toHaveProperty('parts');
		expect(request.url).toBe('/trips');
	});

	test.each([
		['SECRET words', 'text that is not JSON'],
		[7, 'a number'],
		[true, 'a boolean'],
		[new Date(0), 'text'],
		['7', 'a number'],
	])('cannot be %j', (payload, got) => {
		expect(tripFaults(payload)).toEqual([
			{ path: 'payload', message: `must be a JSON object or a JSON array, got ${got}` },
		]);
	});

	test.each([undefined, null, '', '  ', {}, [], '{}', '[]', 'null', { a: '' }, [{}], { a: { b: [null] } }])(
		'that is required cannot be %j',
		(payload) => {
			const message = 'is required. Ask your bank for its fields';
			expect(tripFaults(payload)).toEqual([{ path: 'payload', message }]);
			const asked: DetailedInput = { details: { fields: { loan: { type: 'string' } } } };
			expect(tripFaults(payload, asked)).toEqual([{ path: 'bodyFields', message: 'must not all be empty' }]);
		},
	);

	test('is sent as JSON if there are no files, however files are sent', () => {
		const payload = { about: 'Papers', required: false, files: { required: false } };
		const request = prepared(
			{ ...madeUp.trip, payload },
			trip([1], { details: { files: { sendAs: 'multipart' } }, files: [] }),
		);
		expect([request.body, request.parts]).toEqual(['[1]', undefined]);
	});

	test('that is not required may be absent; the request then has no body', () => {
		for (const payload of [undefined, null, '', 'null']) {
			const request = prepared(madeUp.confirmation, { path: appId, payload });
			expect(request).not.toHaveProperty('body');
			expect(request.headers).toEqual({ Accept: 'application/json' });
		}
	});

	describe('with empty fields', () => {
		const blank = { a: '', b: ' \t', c: null, d: undefined, e: {}, f: [], g: { h: { i: '' } }, j: [{ k: null }] };
		const day = new Date(Date.UTC(2026, 0, 31));

		test.each<[string, unknown, unknown]>([
			['loses empty fields at every depth (4.15, rule 1)', { ...blank, keep: { l: 'x', m: '' } }, { keep: { l: 'x' } }],
			['loses them as JSON text too', JSON.stringify({ ...blank, keep: { l: 'x', m: '' } }), { keep: { l: 'x' } }],
			['keeps nought', { a: 0, b: -0, c: '0', d: [0] }, { a: 0, b: 0, c: '0', d: [0] }],
			['keeps false', { a: false, b: [false] }, { a: false, b: [false] }],
			['keeps the places of a list', { at: [55.75, null, '', 0] }, { at: [55.75, null, '', 0] }],
			['loses empty rows', { rows: [{ a: 1 }, {}, { a: '' }, { a: 2 }] }, { rows: [{ a: 1 }, { a: 2 }] }],
			['keeps lists in a list', [[1], [], ['x']], [[1], [], ['x']]],
			['loses lists of nothing', { a: 1, none: ['', null], nested: [[''], []] }, { a: 1 }],
			['has dates as text', { day, list: [day] }, { day: day.toJSON(), list: [day.toJSON()] }],
			[
				'has dates of Luxon as text',
				{ a: { toJSON: () => '2026-01-31T00:00:00.000+03:00' } },
				{ a: '2026-01-31T00:00:00.000+03:00' },
			],
			['has big integers as text', { account: 40702810000000000001n }, { account: '40702810000000000001' }],
		])('%s', (_what, payload, sent) => expect(sentTrip(payload)).toEqual(sent));
	});

	describe('that JSON would change silently is refused:', () => {
		const cyclic: Record<string, unknown> = { a: 1 };
		cyclic.self = cyclic;

		test.each([
			[
				'a long number in JSON text',
				'{"account":40702810000000000001}',
				'holds a number with more than 15 digits (account), which loses its last digits: enter it as text',
			],
			[
				'a long number',
				{ rows: [{ account: Number('40702810000000000001') }] },
				'holds a number with more than 15 digits (account), which loses its last digits: enter it as text',
			],
			['no number', { sum: NaN }, 'holds a number that is not finite (sum)'],
			['a number without end', '{"sum":1e999}', 'holds a number that is not finite (sum)'],
			['half a character', { name: 'cut \ud83d' }, expect.stringMatching(/^contains half a character.* \(name\)$/)],
			['a control character', { note: 'a\u0000b' }, 'holds an invisible character (U+0000) (note): remove it'],
			['an object as text', { name: 'Dear [object Object]' }, expect.stringMatching(/^contains an object.* \(name\)$/)],
			['half a character in a name', { 'a\ud83d': 1 }, expect.stringMatching(/^contains half a character/)],
			['an object that holds itself', cyclic, expect.stringMatching(/^must be plain JSON/)],
			['nested too deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, expect.stringMatching(/^must be plain JSON/)],
		])('%s', (_kind, payload, message) => {
			expect(tripFaults(payload)).toEqual([{ path: 'payload', message }]);
			expect(issuesOf(madeUp.trip, trip(payload, { details: { method: 'GET' } }))).toContainEqual({
				path: 'payload',
				message,
			});
			if (String(payload).startsWith('[[')) return;
			const details = { fields: { more: { type: 'object' as const } } };
			expect(tripFaults(undefined, { details, fields: { more: payload } })).toEqual([{ path: 'more', message }]);
		});
	});

	test('keeps fields with names of inherited properties, and changes no prototype', () => {
		const text =
			'{"__proto__":{"polluted":1},"constructor":"c","toString":{"hasOwnProperty":0},"a":[{"__proto__":["x"]}]}';
		expect(prepared(madeUp.trip, trip(text)).body).toBe(text);
		expect(prepared(madeUp.trip, trip(JSON.parse(text))).body).toBe(text);
		expect(
			queryOf(prepared(madeUp.trip, trip('{"__proto__":["x"],"constructor":"c"}', { details: { method: 'GET' } }))),
		).toEqual([
			['__proto__', 'x'],
			['constructor', 'c'],
		]);
		expect(Object.prototype).not.toHaveProperty('polluted');
	});

	describe.each(['GET', 'DELETE'] as const)('with %s', (method) => {
		test('goes into the query', () => {
			const request = prepared(
				madeUp.trip,
				trip(
					{ a: 'x&y=z', n: 7, no: false, list: ['b', 'c d', 0], date: new Date(0), empty: '' },
					{ details: { method } },
				),
			);
			expect(request).not.toHaveProperty('body');
			expect(request.headers).toEqual({ Accept: 'application/json' });
			expect(queryOf(request)).toEqual([
				['a', 'x&y=z'],
				['n', '7'],
				['no', 'false'],
				['list', 'b'],
				['list', 'c d'],
				['list', '0'],
				['date', '1970-01-01T00:00:00.000Z'],
			]);
		});

		test.each([[{ deep: { a: 1 } }], [{ list: [{ a: 1 }] }], [{ list: [['a']] }], [['a']]])(
			'is refused if it is nested: %j',
			(payload) => {
				expect(tripFaults(payload, { details: { method } })).toEqual([
					{
						path: 'payload',
						message: `goes into the query with the method ${method} and must be an object of plain values there. POST sends it as JSON`,
					},
				]);
			},
		);

		test('is sent in the body if the description shows one', () => {
			const { input } = sampleOf('webhook.update', 'all fields');
			const described: Operation = { ...operationById('webhook.update'), method };
			expect(prepared(described, input).body).toBe(prepared('webhook.update', input).body);
		});
	});
});

describe('a value without a name', () => {
	test.each([
		['number', { number: '7700000000' }],
		['a.b[0].c', { a: { b: [{ c: '7700000000' }] } }],
		['rows[1].inn', { rows: [{}, { inn: '7700000000' }] }],
		['ИНН', { ИНН: '7700000000' }],
		['__proto__.x', JSON.parse('{"__proto__":{"x":"7700000000"}}')],
		['constructor', JSON.parse('{"constructor":"7700000000"}')],
	])('goes where the user says: %s', (field, sent) => {
		expect(bodyOf(madeUp.score, score(7700000000, field))).toEqual(sent);
		expect(Object.prototype).not.toHaveProperty('x');
	});

	test('is added to the payload, and replaces no value in it', () => {
		const payload = { a: 1, request: { kind: 'x', taxNumber: '' }, rows: [{ b: 1 }, null, { c: 1 }] };
		expect(bodyOf(madeUp.score, score('7700000000', 'request.taxNumber', { payload }))).toEqual({
			...payload,
			request: { kind: 'x', taxNumber: '7700000000' },
		});
		expect(bodyOf(madeUp.score, score('7700000000', 'rows[2].inn', { payload }))).toMatchObject({
			rows: [{ b: 1 }, null, { c: 1, inn: '7700000000' }],
		});
		expect(payload).toEqual({ a: 1, request: { kind: 'x', taxNumber: '' }, rows: [{ b: 1 }, null, { c: 1 }] });
		expect(pathsIn(madeUp.score, score('7700000000', 'request.kind', { payload }))).toEqual(['taxNumberField']);
		expect(issuesOf(madeUp.score, score('7700000000', 'inn', { payload: [1] }))).toEqual([
			{ path: 'payload', message: 'must be a JSON object, so that inn can be added to it' },
		]);
	});

	test('goes into the query with GET, if its place is one level deep', () => {
		expect(
			prepared(
				madeUp.score,
				score('7700000000', 'inn', { details: { method: 'GET', names: { taxNumber: 'inn' } }, payload: { kind: 'a' } }),
			).url,
		).toBe('/llc/score?kind=a&inn=7700000000');
		expect(
			pathsIn(
				madeUp.score,
				score('7700000000', 'a.inn', { details: { method: 'GET', names: { taxNumber: 'a.inn' } } }),
			),
		).toEqual(['payload']);
	});

	test.each(['', 'a b', 'a..b', '.a', '[0]a', 'a[x]', 'a[99999]', 'a[0'])('%j is not a place', (field) => {
		expect(parsePath(field)).toBeUndefined();
		expect(issuesOf(madeUp.score, score('7700000000', field))).toEqual([
			{ path: 'taxNumberField', message: 'must be a field name such as request.number or items[0].number' },
		]);
	});

	test('is required', () => {
		const given: DetailedInput[] = [{}, { unnamedFields: {} }, score(null, 'inn')];
		for (const input of given)
			expect(issuesOf(madeUp.score, input)).toContainEqual({ path: 'taxNumber', message: 'is required' });
	});

	test('is checked and sent as text', () => {
		const given = (schema: v.GenericSchema, value: unknown) =>
			[madeUp.valued(schema), { unnamedFields: { value }, details: { names: { value: 'data.it' } } }] as const;
		const stage = choice({ START: 'Start', END: 'End' }, 'Stage', 'Stage to move to');
		expect(issuesOf(...given(stage, 'SECRET'))).toEqual([{ path: 'value', message: 'must be one of START, END' }]);
		expect(bodyOf(...given(text('Note', 'The comment'), 2200000000017))).toEqual({ data: { it: '2200000000017' } });
		const { note } = operationById('application.addNote').unnamedFields?.entries ?? {};
		expect(bodyOf(...given(note ?? v.never(), 'Two\r\n\tlines\n'))).toEqual({ data: { it: 'Two\r\n\tlines' } });
	});

	test('is refused if the operation does not have it', () => {
		expect(issuesOf(madeUp.trip, trip({ a: 1 }, { unnamedFields: { taxNumber: '1' } }))).toEqual([
			{ path: 'taxNumber', message: 'is not a field of this operation' },
		]);
	});

	test('does not replace a payload: a debit needs more than its purpose', () => {
		const debit = (payload?: unknown): DetailedInput => ({
			unnamedFields: { purpose: 'service Id: T-1' },
			payload,
			details: { method: 'POST', path: '/debits', names: { purpose: 'purpose' } },
		});
		expect(pathsIn(madeUp.debit, debit())).toEqual(['payload']);
		expect(bodyOf(madeUp.debit, debit({ amount: 1 }))).toEqual({ amount: 1, purpose: 'service Id: T-1' });
		const fields = { sum: { type: 'number' as const } };
		const named = { ...debit(), details: { ...debit().details, fields }, fields: { sum: '1.500' } };
		expect(issuesOf(madeUp.debit, named)).toEqual([
			{ path: 'sum', message: 'may mean thousands or decimals: write 1500 or 1.50' },
		]);
	});
});

describe('files', () => {
	const attach = (files: FileInput[]): DetailedInput => ({ files, details: { method: 'POST', path: '/attach' } });
	const as = (sendAs: 'base64' | 'multipart'): DetailedInput => ({ details: { files: { sendAs } } });
	const scans = (files: FileInput[], more: DetailedInput = {}): DetailedInput => ({ path: appId, files, ...more });

	test.each([
		[file('same'), file('same')],
		[file('a'), file('a.b')],
		[file('a[0]'), file('a.b')],
	])('as base64 never overwrite each other: %j, %j', (first, second) => {
		expect(issuesOf(madeUp.scans, scans([first, second], as('base64')))).toEqual([
			{
				path: 'files[1].field',
				message: expect.stringMatching(
					/^must (?:differ from the fields of the other files|not point to or into an existing value)/,
				),
			},
		]);
	});

	test.each(['', 'a b'])('need a name or a place: %j is refused', (field) => {
		for (const sendAs of ['multipart', 'base64'] as const) {
			expect(issuesOf(madeUp.scans, scans([file('fine'), file(field)], as(sendAs)))).toEqual([
				{ path: 'files[1].field', message: 'must be a field name such as document or documents[0].content' },
			]);
		}
	});

	test('must not be empty', () => {
		expect(issuesOf(madeUp.attachment, attach([file('scan', { base64: '' })]))).toEqual([
			{
				path: 'files[0].binaryField',
				message: expect.stringMatching(/^is an empty file \(.+\): nothing would be sent$/),
			},
		]);
	});

	test('are required by every operation that sends files', () => {
		const sending = operations.filter(({ payload }) => payload?.files !== undefined);
		expect(sending.length).toBeGreaterThan(0);
		for (const operation of sending)
			for (const files of [undefined, []]) {
				const { files: _files, ...input } = sampleOf(operation.id, 'only the required fields').input;
				expect([operation.id, issuesOf(operation, { ...input, ...(files && { files }) })]).toEqual([
					operation.id,
					[{ path: 'files', message: 'must contain at least one file' }],
				]);
			}
	});

	test('and payloads are refused by every operation that sends neither', () => {
		for (const operation of operations) {
			const found = issuesOf(operation, { payload: { sort: 'x' }, files: [file('a')] });
			for (const [path, sends, message] of [
				['payload', operation.payload, 'is not sent by this operation'],
				['files', operation.payload?.files, 'are not sent by this operation'],
			] as const)
				expect([operation.id, path, found.some((issue) => issue.path === path && issue.message === message)]).toEqual([
					operation.id,
					path,
					sends === undefined,
				]);
		}
	});

	test('are limited to one for each request', () => {
		expect(issuesOf(madeUp.attachment, attach([file('a'), file('b')]))).toEqual([
			{ path: 'files', message: 'must contain at most 1, got 2: run the operation once for each' },
		]);
		expect(issuesOf(madeUp.attachment, attach([file('a')]))).toEqual([]);
	});

	describe('of the full application', () => {
		test('are the four documents, in any order, and may include others', () => {
			expect(
				prepared('application.complete', { ...full([...four].reverse().concat(file('other'))), ...as('multipart') })
					.parts,
			).toHaveLength(6);
		});

		test.each(documents.map((name, index) => [name, index] as const))('are refused without %s', (name, index) => {
			const issues = issuesOf('application.complete', full(four.filter((_, at) => at !== index)));
			expect(issues).toEqual([{ path: 'files', message: expect.stringMatching(/^lack the document "/) }]);
			expect(issues[0]?.message).toContain(
				Object.values(operationById('application.complete').payload?.files?.documents ?? {})[index],
			);
			expect(issuesOf('application.complete', full([...four, file('again', { document: name })]))).toEqual([
				{ path: 'files', message: expect.stringMatching(/^hold the document ".*" 2 times$/) },
			]);
		});
	});
});

describe('the access token', () => {
	const token = (value: unknown, sendAs: 'bearer' | 'header' | 'query', name?: string): DetailedInput => ({
		accessToken: { value },
		details: { token: { sendAs, name } },
	});

	test.each([
		['bearer', undefined, { Authorization: 'Bearer tok-1.2_3~+/=' }, '/getProfileInfo'],
		['header', 'X-Access-Token', { 'X-Access-Token': 'tok-1.2_3~+/=' }, '/getProfileInfo'],
		['query', 'access_token', {}, '/getProfileInfo?access_token=tok-1.2_3~%2B%2F%3D'],
	] as const)('goes as %s', (as, name, headers, url) => {
		const request = prepared(madeUp.profile, token(' tok-1.2_3~+/=\n', as, name));
		expect(request.headers).toEqual({ Accept: 'application/json', ...headers });
		expect(request.url).toBe(url);
	});

	test('is listed as a secret, like a code; other values are not', () => {
		const secretsOf = (operation: Operation, input: DetailedInput) => prepared(operation, input).secrets;
		expect(secretsOf(madeUp.profile, token(' tok-1\n', 'bearer'))).toEqual(['tok-1']);
		const coded = { ...madeUp.valued(v.string()), unnamedFields: v.strictObject({ code: v.string() }) };
		expect(secretsOf(coded, { unnamedFields: { code: '1234' }, details: { names: { code: 'sms' } } })).toEqual([
			'1234',
		]);
		expect(prepared(madeUp.score, score('7700000000', 'inn'))).not.toHaveProperty('secrets');
	});

	test.each([undefined, null, '', ' '])('is required: %j is refused', (value) => {
		expect(issuesOf(madeUp.profile, token(value, 'bearer'))).toEqual([
			{ path: 'accessToken', message: 'is required: the token that the code was exchanged for' },
		]);
	});

	test.each(['SECRET x', 'SECRET\r\nHost: evil.example', 'SECRETё'])(
		'%j is refused, because it would break out of its header',
		(value) => {
			for (const as of ['bearer', 'header', 'query'] as const) {
				expect(issuesOf(madeUp.profile, token(value, as, 'x'))).toEqual([
					{ path: 'accessToken', message: 'must contain no spaces and only ASCII characters' },
				]);
			}
		},
	);

	test('may come from the credential, or belong to no operation', () => {
		expect(prepared(madeUp.profile, {})).toMatchObject({
			url: '/getProfileInfo',
			headers: { Accept: 'application/json' },
		});
		expect(prepared('scoring.getShort', { path: appId, ...token('t', 'bearer') }).headers).toEqual({
			Accept: 'application/json',
		});
	});
});

describe('unified checks', () => {
	const check = (checkName: string, isToCall: unknown = 'true') => ({ checkName, isToCall });
	const run = (body: Record<string, unknown>): DetailedInput => ({
		body,
		details: { method: 'POST', path: '/checks' },
	});
	const operation = madeUp.withoutAddress('unifiedCheck.run');
	const client = { cus: 'C-1' };
	const sent = (body: Record<string, unknown>) => bodyOf(operation, run({ ...client, ...body }));
	const issues = (body: Record<string, unknown>) => issuesOf(operation, run({ ...client, ...body }));
	const terrorism = [check('WSCustomerTerrorism')];

	test('are selected by text, not by booleans', () => {
		const checks = [...terrorism, check('WSCustomerBankruptcyInfo', 'false')];
		expect(prepared(operation, run({ checks, ...client })).body).toBe(
			'{"checks":[{"checkName":"WSCustomerTerrorism","isToCall":"true"},' +
				'{"checkName":"WSCustomerBankruptcyInfo","isToCall":"false"}],"cus":"C-1"}',
		);
		for (const isToCall of [true, 1, 'yes', 'TRUE', ''])
			expect(pathsOf(issues({ checks: [check('WSCustomerTerrorism', isToCall)] }))).toEqual(['checks[0].isToCall']);
	});

	test.each([
		[[], 'checks', 'must contain at least one check to run'],
		[undefined, 'checks', 'is required'],
		['WSCustomerTerrorism', 'checks', 'must be a list, got text'],
		[[check('WSUnknown')], 'checks[0].checkName', expect.stringMatching(/^must be one of WSCodeInvalidIdentityCard, /)],
	])('cannot be %j', (checks, path, message) => {
		expect(issues({ checks })).toEqual([{ path, message }]);
	});

	test('accept no field that the description does not name', () => {
		expect(pathsOf(issues({ checks: terrorism, inn: '1' }))).toEqual(['inn']);
	});

	const person = { fnm1: 'Invented', fnm2: 'Ivan', dtbr: '1990-01-01' };
	const needed = {
		WSCustomerComplianceCheckGet: 'is needed for Blacklist Blocks (WSCustomerComplianceCheckGet)',
		WSResultSOZSalaryProject: 'is needed for Salary Project Reliability (WSResultSOZSalaryProject)',
		WSGlobalSearch:
			'is needed for Leasing Eligibility (WSGlobalSearch), ' +
			'or surname, first name and date of birth, or the number of the identity document',
		WSCustomerTerrorism: undefined,
	};
	test.each<[keyof typeof needed, object, string[]]>([
		['WSCustomerComplianceCheckGet', {}, ['idg', 'chklst']],
		['WSCustomerComplianceCheckGet', { idg: 'A', chklst: ' , ' }, ['chklst']],
		['WSCustomerComplianceCheckGet', { idg: 'A', chklst: 'A01' }, []],
		['WSResultSOZSalaryProject', {}, ['crf']],
		['WSResultSOZSalaryProject', { crf: '7700000000' }, []],
		['WSGlobalSearch', {}, ['crf']],
		['WSGlobalSearch', { ...person, dtbr: '' }, ['crf']],
		['WSGlobalSearch', { num: '123456' }, []],
		['WSGlobalSearch', { crf: '7700000000' }, []],
		['WSGlobalSearch', person, []],
		['WSCustomerTerrorism', {}, []],
	])('%s with %j lacks %j', (name, body, missing) => {
		expect(issues({ checks: [check(name)], ...body })).toEqual(
			missing.map((path) => ({ path, message: needed[name] })),
		);
		// A skipped check needs no fields.
		const other = name === 'WSCustomerTerrorism' ? 'WSCustomerBankruptcyInfo' : 'WSCustomerTerrorism';
		expect(issues({ checks: [check(name, 'false'), check(other)], ...body })).toEqual([]);
	});

	test.each([
		'WSConsumerSubjectInfoGet',
		'WSCodeInvalidIdentityCard',
		'WSCustomerBankruptcyInfo',
		'WSCustomerReputationRisk',
		'WSCustomerTerrorism',
	])('%s is refused without a field that says who is checked; any of these fields is enough', (name) => {
		const nobody = {
			checks: [check(name)],
			idg: 'A',
			chklst: 'A01',
			ecs: 'CRM',
			customerType: '1',
			cus: ' ',
			fnm1: null,
		};
		const message = expect.stringMatching(/^is needed, or another field .*: first name, .* tax number, .* client ID$/);
		expect(issues(nobody)).toEqual([{ path: 'fnm1', message }]);
		// 4.14 says what this check needs.
		expect(issues({ ...nobody, checks: [check('WSCustomerComplianceCheckGet')] })).toEqual([]);
		for (const field of ['fnm1', 'fnm2', 'fnm3', 'dtbr', 'ser', 'num', 'crf', 'fior', 'cus'])
			expect(issues({ ...nobody, [field]: '1' })).toEqual([]);
	});

	test.each([
		['A01', 'A01'],
		[' A01, A02 ;A03\n', 'A01,A02,A03'],
		[['A01, A02', '', null], 'A01,A02'],
		[[101, 'A02'], '101,A02'],
	])('check codes %j go "comma-separated without spaces" as %s', (chklst, text) => {
		expect(sent({ checks: terrorism, chklst })).toEqual({ checks: terrorism, chklst: text, ...client });
	});

	test.each([
		[{ a: 1 }, 'an object'],
		[['A01', { b: 1 }], 'an object'],
	])('check codes cannot be %j', (chklst, got) => {
		expect(issues({ checks: terrorism, chklst })).toEqual([{ path: 'chklst', message: `must be text, got ${got}` }]);
	});
});

describe('all issues of a request', () => {
	test('are reported at once', () => {
		const wrong: DetailedInput = {
			path: {},
			query: { x: 1 },
			payload: '[1]',
			unnamedFields: { stage: 'NEXT' },
			files: [file('a')],
			details: { names: { stage: 'a b' } },
		};
		expect(pathsIn(madeUp.withoutAddress('channelApplication.setStatus'), wrong)).toEqual([
			'appId',
			'x',
			'stage',
			'method',
			'path',
			'files',
			'stageField',
		]);
		const upload: OperationInput = { path: {}, payload: [1], files: [file('a b')] };
		expect(pathsIn(madeUp.scans, upload)).toEqual(['appId', 'payload', 'files[0].field']);
		expect(() => prepare(madeUp.scans, upload)).toThrow(InputError);
	});
});

describe('how the body is sent', () => {
	const given = (details: object, fields: Record<string, unknown> = {}) => {
		const parsed = parseServiceDetails({ 'trip.send': { method: 'POST', path: '/t', ...details } })['trip.send'] ?? {};
		return prepare({ ...operationById('trip.send'), details: parsed }, { fields });
	};
	const fields = {
		day: { type: 'date', format: 'dd.MM.yyyy' },
		kind: { type: 'integer', options: [1, 2] },
		note: { type: 'string' },
	};
	const values = { day: '2026-01-31', kind: '2', note: 'a b&c' };

	test('as JSON, with days and numbers in the format of the service details', () => {
		expect(given({ fields }, values).body).toBe('{"day":"31.01.2026","kind":2,"note":"a b&c"}');
		expect(() => given({ fields }, { kind: '3' })).toThrow(/must be one of 1, 2/);
	});

	test('inside a field', () => {
		expect(given({ fields, body: { wrapper: 'request.data' } }, { note: 'x' }).body).toBe(
			'{"request":{"data":{"note":"x"}}}',
		);
	});

	test('as a form', () => {
		const { body, headers } = given({ fields, body: { sendAs: 'form' } }, values);
		expect(body).toBe('day=31.01.2026&kind=2&note=a%20b%26c');
		expect(headers).toEqual({ Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' });
		const nested = { 'a.b': { type: 'string' } };
		expect(() => given({ fields: nested, body: { sendAs: 'form' } }, { 'a.b': 'x' })).toThrow(/object of plain values/);
	});

	test('empty only if the service details say so', () => {
		const confirm = (body?: object) => {
			const details =
				parseServiceDetails({ 'issuance.confirm': body === undefined ? {} : { body } })['issuance.confirm'] ?? {};
			return prepare({ ...operationById('issuance.confirm'), details }, { path: { appId: '1' } }).body;
		};
		expect([confirm(), confirm({ empty: true })]).toEqual([undefined, '{}']);
	});

	test('with fields in addition to those that are described', () => {
		const details = {
			method: 'POST',
			path: '/c',
			fields: { 'header.system': { type: 'string', value: 'CRM' } },
			body: { wrapper: 'request' },
		};
		const parsed = parseServiceDetails({ 'unifiedCheck.run': details })['unifiedCheck.run'] ?? {};
		const body = { checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }], fnm1: 'Ivanova' };
		expect(JSON.parse(prepare({ ...operationById('unifiedCheck.run'), details: parsed }, { body }).body ?? '')).toEqual(
			{
				request: { ...body, header: { system: 'CRM' } },
			},
		);
	});

	test('with the headers of the service details', () => {
		const accepting = {
			note: { type: 'string' },
			accept: { type: 'string', in: 'header', value: 'application/pdf' },
			'Accept-Language': { type: 'string', in: 'header', value: 'en' },
		};
		expect(given({ fields: accepting }, { note: 'x' }).headers).toEqual({
			'Content-Type': 'application/json',
			accept: 'application/pdf',
			'Accept-Language': 'en',
		});
	});
});
