/** Forms have fields for what the API description does not show, and none for what it shows; notices tell users which is which. */
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

it('what the bank tells may be overridden where the description does not show it, and nowhere else', () => {
	expect(withField('serviceDetails')).toEqual(described((operation) => !isRest(operation)));
});

it('a body whose fields are not shown is a form of the fields that the service details name', () => {
	expect(withField('bodyFields')).toEqual(described(({ payload }) => payload !== undefined));
	for (const id of withField('bodyFields')) {
		expect(fieldOf(id, 'bodyFields')).toMatchObject({
			type: 'resourceMapper',
			default: { mappingMode: 'defineBelow' },
		});
	}
});

describe('files', () => {
	const sending = oracle.filter(({ files }) => files !== undefined);
	const rowsOf = (id: string) => (fieldOf(id, 'files').default as { file: unknown[] }).file;

	it('are asked for where documents, scans or files are sent', () => {
		expect(withField('files')).toEqual(sending.map(({ id }) => id).sort());
	});

	it('begin with a row for each document that must be there (4.15, rule 2), else with one from the field that n8n itself uses', () => {
		for (const { id, files } of sending) {
			const documents = Object.keys(operationById(id).payload?.files?.documents ?? {});
			expect([id, documents.length]).toEqual([id, files?.documents?.length ?? 0]);
			expect([id, rowsOf(id)]).toEqual([
				id,
				documents.length === 0
					? [{ binaryField: 'data' }]
					: documents.map((document) => ({ binaryField: document, document })),
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
		for (const name of ['waitForResult', 'waitAtMost', 'waitEvery'])
			expect([name, withField(name)]).toEqual([name, asynchronous]);
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
				expect(names.includes('accessToken')).toBe(asked);
			}
		});

		it('is a required secret, and asked for nowhere else', () => {
			for (const id of carrying)
				expect(fieldOf(id, 'accessToken')).toMatchObject({ required: true, typeOptions: { password: true } });
			expect(withField('accessToken')).toEqual(carrying);
		});
	});

	it('nothing is asked of P1 to P11, of which everything is shown', () => {
		const asking = ['method', 'path', 'bodyFields', 'serviceDetails', 'files', 'accessToken', 'waitForResult'].filter(
			(name) => withField(name).some((id) => isRest(existing(oracle.find((operation) => operation.id === id)))),
		);
		expect(asking).toEqual([]);
	});
});
