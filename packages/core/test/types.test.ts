import * as v from 'valibot';

import { call, defineOperation, definitions, findOperation, prepare, readRows, type Send } from '../src/index.ts';
import type { InputOf, Lenient, OutputOf } from '../src/index.ts';
import { responseObject, fields, text } from '../src/schemas/fields.ts';

/** Checked by `tsc`: it fails if a line below `@ts-expect-error` compiles. Nothing here needs to run. */

const { sendPackage } = definitions.payment;
const { getMany } = definitions.accountOperation;
const send: Send = () => Promise.reject(new Error('not sent'));

export const misspelt = (body: InputOf<typeof sendPackage>['body']): typeof body => ({
	...body,
	// @ts-expect-error the description names no such field
	nothing: 1,
});

export const inDefinition = defineOperation({
	id: 'some.thing',
	spec: '0',
	name: 'Thing',
	action: 'Do a thing',
	description: 'A thing',
	auth: 'notShown',
	effect: 'change',
	pathFields: fields({ id: text('ID', 'Its identifier') }),
	body: fields({ what: text('What', 'What to do') }),
	response: responseObject({ rows: v.array(responseObject({ id: v.string() })) }),
	list: {
		key: 'rows',
		// @ts-expect-error the description names no such field
		simplify: (row) => ({ id: row?.id, name: row?.name }),
	},
	errors: [],
	rules({ path, query, body }) {
		const known: [string, string] = [path.id, body.what];
		// @ts-expect-error the description names no such field
		const nothing: unknown = body.nothing;
		// @ts-expect-error the operation has no query
		const missing: unknown = query.id;
		return [nothing, missing].includes(known) ? [] : [];
	},
});

export const withoutSuchList = defineOperation({
	...definitions.cardLimit.getMany,
	response: responseObject({ limits: v.string() }),
	// @ts-expect-error the answer holds no list of this name
	list: { key: 'limits', simplify: () => ({}) },
});

export async function reading(): Promise<unknown[]> {
	const { data } = await call(sendPackage, prepare(sendPackage, {}), send);
	const rows = await readRows(getMany, {}, send, { pageSize: 10 }, (row) => row);
	// @ts-expect-error a list may have come as anything: it has to be asked for
	data?.payments.map(String);
	return [
		// @ts-expect-error the description names no such field
		prepare(getMany, {}).input.query.nothing,
		// @ts-expect-error the description names no such field
		data?.nothing,
		// @ts-expect-error the description names no such field
		rows[0]?.nothing,
	];
}

// @ts-expect-error nothing is promised of a value: it may be absent, or of another type than described
export const promised = (data: Lenient<OutputOf<typeof sendPackage>>): number => data?.payPackage;

test('every definition is an operation, listed under the resource and name of its id', () => {
	const named = Object.entries(definitions).flatMap(([resource, ofResource]) =>
		Object.entries(ofResource).map(([name, definition]) => [`${resource}.${name}`, definition] as const),
	);
	for (const [id, definition] of named) expect([definition.id, findOperation(id)]).toEqual([id, definition]);
});
