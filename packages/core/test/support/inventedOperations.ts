import type * as v from 'valibot';

import { defineOperation, fields, type DocumentedOperation, type Operation, operationById } from '../../src/index.ts';
import { taxNumber, text } from '../../src/schemas/fields.ts';

/**
 * Invented operations for tests of undescribed details. Unlike real operations, they keep their gaps when the bank publishes more.
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

/** A path and an optional payload. */
export const confirmation = defineOperation({
	...gaps,
	id: 'madeUp.confirm',
	effect: 'change',
	method: 'POST',
	path: '/applications/{appId}/confirm',
	pathFields: application,
	payload: optional,
});

/** Operations with any number of files, and with one file and an unknown path. */
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

/** Needs an access token; how it is sent is not described. */
export const profile = defineOperation({
	...gaps,
	id: 'madeUp.getProfile',
	effect: 'read',
	method: 'GET',
	path: '/getProfileInfo',
	accessToken: true,
});

/** A real operation without its method and path, for tests of its body or values. */
export function withoutAddress(id: string): Operation {
	const { method: _method, path: _path, ...operation } = operationById(id);
	return operation;
}
