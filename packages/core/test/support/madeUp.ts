import type * as v from 'valibot';

import { defineOperation, fields, type DocumentedOperation, type Operation, operationById } from '../../src/index.ts';
import { taxNumber, text } from '../../src/schemas/fields.ts';

/**
 * Invented operations with undescribed parts. Tests of such gaps use them, so that they stay valid when the bank
 * publishes what is missing in a real operation.
 */
const gaps: Pick<DocumentedOperation, 'spec' | 'name' | 'action' | 'description' | 'auth' | 'errors'> = {
	spec: '0',
	name: 'Made Up',
	action: 'Do what is made up',
	description: 'Made up',
	auth: 'gateway',
	errors: [],
};
const application = fields({ appId: text('Application ID', 'Identifier of the application') });
const optional = { about: 'What the bank asks for beside it', required: false };

/** No method or path; a required payload. */
export const trip = defineOperation({
	...gaps,
	id: 'madeUp.sendTrip',
	effect: 'change',
	payload: { about: 'The data of the trip', required: true },
});

/** A path with an identifier, but no method; an optional payload. */
export const results = defineOperation({
	...gaps,
	id: 'madeUp.getResults',
	effect: 'read',
	path: '/applications/{appId}/results',
	pathFields: application,
	payload: optional,
});

/** A path without a method, and a value with an unknown field name. */
export const score = defineOperation({
	...gaps,
	id: 'madeUp.score',
	effect: 'read',
	path: '/llc/score',
	unnamedFields: fields({ taxNumber: taxNumber([10], 'Tax Number', 'Tax number of the company') }),
	payload: optional,
});

/** A value with an unknown field name. */
export const valued = (value: v.GenericSchema): Operation =>
	defineOperation({
		...gaps,
		id: 'madeUp.value',
		effect: 'change',
		method: 'POST',
		path: '/values',
		unnamedFields: fields({ value }),
		payload: optional,
	});

/** A value with an unknown field name, which does not replace the payload. */
export const debit = defineOperation({
	...gaps,
	id: 'madeUp.debit',
	effect: 'money',
	unnamedFields: fields({ purpose: text('Purpose', 'Purpose text of the payment') }),
	payload: { about: 'What to debit', required: true },
});

/** An address and an optional payload. */
export const confirmation = defineOperation({
	...gaps,
	id: 'madeUp.confirm',
	effect: 'change',
	method: 'POST',
	path: '/applications/{appId}/confirm',
	pathFields: application,
	payload: optional,
});

/** Any number of files, and an operation with a single file and an unknown address. */
export const scans = defineOperation({
	...gaps,
	id: 'madeUp.uploadScans',
	effect: 'change',
	method: 'POST',
	path: '/applications/{appId}/scans',
	pathFields: application,
	payload: { ...optional, files: { required: true } },
});
export const attachment = defineOperation({
	...gaps,
	id: 'madeUp.attach',
	effect: 'change',
	payload: { ...optional, files: { required: true, most: 1 } },
});

/** An access token, sent in an undescribed way. */
export const profile = defineOperation({
	...gaps,
	id: 'madeUp.getProfile',
	effect: 'read',
	method: 'GET',
	path: '/getProfileInfo',
	accessToken: true,
});

/** A real operation with another address, for tests of its body or values. */
export function withoutAddress(id: string): Operation {
	const { method: _method, path: _path, ...operation } = operationById(id);
	return operation;
}
