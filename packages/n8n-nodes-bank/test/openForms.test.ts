/** What the API description leaves open is asked of the user, what it shows is not; and the form says which is which. */
import { isAddressOpen, operationName, operations, resources } from '@bank/core';
import { type INodePropertyCollection } from 'n8n-workflow';

import { fieldOf, fieldsIn, formOf, nodeOf, optionValues, type Values } from './support/forms.ts';

const namesOf = (id: string, more?: Values) => formOf(id, more).map(({ name }) => name);
const withField = (name: string, more?: Values) =>
	operations
		.filter((operation) => fieldsIn(formOf(operation, more)).some((field) => field.name === name))
		.map(({ id }) => id)
		.sort();
const services = resources.filter(({ node }) => node !== 'bank').flatMap((resource) => resource.operations);

/** Method: a guess, unless it is shown. Path: as shown, or empty. */
const addresses: Record<string, [method: string, path: string]> = {
	'unifiedCheck.run': ['POST', ''],
	// 7.4, #1001 and #1002: the request has a JSON body.
	'entryScore.scoreCompany': ['POST', '/llc/score'],
	'entryScore.scoreSoleProprietor': ['POST', '/ie/score'],
	'preApproved.search': ['POST', '/preApproved/search'],
	'preApproved.activate': ['POST', '/preApproved/activate'],
	'channelApplication.create': ['POST', '/applications/create'],
	'channelApplication.getResults': ['GET', '/applications/{appId}/results'],
	'channelApplication.uploadDocuments': ['POST', '/applications/{appId}/upload'],
	'channelApplication.update': ['POST', '/applications/{appId}/update'],
	'channelApplication.setStatus': ['POST', '/applications/{appId}/setStatus'],
	'channelApplication.getPrintForms': ['GET', '/applications/{appId}/printForms'],
	'channelApplication.sendSignLink': ['POST', '/applications/{appId}/sendSignLink'],
	'file.getMany': ['POST', ''],
	'file.getContent': ['POST', ''],
	'file.attach': ['POST', ''],
	'courier.authorize': ['POST', ''],
	'courier.checkCode': ['POST', ''],
	'application.changeStatus': ['POST', ''],
	'application.addNote': ['POST', ''],
	'directDebit.createConsent': ['POST', ''],
	'directDebit.getOffer': ['GET', ''],
	'directDebit.debit': ['POST', ''],
	'directDebit.getPaymentOrder': ['GET', ''],
	'trip.send': ['POST', ''],
	'profile.exchangeCode': ['POST', '/accessToken'],
};

describe('method and path', () => {
	it('are asked for where the description does not show both, and nowhere else', () => {
		expect(withField('path')).toEqual(Object.keys(addresses).sort());
		expect(withField('method')).toEqual(Object.keys(addresses).sort());
		for (const id of Object.keys(addresses))
			expect(isAddressOpen(operations.find((operation) => operation.id === id)!)).toBe(true);
	});

	it.each(Object.entries(addresses))('of %s begin as %p', (id, [method, path]) => {
		const [methodField, pathField] = [fieldOf(id, 'method'), fieldOf(id, 'path')];
		expect([methodField.default, pathField.default]).toEqual([method, path]);
		expect(optionValues(methodField)).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
		expect(methodField.description).toContain('does not show');
		expect(pathField.required).toBe(true);
		expect(pathField.description).toContain(
			path === '' ? 'The API description does not show it' : 'as the API description shows it',
		);
		// Who has no address yet can try the sandbox bank.
		const known = path === '' ? fieldOf(id, 'known').displayName : undefined;
		if (known !== undefined) expect(known).toMatch(/The sandbox bank has the operation at \/[\w/-]+( and takes,|\.$)/);
	});
});

describe('a value without a name', () => {
	const nameless: Record<string, [name: string, label: string]> = {
		'application.addNote': ['note', 'Note'],
		'card.check': ['barcode', 'Barcode'],
		'channelApplication.setStatus': ['stage', 'Stage'],
		'courier.checkCode': ['code', 'SMS Code'],
		'directDebit.debit': ['purpose', 'Purpose'],
		'entryScore.scoreCompany': ['taxNumber', 'Tax Number'],
		'entryScore.scoreSoleProprietor': ['taxNumber', 'Tax Number'],
	};

	it('is asked for together with the field that it goes into, and only where the description demands one', () => {
		expect(
			operations
				.filter((operation) => formOf(operation).some(({ displayName }) => / Goes Into$/.test(displayName)))
				.map(({ id }) => id)
				.sort(),
		).toEqual(Object.keys(nameless));
	});

	it.each(Object.entries(nameless))('of %s is %p', (id, [name, label]) => {
		const form = formOf(id);
		const [value, field] = [
			form.findIndex((candidate) => candidate.name === name),
			form.findIndex((candidate) => candidate.name === `${name}Field`),
		];
		expect(form[value]?.displayName).toBe(label);
		expect(form[field]).toMatchObject({ displayName: `${label} Goes Into`, required: true, default: '' });
		expect(form[field]?.description).toContain('ask the bank');
		expect(field).toBe(value + 1);
	});
});

describe('a payload', () => {
	/** Without one the request would say nothing: "what to search for", "the short application", … */
	const required = [
		'application.changeStatus',
		'application.complete',
		'application.create',
		'channelApplication.create',
		'channelApplication.update',
		'configuration.create',
		'courier.authorize',
		'directDebit.createConsent',
		'directDebit.debit',
		'file.getContent',
		'file.getMany',
		'preApproved.activate',
		'preApproved.search',
		'profile.exchangeCode',
		'trip.send',
	];

	it('is asked for wherever a request may carry one whose fields are not shown', () => {
		// Methods of 4.15 that are GET carry none; 4.14 shows its fields.
		const without = services
			.filter(({ method, id }) => method === 'GET' || id === 'unifiedCheck.run')
			.map(({ id }) => id);
		expect(withField('payloadFrom')).toEqual(
			services
				.map(({ id }) => id)
				.filter((id) => !without.includes(id))
				.sort(),
		);
	});

	it('is said to be what the definition says, above the fields that are the same for all', () => {
		for (const { id, payload } of services.filter((operation) => operation.payload !== undefined)) {
			const known = fieldOf(id, 'known');
			expect(known.type).toBe('notice');
			expect(known.displayName.toLowerCase()).toContain(`payload: ${payload?.description.toLowerCase()}.`);
			expect(namesOf(id).indexOf('known')).toBeLessThan(namesOf(id).indexOf('payloadFrom'));
		}
	});

	it('may be JSON, fields, a file or, where it may be left out, nothing', () => {
		for (const id of withField('payloadFrom')) {
			const field = fieldOf(id, 'payloadFrom');
			const isRequired = required.includes(id);
			expect([id, optionValues(field), field.default]).toEqual([
				id,
				['binary', 'fields', 'json', ...(isRequired ? [] : ['none'])],
				isRequired ? 'json' : 'none',
			]);
			expect(field.description).toContain('The API description does not show the fields: the bank gives them to you.');
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
	const rowsOf = (id: string) => (fieldOf(id, 'files').default as { file: unknown[] }).file;

	it('are asked for where documents, scans or files are sent', () => {
		expect(withField('files')).toEqual([
			'application.complete',
			'channelApplication.uploadDocuments',
			'file.attach',
			'preApproved.activate',
			'scan.upload',
		]);
		expect(withField('filesAs')).toEqual(withField('files'));
	});

	it('of a full application begin with a row for each of the four documents (4.15, rule 2)', () => {
		const documents = ['passportMain', 'passportRegistration', 'personalDataConsent', 'clientPhoto'];
		expect(rowsOf('application.complete')).toEqual(
			documents.map((document) => ({ binaryField: document, field: '', document })),
		);
		const [{ values }] = fieldOf('application.complete', 'files').options as [INodePropertyCollection];
		expect([...optionValues(values.find(({ name }) => name === 'document'))].sort()).toEqual([...documents].sort());
	});

	it.each(['channelApplication.uploadDocuments', 'file.attach', 'preApproved.activate', 'scan.upload'])(
		'of %s begin with one row, from the field that n8n itself uses',
		(id) => {
			expect(rowsOf(id)).toEqual([{ binaryField: 'data', field: '' }]);
			expect(withField('document')).toEqual(['application.complete']);
		},
	);

	it('are one at a time only where the description says so (AttachFile)', () => {
		for (const id of withField('files'))
			expect([id, fieldOf(id, 'files').typeOptions]).toEqual([
				id,
				expect.objectContaining({ multipleValues: true, ...(id === 'file.attach' ? { maxAllowedFields: 1 } : {}) }),
			]);
		expect(fieldOf('scan.upload', 'files').typeOptions).not.toHaveProperty('maxAllowedFields');
	});

	it('travel inside the JSON, for "all bodies are JSON" (part 1), unless the bank wants a form', () => {
		for (const id of withField('filesAs')) {
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
	const asynchronous = [
		'card.getResult',
		'channelApplication.getResults',
		'printForm.getResult',
		'scan.getResults',
		'scoring.getFull',
		'scoring.getShort',
	];

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
		expect(withField('askAgain')).toEqual(['printForm.generate']);
	});

	it('a preview is offered where it matters what exactly goes out', () => {
		expect(withField('preview')).toEqual(['directDebit.debit', 'payment.sendPackage', 'webhook.update']);
	});

	it('the parallel requests are for reads, never for what changes something', () => {
		for (const { id, effect } of operations)
			expect([id, fieldsIn(formOf(id)).some(({ name }) => name === 'concurrency')]).toEqual([id, effect === 'read']);
	});

	it('the codes of blacklist blocks are asked for only when that check is picked, and then they are required (4.14)', () => {
		const needed = formOf('unifiedCheck.run', {
			checks: ['WSCustomerTerrorism', 'WSCustomerComplianceCheckGet'],
		}).filter(({ name }) => ['idg', 'chklst'].includes(name));
		expect(needed.map(({ name, required }) => [name, required])).toEqual([
			['idg', true],
			['chklst', true],
		]);
		expect(namesOf('unifiedCheck.run', { checks: ['WSCustomerTerrorism'] })).not.toEqual(
			expect.arrayContaining(['idg']),
		);
		expect(fieldsIn(formOf('unifiedCheck.run')).map(({ name }) => name)).not.toContain('chklst');
	});

	it.each([
		['gateway', true],
		['mutualTls', true],
		['authorizationCode', false],
		['clientCredentials', false],
		['hostToHost', false],
	])('the access token of the profile, with %s: %p', (authentication, asked) => {
		const names = namesOf('profile.get', { authenticateWith: authentication });
		expect(names.includes('accessToken')).toBe(asked);
		expect(names.includes('accessTokenAs')).toBe(asked);
		expect(names).not.toContain('carriedBy');
		for (const accessTokenAs of ['header', 'query'])
			expect(namesOf('profile.get', { authenticateWith: authentication, accessTokenAs }).includes('carriedBy')).toBe(
				asked,
			);
	});

	it('the access token is a required secret', () => {
		expect(fieldOf('profile.get', 'accessToken')).toMatchObject({ required: true, typeOptions: { password: true } });
		expect(withField('accessToken')).toEqual(['profile.get']);
	});

	it('nothing is asked of the services beside it that the description shows', () => {
		// 4.15 shows method and path of every step, 4.20 those of the profile.
		for (const operation of services.filter(({ method }) => method !== undefined))
			expect(formOf(operation).map(({ name }) => name)).not.toEqual(expect.arrayContaining(['path']));
		expect(services.map((operation) => [nodeOf(operation), operationName(operation)])).toHaveLength(43);
	});
});
