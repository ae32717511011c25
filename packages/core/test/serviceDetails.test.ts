/** Service details: one JSON document in a credential with the details that the bank gave. */
import {
	detailsSchema,
	InputError,
	missingDetails,
	operationById,
	type OperationDetails,
	type OperationInput,
	operations,
	parseServiceDetails,
	prepare,
} from '../src/index.ts';
import { routeIssues } from '../src/client/address.ts';

const issuesOf = (given: unknown, ownHeaders?: string[]): string[] => {
	try {
		parseServiceDetails(typeof given === 'string' ? given : JSON.stringify(given), ownHeaders);
	} catch (error) {
		if (error instanceof InputError) return error.issues.map(({ path, message }) => `${path} ${message}`);
		throw error;
	}
	return [];
};

const open = operations.filter((operation) => Object.keys(detailsSchema(operation).entries).length > 0);
const lacking = (key: 'method' | 'path' | 'payload' | 'files' | 'accessToken' | 'asynchronous' | 'unnamedFields') =>
	open.filter((operation) => {
		if (key === 'method' || key === 'path') return operation[key] === undefined;
		return (key === 'files' ? operation.payload?.files : operation[key]) !== undefined;
	});
const stringField = { type: 'string' };

describe('every kind of mistake is reported with its key, for all operations', () => {
	/** A text field of the service details with one mistake. */
	const field = (wrong: object) => ({ fields: { a: { ...stringField, ...wrong } } });
	const header = (name: string) => ({ token: { sendAs: 'header', name } });
	const named = (more: object, ...names: string[]) => ({
		fields: Object.fromEntries(names.map((name) => [name, { ...stringField, ...more }])),
	});
	const places = (...names: string[]) => named({}, ...names);
	const headers = (...names: string[]) => named({ in: 'header' }, ...names);
	const usedHeader =
		/must be the name of a header that neither another field nor the connection or the credential uses/;
	const asParts = (place: string) => ({ files: { sendAs: 'multipart', field: place } });
	/** Each mistake: the property that the operations must lack or have, the invalid details, and the message. */
	const mistakes: Record<string, { of: readonly { id: string }[]; rows: [string, unknown, RegExp][] }> = {
		any: {
			of: open,
			rows: [
				['text instead of an object', 'POST /x', /^"[\w.]+" must be an object, got text$/],
				['a list', [], /^"[\w.]+" must be an object, got a list$/],
				['an unknown key', { url: '/x' }, /\.url is not a key of this operation\. Known: /],
				['a key that changes prototypes', JSON.parse('{"__proto__": {"a": 1}}'), /__proto__ is not a key/],
				['an expression as a key', { '{{ $json.a }}': 1 }, /must not contain an expression/],
			],
		},
		method: {
			of: lacking('method'),
			rows: [
				['an unknown method', { method: 'SEND' }, /\.method must be one of GET, POST/],
				['a method of another type', { method: 5 }, /\.method must be one of GET, POST/],
			],
		},
		shownMethod: {
			of: open.filter(({ method }) => method === 'GET'),
			rows: [['a method that contradicts', { method: 'POST' }, /contradicts .* shows GET/]],
		},
		shownPath: {
			of: open.filter(({ path }) => path !== undefined),
			rows: [['a path that contradicts', { path: '/other' }, /\.path contradicts the API description/]],
		},
		path: {
			of: lacking('path'),
			rows: [
				['a full URL', { path: 'https://evil.example/x' }, /\.path must be a path .* without scheme and host/],
				['a path without slash', { path: 'service/x' }, /\.path must begin with a slash/],
				['an unknown placeholder', { path: '/a/{nothing}' }, /\.path holds \{nothing\}/],
				['a secret in the path', { path: '/a?api_key=12345678' }, /\.path holds what looks like a secret/],
				['a path of another type', { path: ['/a'] }, /\.path must be text/],
				['an expression', { path: '/a/{{ $json.id }}' }, /\.path must not contain an expression/],
				['an expression as a whole', { path: '=/a' }, /\.path must not contain an expression/],
				['a line break', { path: '/a\n/b' }, /\.path holds a line break/],
				['a zero-width space in a path', { path: '/a\u200B' }, /\.path holds an invisible character \(U\+200B\)/],
				[
					'a soft hyphen in a name',
					{ fields: { 'amo\u00ADunt': stringField } },
					/has an invisible character \(U\+00AD\) in its name/,
				],
				['a zero-width space in a name', { fields: { 'amount\u200B': stringField } }, /U\+200B\) in its name/],
				['a no-break space in a name', { fields: { 'first\u00A0name': stringField } }, /U\+00A0\) in its name/],
			],
		},
		unnamedFields: {
			of: lacking('unnamedFields'),
			rows: [
				['an unknown value', { names: { other: 'x' } }, /\.names\.other is not a key/],
				['names as text', { names: 'code' }, /\.names must be an object, got text/],
			],
		},
		payload: {
			of: lacking('payload'),
			rows: [
				['fields as a list', { fields: [stringField] }, /\.fields must be an object/],
				['fields by type only', { fields: { a: 'string' } }, /\.fields\.a must be an object, got text/],
				['no type', field({ type: undefined, label: 'A' }), /\.fields\.a\.type is required/],
				['an unknown type', field({ type: 'money' }), /\.type must be one of string, number/],
				['required as text', field({ required: 'yes' }), /\.required must be true or false/],
				['a long label', field({ label: 'x'.repeat(81) }), /\.label must have at most 80 characters, got 81/],
				['an unknown key of a field', field({ shape: 'x' }), /\.shape is not a key/],
				['empty options', field({ options: [] }), /\.options must contain at least one/],
				[
					'options of another type',
					field({ type: 'number', options: ['1'] }),
					/numbers for the types number and integer/,
				],
				['a format of a text', field({ type: 'string', format: 'dd.MM.yyyy' }), /only the type date may have/],
				['a value of another type', field({ type: 'number', value: 'x' }), /not of the type number/],
				['a value with decimals', field({ type: 'integer', value: 1.5 }), /not of the type integer/],
				['a number as a day', field({ type: 'date', value: 5 }), /not of the type date/],
				['a value that is no option', field({ options: ['a'], value: 'b' }), /not among its "options"/],
				['a value that is required', field({ value: 'x', required: true }), /must not be "required"/],
				['a secret', { fields: { client_secret: { ...stringField, value: 'abc' } } }, /looks like a secret/],
				['a token as text', field({ value: 'Bearer abcdefgh' }), /looks like a secret/],
				['a malformed place', places('a..b'), /\.fields\["a\.\.b"\] must be a field name/],
				['a dangerous place', places('a.constructor'), /must be a field name/],
				['places in each other', places('a', 'a.b'), /overlaps with another field/],
				['a list and an object', places('a[0]', 'a.b'), /overlaps with another field/],
				['a list and an object as the body', places('[0].a', 'b'), /overlaps with another field/],
				['a field elsewhere', field({ in: 'cookie' }), /\.in must be one of body, query, header/],
				...['Host', 'authorization', 'Content-Type', 'X-GW-Client-Id', 'X A'].map((name): [string, unknown, RegExp] => [
					`the header ${name} for a field`,
					headers(name),
					usedHeader,
				]),
				['a header twice', headers('X-A', 'x-a'), /\.fields\["x-a"\] must be the name of a header that neither/],
				['an object in a header', field({ type: 'object', in: 'header' }), /must be a plain value/],
				['an object in the query', field({ type: 'object', in: 'query' }), /must be a plain value/],
				['a parameter with a space', named({ in: 'query' }, 'a b'), /must be the name of a query parameter/],
			],
		},
		noBody: {
			of: open.filter(({ payload, body }) => payload === undefined && body === undefined),
			rows: [['a field where there is no body', field({}), /\.fields\.a must have "value" and, if/]],
		},
		files: {
			of: lacking('files'),
			rows: [
				['files otherwise', { files: { sendAs: 'ftp' } }, /\.files\.sendAs must be one of base64, multipart/],
				['a malformed place of files', { files: { field: 'a..[]' } }, /\.files\.field must be a field name/],
				['a path as a form part', asParts('a.b'), /must be the name of a form part, without dots/],
			],
		},
		methodOfFiles: {
			of: lacking('files').filter(({ method }) => method === undefined),
			rows: [['GET for files', { method: 'GET' }, /\.method must not be GET, which cannot carry files/]],
		},
		pathOfPayload: {
			of: lacking('payload').filter(({ path }) => path === undefined),
			rows: [['a value in the path', { path: '/x/{a}', ...field({ value: 'x' }) }, /\.a is part of the path/]],
		},
		accessToken: {
			of: lacking('accessToken'),
			rows: [
				['a token otherwise', { token: { sendAs: 'cookie' } }, /\.token\.sendAs must be one of bearer, header, query/],
				['a malformed name', { token: { sendAs: 'query', name: 'a:b' } }, /must be the name of a query parameter/],
				['the header Host', header('Host'), /\.token\.name must not be a header that belongs/],
				['the header Authorization', header('authorization'), /must not be a header that belongs/],
				['a header of the credential', header('X-GW-Client-Id'), /must not be a header that belongs/],
				['a header with a line break', header('X-A\r\nX-B'), /holds a line break/],
				['a name beside bearer', { token: { sendAs: 'bearer', name: 'x' } }, /\.token\.name must be empty/],
			],
		},
		asynchronous: {
			of: lacking('asynchronous'),
			rows: [
				[
					'a success status',
					{ responses: { notReadyStatuses: [200] } },
					/\.notReadyStatuses\[0\] must be an HTTP status/,
				],
				[
					'a condition without field',
					{ responses: { ready: { values: ['x'] } } },
					/\.ready must have either "field" or "header"/,
				],
				[
					'a condition with field and header',
					{ responses: { yes: { field: 'a', header: 'b' } } },
					/\.yes must have either "field" or "header"/,
				],
				['a malformed condition', { responses: { no: { field: 'a[' } } }, /\.no\.field must be a response field/],
			],
		},
		shownBody: {
			of: [operationById('unifiedCheck.run')],
			rows: [
				['fields to ask for where the body is shown', { fields: { a: stringField } }, /must have "value"/],
				[
					'a field that is shown',
					{ fields: { crf: { ...stringField, value: '1' } } },
					/is a field that the API description shows/,
				],
				['GET for a body', { method: 'GET' }, /\.method must not be GET, which carries no body/],
			],
		},
	};

	const cases = Object.values(mistakes).flatMap(({ of, rows }) => rows.map((row) => [...row, of] as const));
	it.each(cases)('%s', (_name, details, message, affected) => {
		expect(affected.length).toBeGreaterThan(0);
		for (const { id } of affected) {
			const found = issuesOf({ [id]: details }, ['X-GW-Client-Id']);
			expect([id, found.filter((text) => message.test(text))]).toEqual([
				id,
				expect.arrayContaining([expect.anything()]),
			]);
			expect(found.filter((text) => !text.startsWith(`"${id}"`) || text.length > 200)).toEqual([]);
		}
	});

	it('at most 300 fields, whose places are compared with each other', () => {
		const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, { type: 'object' }]));
		expect(issuesOf({ 'trip.send': { fields } })).toEqual(['"trip.send".fields must contain at most 300 fields']);
	});

	it.each([
		['not JSON', '{"trip.send": {', /^The document is not JSON/],
		[
			'a missing comma, with its line',
			'{\n"trip.send": {}\n"file.attach": {}}',
			/^The document is not JSON: look at line 3/,
		],
		['a list', '[]', /must be a JSON object, got a list/],
		['text', '"POST"', /is not JSON|must be a JSON object/],
		['too large', `{"$comment": "${'x'.repeat(300_000)}"}`, /at most 256 kB/],
		['too deep', `{"a": ${'['.repeat(5000)}`, /nested too deeply/],
		['an unknown operation', '{"trip.sent": {}}', /^"trip\.sent" is not an operation/],
		['an operation twice', '{"trip.send": {}, "trip.send": {}}', /^"trip\.send" is given twice/],
		['a key twice', '{"trip.send": {"method": "GET", "method": "POST"}}', /^"trip\.send"\.method is given twice/],
		['a prototype', '{"__proto__": {}}', /is not an operation/],
	])('of the document: %s', (_name, text, message) => {
		expect(issuesOf(text)).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
	});

	it('all mistakes at once', () => {
		expect(issuesOf({ 'trip.send': { method: 'X', path: 1 }, 'a.b': {} })).toHaveLength(3);
	});

	const secret = 'Bearer s3cr3t-s3cr3t';
	it.each<[unknown, string | RegExp]>([
		[{ 'trip.send': { method: 'SEND' } }, '.method must be one of GET, POST, PUT, PATCH, DELETE: "SEND"'],
		[{ 'trip.send': { path: 'trips' } }, '.path must begin with a slash, such as /service/operation: "trips"'],
		...[{ 'trip.send': secret }, { 'trip.send': { path: secret } }, `{"${secret}`].map((given): [unknown, RegExp] => [
			given,
			/^(?![^]*s3cr3t)/,
		]),
	])('in a message that quotes the value, unless it is a secret: %j', (given, message) => {
		expect(() => parseServiceDetails(given)).toThrow(message);
	});
});

describe('a path', () => {
	const messageOf = (path: string) => routeIssues(path, ['appId', 'offerId']).map(({ message }) => message);
	const encoded = 'must not contain encoded slashes, dots, percent signs or control characters';
	const characters = 'must not contain spaces, backslashes, # or characters outside ASCII';
	const refused: Record<string, string[]> = {
		'must be a path such as /service/operation, without scheme and host': [
			...['https://evil.example/trips', '//evil.example/trips', 'javascript:alert(1)', 's3://evil.example'],
		],
		// A path without a slash would be appended to the host.
		'must begin with a slash, such as /service/operation': ['evil.example/trips', '@evil.example', '?x=1'],
		[characters]: ['/\\evil.example', '/a b', '/a\r\nHost: evil.example', '/a#b', '/путь', '/a\u007f'],
		[encoded]: [
			...['/a%2Fb', '/a%5Cb', '/a%252e', '/a%00', '/a%3fb', '/%', '/a?b=%0d%0aX'],
			...['/%c0%ae%c0%ae/a', '/%EF%BC%8E%EF%BC%8E/a'],
		],
		'must not contain . or .. as a segment': ['/..', '/a/../b', '/a/.', '/%2e%2e/b', '/a/%2e?x=1', '/..;/a'],
		'holds {id}, for which there is no field. Known: {appId}, {offerId}': ['/a/{id}'],
	};

	it.each(Object.entries(refused).flatMap(([message, paths]) => paths.map((path) => [path, message])))(
		'%j is refused: %s',
		(path, message) => expect(messageOf(path ?? '')).toEqual([message]),
	);

	it.each(['/trips', '/a/b.c/~d;e=1', '/%D0%BF/x%20y', '/trips?kind=a%26b&x', '/@host/x', '/a?to=%2Fb', '/a/{appId}'])(
		'%s is valid',
		(path) => expect(messageOf(path)).toEqual([]),
	);
});

describe('a document', () => {
	it('may be empty, and may have comments and unfilled values of the template', () => {
		for (const text of ['', '  ', '{}', '{"$schema": "x", "$comment": "y"}', '\uFEFF{}'])
			expect(parseServiceDetails(text)).toEqual({});
		expect(
			parseServiceDetails({ 'trip.send': { $comment: 'one\ntwo', method: null, path: '', fields: { $comment: 'x' } } }),
		).toEqual({
			'trip.send': { fields: {} },
		});
	});

	it('may have long names of nested fields', () => {
		const names = { code: 'verificationRequest.confirmationData.confirmationCode' };
		expect(issuesOf({ 'courier.checkCode': { method: 'POST', path: '/check', names } })).toEqual([]);
	});

	it('may have a fixed code, which is not a secret', () => {
		const fields = { 'product.code': { type: 'string', value: 'CC' } };
		expect(issuesOf({ 'trip.send': { method: 'POST', path: '/trips', fields } })).toEqual([]);
	});

	it('may repeat what the description shows, such as a detail that was published later', () => {
		for (const { id, method, path } of operations)
			expect([id, issuesOf({ [id]: { ...(method && { method }), ...(path && { path }) } })]).toEqual([id, []]);
	});
});

/** A request of an operation with these details. */
function requestOf(id: string, details: OperationDetails, given: OperationInput = {}) {
	const read = parseServiceDetails({ [id]: details })[id] ?? {};
	return prepare({ ...operationById(id), details: read }, given);
}
const bodyOf = (...args: Parameters<typeof requestOf>): unknown => JSON.parse(requestOf(...args).body ?? 'null');

describe('a request', () => {
	const file = { field: 'data', fileName: 'a.pdf', mimeType: 'application/pdf', base64: 'YQ==' };

	it('has method, path, names and fields of the details, with their types', () => {
		const details: OperationDetails = {
			method: 'PUT',
			path: '/couriers/check',
			names: { code: 'auth.sms' },
			fields: {
				'order.number': { type: 'string', required: true },
				attempts: { type: 'integer' },
				at: { type: 'date' },
				more: { type: 'object' },
				channel: { type: 'string', value: 'PARTNER' },
			},
		};
		const given = {
			unnamedFields: { code: 1234 },
			fields: { 'order.number': 7, attempts: '2', at: '2026-01-31T00:00:00Z', more: '{"a":1}' },
		};
		expect(requestOf('courier.checkCode', details, given)).toMatchObject({ method: 'PUT', url: '/couriers/check' });
		expect(bodyOf('courier.checkCode', details, given)).toEqual({
			order: { number: '7' },
			attempts: 2,
			at: '2026-01-31',
			more: { a: 1 },
			channel: 'PARTNER',
			auth: { sms: '1234' },
		});
	});

	it('is refused with all missing and invalid fields', () => {
		const details: OperationDetails = {
			method: 'POST',
			path: '/trips',
			fields: {
				'trip.id': { type: 'string', label: 'Trip', required: true },
				km: { type: 'number' },
				kind: { type: 'string', options: ['A'] },
			},
		};
		expect(() => requestOf('trip.send', details, { fields: { km: 'far', kind: 'B', other: 1 } })).toThrow(
			/(?=.*km must be a number)(?=.*other is not a field)/,
		);
		expect(() => requestOf('trip.send', details, { fields: { km: 1 } })).toThrow('Trip is required');
		expect(() => requestOf('trip.send', details, { fields: { 'trip.id': '1', kind: 'B' } })).toThrow(
			'kind must be one of A',
		);
	});

	it('has path values as one segment each, and not in the body as well', () => {
		const details: OperationDetails = {
			method: 'POST',
			path: '/orders/{order}',
			fields: { order: { type: 'string' }, note: { type: 'string' } },
		};
		const sent = (fields?: Record<string, unknown>) => requestOf('courier.authorize', details, fields && { fields });
		const request = sent({ order: 'a b', note: 'n' });
		expect([request.url, request.body]).toEqual(['/orders/a%20b', '{"note":"n"}']);
		expect(() => sent({ order: '../x', note: 'n' })).toThrow('order must be an identifier, not a path');
		expect(() => sent()).toThrow('order is required');
		const named = requestOf(
			'application.addNote',
			{ method: 'POST', path: '/notes/{note}', names: { note: 'note' } },
			{ unnamedFields: { note: 'x' } },
		);
		expect([named.url, named.body]).toEqual(['/notes/x', undefined]);
	});

	it('may have a body that contains values of its fields', () => {
		const details: OperationDetails = { method: 'POST', path: '/trips', fields: { note: { type: 'string' } } };
		expect(bodyOf('trip.send', details, { payload: { note: 'a' } })).toEqual({ note: 'a' });
	});

	it('may repeat an identifier of its path in the body', () => {
		const details: OperationDetails = { fields: { appId: { type: 'string' }, reason: { type: 'string' } } };
		const request = requestOf('application.cancel', details, {
			path: { appId: '1' },
			fields: { appId: '1', reason: 'r' },
		});
		expect([request.url, request.body]).toEqual(['/applications/1/cancel', '{"appId":"1","reason":"r"}']);
	});

	it('may have fields in its query and in headers, also if it has no body', () => {
		const details: OperationDetails = {
			method: 'POST',
			path: '/trips?v=2',
			fields: {
				km: { type: 'number' },
				dryRun: { type: 'boolean', in: 'query' },
				'filter[]': { type: 'array', in: 'query' },
				'X-Request-Id': { type: 'string', in: 'header', required: true },
				'X-Partner-Id': { type: 'string', in: 'header', value: 'P-100' },
			},
		};
		const fields = { km: '3', dryRun: 'true', 'filter[]': ['a', 'b'], 'X-Request-Id': 7 };
		expect(requestOf('trip.send', details, { fields })).toMatchObject({
			url: '/trips?v=2&dryRun=true&filter%5B%5D=a&filter%5B%5D=b',
			headers: { 'X-Request-Id': '7', 'X-Partner-Id': 'P-100' },
			body: '{"km":3}',
		});
		expect(() => requestOf('trip.send', details, { fields: { km: 3 } })).toThrow('X-Request-Id is required');
		for (const text of ['a\r\nHost: b', 'д'])
			expect(() => requestOf('trip.send', details, { fields: { ...fields, 'X-Request-Id': text } })).toThrow(
				/X-Request-Id/,
			);
		for (const list of [[{ a: 1 }], ['a', ['b']]])
			expect(() => requestOf('trip.send', details, { fields: { ...fields, 'filter[]': list } })).toThrow(
				'filter[] is sent in the query, so it must contain only plain values',
			);
		const read: OperationDetails = {
			fields: {
				lang: { type: 'string', in: 'query', value: 'en' },
				'X-Partner-Id': { type: 'string', in: 'header', value: 'P-100' },
			},
		};
		expect(requestOf('scoring.getShort', read, { path: { appId: '1' } })).toMatchObject({
			url: '/applications/1/scorings/short?lang=en',
			headers: { 'X-Partner-Id': 'P-100' },
		});
	});

	it('may have a list as its body', () => {
		const details: OperationDetails = {
			method: 'POST',
			path: '/trips',
			fields: { '[0].id': { type: 'string' }, '[0].legs[0].km': { type: 'number' } },
		};
		expect(bodyOf('trip.send', details, { fields: { '[0].id': 'A', '[0].legs[0].km': 5 } })).toEqual([
			{ id: 'A', legs: [{ km: 5 }] },
		]);
		const files: OperationDetails['files'] = { field: '[0].content', fileName: '[0].name' };
		expect(bodyOf('file.attach', { ...details, files }, { fields: { '[0].id': 'A' }, files: [file] })).toEqual([
			{ id: 'A', content: 'YQ==', name: 'a.pdf' },
		]);
	});

	it('puts files where the details say, with their names', () => {
		const details: OperationDetails = {
			files: {
				field: 'scans[].content',
				fileName: 'scans[].name',
				mimeType: 'scans[].type',
				documentName: 'scans[].kind',
			},
		};
		expect(
			bodyOf('scan.upload', details, { path: { appId: '1' }, files: [{ ...file, document: 'act' }, file] }),
		).toEqual({
			scans: [
				{ content: 'YQ==', name: 'a.pdf', type: 'application/pdf', kind: 'act' },
				{ content: 'YQ==', name: 'a.pdf', type: 'application/pdf' },
			],
		});
		const form = requestOf(
			'file.attach',
			{ method: 'POST', path: '/f', files: { sendAs: 'multipart', field: 'upload' } },
			{ files: [file] },
		);
		expect(form.parts).toMatchObject([{ name: 'upload', file: { fileName: 'a.pdf' } }]);
	});
});

it('the missing details are exactly those that the description does not show', () => {
	for (const operation of operations) {
		const missing = missingDetails(operation, {});
		const { method, path, unnamedFields, payload, accessToken } = operation;
		expect([operation.id, missing]).toEqual([
			operation.id,
			[
				...(method ? [] : ['method']),
				...(path ? [] : ['path']),
				...Object.keys(unnamedFields?.entries ?? {}).map((name) => `names.${name}`),
				...(payload?.required ? ['fields'] : []),
				...(accessToken ? ['token.sendAs'] : []),
			],
		]);
	}
	const details: OperationDetails = { method: 'POST', path: '/a', fields: { a: { type: 'string' } } };
	expect(missingDetails(operationById('trip.send'), details)).toEqual([]);
	expect(missingDetails(operationById('profile.get'), { token: { sendAs: 'header' } })).toEqual(['token.name']);
	expect(missingDetails(operationById('profile.get'), {}, { token: true })).toEqual([]);
});
