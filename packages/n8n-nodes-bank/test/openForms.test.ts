/** What the API description leaves open is asked of the user, what it shows is not; and the form says which is which. */
import { operationById, operations } from '@bank/core';
import { type INodePropertyCollection } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { isRest, oracle, type OperationOracle } from '../../fixtures/src/oracle.ts';
import { fieldOf, fieldsIn, formOf, optionValues, type Values } from './support/forms.ts';

const namesOf = (id: string, more?: Values) => formOf(id, more).map(({ name }) => name);
const withField = (name: string, more?: Values) =>
	operations
		.filter((operation) => fieldsIn(formOf(operation, more)).some((field) => field.name === name))
		.map(({ id }) => id)
		.sort();
const described = (which: (operation: OperationOracle) => boolean) =>
	oracle
		.filter(which)
		.map(({ id }) => id)
		.sort();

describe('method and path', () => {
	const open = oracle.filter(({ notShown }) => notShown.includes('method') || notShown.includes('path'));

	it('are asked for where the description does not show both, and nowhere else', () => {
		expect(withField('path')).toEqual(open.map(({ id }) => id).sort());
		expect(withField('method')).toEqual(open.map(({ id }) => id).sort());
	});

	it('begin with what is shown; a method that is not, with one that can carry what is sent', () => {
		for (const { id, method, path = '', effect, body, unnamedFields, payload } of open) {
			const isSent =
				effect !== 'read' || [body, unnamedFields].some((fields) => fields !== undefined) || payload === 'required';
			const [methodField, pathField] = [fieldOf(id, 'method'), fieldOf(id, 'path')];
			expect([id, methodField.default, pathField.default]).toEqual([id, method ?? (isSent ? 'POST' : 'GET'), path]);
		}
	});

	it('may be any, and say where they come from', () => {
		for (const { id, path } of open) {
			const [methodField, pathField] = [fieldOf(id, 'method'), fieldOf(id, 'path')];
			expect(optionValues(methodField)).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
			expect(methodField.description).toContain('Ask your bank.');
			expect(pathField.required).toBe(true);
			expect(pathField.description?.includes('Ask your bank.')).toBe(path === undefined);
		}
	});
});

it('a value without a name is asked for together with the field that it goes into, and only where the description demands one', () => {
	const fieldNames = (id: string) => formOf(id).filter(({ displayName }) => / Field Name$/.test(displayName));
	for (const { id, unnamedFields = {} } of oracle) {
		const names = Object.keys(unnamedFields);
		expect([id, fieldNames(id).map(({ name }) => name)]).toEqual([id, names.map((name) => `${name}Field`)]);
		for (const name of names) {
			const form = formOf(id);
			const value = form.findIndex((candidate) => candidate.name === name);
			const field = form[value + 1];
			expect(field).toMatchObject({
				name: `${name}Field`,
				displayName: `${form[value]?.displayName} Field Name`,
				required: true,
				default: '',
			});
			expect(field?.description).toContain('Ask your bank.');
		}
	}
});

describe('a payload', () => {
	it('is asked for wherever a request may carry one whose fields are not shown', () => {
		expect(withField('payloadFrom')).toEqual(described(({ payload }) => payload !== undefined));
	});

	it('is described in a notice above, where anything is known of it', () => {
		for (const id of withField('payloadFrom')) {
			const { about } = operationById(id).payload ?? {};
			const notice = formOf(id).find(({ name }) => name === 'known');
			expect(notice?.displayName.toLowerCase()).toBe(about && `payload: ${about.toLowerCase()}.`);
			if (notice === undefined) continue;
			expect(notice.type).toBe('notice');
			expect(namesOf(id).indexOf('known')).toBeLessThan(namesOf(id).indexOf('payloadFrom'));
		}
	});

	it('may be JSON, fields, a file or, where it may be left out, nothing', () => {
		for (const { id, payload } of oracle.filter((operation) => operation.payload !== undefined)) {
			const field = fieldOf(id, 'payloadFrom');
			expect([id, optionValues(field), field.default]).toEqual(
				payload === 'required'
					? [id, ['binary', 'fields', 'json'], 'json']
					: [id, ['binary', 'fields', 'json', 'none'], 'none'],
			);
			expect(field.description).toContain('Ask your bank for its fields.');
		}
	});

	it.each([
		['json', { payload: 'json' }],
		['fields', { payloadFields: 'assignmentCollection' }],
		['binary', { payloadBinaryField: 'string' }],
		['none', {}],
	])('from %s shows the field for it and no other', (payloadFrom, expected) => {
		for (const id of withField('payloadFrom')) {
			const own = formOf(id, { payloadFrom }).filter(({ name }) =>
				['payload', 'payloadFields', 'payloadBinaryField'].includes(name),
			);
			expect([id, Object.fromEntries(own.map(({ name, type }) => [name, type]))]).toEqual([id, expected]);
		}
	});
});

describe('files', () => {
	const sending = oracle.filter(({ files }) => files !== undefined);
	const rowsOf = (id: string) => (fieldOf(id, 'files').default as { file: unknown[] }).file;

	it('are asked for where documents, scans or files are sent', () => {
		expect(withField('files')).toEqual(sending.map(({ id }) => id).sort());
		expect(withField('filesAs')).toEqual(withField('files'));
	});

	it('begin with a row for each document that must be there (4.15, rule 2), else with one from the field that n8n itself uses', () => {
		for (const { id, files } of sending) {
			const documents = Object.keys(operationById(id).payload?.files?.documents ?? {});
			expect([id, documents.length]).toEqual([id, files?.documents?.length ?? 0]);
			expect([id, rowsOf(id)]).toEqual([
				id,
				documents.length === 0
					? [{ binaryField: 'data', field: '' }]
					: documents.map((document) => ({ binaryField: document, field: '', document })),
			]);
			const [{ values }] = fieldOf(id, 'files').options as [INodePropertyCollection];
			const choice = values.find(({ name }) => name === 'document');
			expect([id, [...optionValues(choice)].sort()]).toEqual([id, documents.sort()]);
		}
	});

	it('are one at a time only where the description says so', () => {
		for (const { id, files } of sending) {
			const { typeOptions } = fieldOf(id, 'files');
			expect([id, typeOptions?.multipleValues, typeOptions?.maxAllowedFields]).toEqual([id, true, files?.most]);
		}
	});

	it('travel inside the JSON, for "all bodies are JSON" (part 1), unless the bank wants a form', () => {
		for (const { id } of sending) {
			expect([id, fieldOf(id, 'filesAs').default]).toEqual([id, 'base64']);
			expect(optionValues(fieldOf(id, 'filesAs'))).toEqual(['base64', 'multipart']);
		}
	});

	it('of an upload of scans are compared with the names of the required or of the rejected documents', () => {
		expect(namesOf('scan.upload')).toContain('requiredDocuments');
		expect(namesOf('scan.upload')).not.toContain('rejectedDocuments');
		expect(namesOf('scan.upload', { upload: 'rejected' })).toContain('rejectedDocuments');
		expect(namesOf('scan.upload', { upload: 'rejected' })).not.toContain('requiredDocuments');
	});
});

describe('waiting for a result', () => {
	const asynchronous = described((operation) => operation.asynchronous === true);

	it('is offered by the reads of the asynchronous steps, and by no other operation', () => {
		for (const name of ['waitForResult', 'waitAtMost', 'waitEvery', 'waitStatuses'])
			expect([name, withField(name)]).toEqual([name, asynchronous]);
	});

	it.each([
		[{}, []],
		[{ waitForResult: true }, ['waitUntil']],
		[{ waitForResult: true, waitUntil: 'present' }, ['waitUntil', 'waitField']],
		[{ waitForResult: true, waitUntil: 'is' }, ['waitUntil', 'waitField', 'waitValues']],
		[{ waitForResult: true, waitUntil: 'isNot' }, ['waitUntil', 'waitField', 'waitValues']],
	] as [Values, string[]][])('with %p asks for %p', (values, expected) => {
		for (const id of asynchronous)
			expect(namesOf(id, values).filter((name) => ['waitUntil', 'waitField', 'waitValues'].includes(name))).toEqual(
				expected,
			);
	});
});

describe('other questions', () => {
	it('"ask again" is put only where the bank allows a request once (part 8)', () => {
		expect(withField('askAgain')).toEqual(described(({ once }) => once === true));
	});

	it.each(['ifAlreadySent', 'logToDataTable'])('%s is asked wherever money moves, and nowhere else', (field) => {
		expect(withField(field)).toEqual(described(({ effect }) => effect === 'money'));
	});

	it('the parallel requests are for reads, never for what changes something', () => {
		for (const { id, effect } of oracle)
			expect([id, fieldsIn(formOf(id)).some(({ name }) => name === 'concurrency')]).toEqual([id, effect === 'read']);
	});

	it('the codes of blacklist blocks are asked for only when that check is picked, and n8n does not demand them (4.14)', () => {
		const needed = formOf('unifiedCheck.run', {
			checks: ['WSCustomerTerrorism', 'WSCustomerComplianceCheckGet'],
		}).filter(({ name }) => ['idg', 'chklst'].includes(name));
		expect(needed.map(({ name, required }) => [name, required])).toEqual([
			['idg', undefined],
			['chklst', undefined],
		]);
		expect(namesOf('unifiedCheck.run', { checks: ['WSCustomerTerrorism'] })).not.toEqual(
			expect.arrayContaining(['idg']),
		);
		expect(fieldsIn(formOf('unifiedCheck.run')).map(({ name }) => name)).not.toContain('chklst');
	});

	describe('the access token that an earlier operation got', () => {
		const carrying = described(({ accessToken }) => accessToken === true);

		it.each([
			['gateway', true],
			['mutualTls', true],
			['authorizationCode', false],
			['clientCredentials', false],
			['hostToHost', false],
		])('is asked for with %s: %p', (authenticateWith, asked) => {
			expect(carrying.length).toBeGreaterThan(0);
			for (const id of carrying) {
				const names = namesOf(id, { authenticateWith });
				expect([names.includes('accessToken'), names.includes('accessTokenAs')]).toEqual([asked, asked]);
				expect(names).not.toContain('carriedBy');
				for (const accessTokenAs of ['header', 'query'])
					expect(namesOf(id, { authenticateWith, accessTokenAs }).includes('carriedBy')).toBe(asked);
			}
		});

		it('is a required secret, and asked for nowhere else', () => {
			for (const id of carrying)
				expect(fieldOf(id, 'accessToken')).toMatchObject({ required: true, typeOptions: { password: true } });
			expect(withField('accessToken')).toEqual(carrying);
		});
	});

	it('nothing is asked of P1 to P11, of which everything is shown', () => {
		const asking = ['method', 'path', 'payloadFrom', 'files', 'accessToken', 'waitForResult'].filter((name) =>
			withField(name).some((id) => isRest(existing(oracle.find((operation) => operation.id === id)))),
		);
		expect(asking).toEqual([]);
	});
});
