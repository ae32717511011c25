/** Forms have fields for what the API description does not show, and none for what it shows; notices tell users which is which. */
import { operationById, operations } from '@bank/core';
import { type INodePropertyCollection } from 'n8n-workflow';

import { isRest, oracle, type OperationOracle } from '../../fixtures/src/oracle.ts';
import { fieldOf, fieldsIn, formOf, optionValues, type Values } from './support/forms.ts';

const namesOf = (id: string, more?: Values) => formOf(id, more).map(({ name }) => name);
const withField = (name: string) =>
	operations
		.filter((operation) => fieldsIn(formOf(operation)).some((field) => field.name === name))
		.map(({ id }) => id)
		.sort();

it.each<[string, (operation: OperationOracle) => boolean]>([
	['serviceDetails', (operation) => !isRest(operation)],
	['bodyFields', ({ payload }) => payload !== undefined],
	['files', ({ files }) => files !== undefined],
	['accessToken', ({ accessToken }) => accessToken === true],
	['waitForResult', ({ asynchronous }) => asynchronous === true],
	['waitAtMost', ({ asynchronous }) => asynchronous === true],
	['waitEvery', ({ asynchronous }) => asynchronous === true],
	['ifAlreadySent', ({ effect }) => effect === 'money'],
	['logToDataTable', ({ effect }) => effect === 'money'],
	['concurrency', ({ effect }) => effect === 'read'],
	['method', () => false],
	['path', () => false],
])('the field %s is shown for the operations that need it', (name, isNeeded) => {
	const needed = oracle.filter(isNeeded).map(({ id }) => id);
	expect(withField(name)).toEqual(needed.sort());
});

describe('files', () => {
	const sending = oracle.filter(({ files }) => files !== undefined);
	const rowsOf = (id: string) => (fieldOf(id, 'files').default as { file: unknown[] }).file;

	it('have a row for each required document (4.15, rule 2), otherwise one for the default binary field', () => {
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

	it('have a maximum only if the API description has one', () => {
		for (const { id, files } of sending) {
			const { typeOptions } = fieldOf(id, 'files');
			expect([id, typeOptions?.multipleValues, typeOptions?.maxAllowedFields]).toEqual([id, true, files?.most]);
		}
	});

	it('of scans have the required documents, or the rejected ones in a repeat', () => {
		expect(namesOf('scan.upload')).toContain('requiredDocuments');
		expect(namesOf('scan.upload')).not.toContain('rejectedDocuments');
		expect(namesOf('scan.upload', { upload: 'rejected' })).toContain('rejectedDocuments');
		expect(namesOf('scan.upload', { upload: 'rejected' })).not.toContain('requiredDocuments');
	});
});

it('the codes of blacklists are shown only for that check, and are optional for n8n (4.14)', () => {
	const needed = formOf('unifiedCheck.run', {
		checks: ['WSCustomerTerrorism', 'WSCustomerComplianceCheckGet'],
	}).filter(({ name }) => ['idg', 'chklst'].includes(name));
	expect(needed.map(({ name, required }) => [name, required])).toEqual([
		['idg', undefined],
		['chklst', undefined],
	]);
	expect(namesOf('unifiedCheck.run', { checks: ['WSCustomerTerrorism'] })).not.toEqual(expect.arrayContaining(['idg']));
	expect(fieldsIn(formOf('unifiedCheck.run')).map(({ name }) => name)).not.toContain('chklst');
});

it.each([
	['gateway', true],
	['mutualTls', true],
	['authorizationCode', false],
	['clientCredentials', false],
	['hostToHost', false],
])('the access token of the user is a required secret with %s: %p', (authenticateWith, isShown) => {
	const carrying = oracle.filter(({ accessToken }) => accessToken === true);
	expect(carrying.length).toBeGreaterThan(0);
	for (const { id } of carrying) {
		const fields = formOf(id, { authenticateWith }).filter(({ name }) => name === 'accessToken');
		expect(fields).toMatchObject(isShown ? [{ required: true, typeOptions: { password: true } }] : []);
	}
});
