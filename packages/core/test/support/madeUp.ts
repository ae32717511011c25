import type * as v from 'valibot';

import { defineOperation, fields, type DocumentedOperation, type Operation, operationById } from '../../src/index.ts';
import { taxNumber, text } from '../../src/schemas/fields.ts';

/**
 * Operations of which something is not shown, made up: what core does about a gap is tested with them, so that these tests stay as they
 * are when the bank publishes what is missing of a real one.
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

/** Neither method nor path; a payload that it cannot do without. */
export const trip = defineOperation({
	...gaps,
	id: 'madeUp.sendTrip',
	effect: 'change',
	payload: { about: 'The data of the trip', required: true },
});

/** A path with an identifier in it, but no method; a payload that may be left out. */
export const results = defineOperation({
	...gaps,
	id: 'madeUp.getResults',
	effect: 'read',
	path: '/applications/{appId}/results',
	pathFields: application,
	payload: optional,
});

/** A path without a method, and a value whose field has no name. */
export const score = defineOperation({
	...gaps,
	id: 'madeUp.score',
	effect: 'read',
	path: '/llc/score',
	nameless: fields({ taxNumber: taxNumber([10], 'Tax Number', 'Tax number of the company') }),
	payload: optional,
});

/** A value of that kind whose field has no name. */
export const valued = (value: v.GenericSchema): Operation =>
	defineOperation({
		...gaps,
		id: 'madeUp.value',
		effect: 'change',
		method: 'POST',
		path: '/values',
		nameless: fields({ value }),
		payload: optional,
	});

/** A value without a name beside a payload that it does not make up for. */
export const debit = defineOperation({
	...gaps,
	id: 'madeUp.debit',
	effect: 'money',
	nameless: fields({ purpose: text('Purpose', 'Purpose text of the payment') }),
	payload: { about: 'What to debit', required: true },
});

/** An address, and a payload that may be left out. */
export const confirmation = defineOperation({
	...gaps,
	id: 'madeUp.confirm',
	effect: 'change',
	method: 'POST',
	path: '/applications/{appId}/confirm',
	pathFields: application,
	payload: optional,
});

/** Files, any number of them; and one that carries a single file to an address that is not shown. */
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

/** An access token whose place in the request is not shown. */
export const profile = defineOperation({
	...gaps,
	id: 'madeUp.getProfile',
	effect: 'read',
	method: 'GET',
	path: '/getProfileInfo',
	accessToken: true,
});

/** A real operation with another address, where only its body or its values matter. */
export function withoutAddress(id: string): Operation {
	const { method: _method, path: _path, ...operation } = operationById(id);
	return operation;
}
