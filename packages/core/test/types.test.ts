import * as v from 'valibot';

import { call, defineOperation, definitions, operations, prepare, readRows, type Send } from '../src/index.ts';
import type { Lenient, InputOf, Operation, OutputOf } from '../src/index.ts';
import { responseObject, fields, text } from '../src/schemas/fields.ts';

/** Checked by `tsc`: it fails if a line below `@ts-expect-error` compiles. Nothing here needs to run. */

const { sendPackage } = definitions.payment;
const { getMany } = definitions.accountOperation;
const send: Send = () => Promise.reject(new Error('not sent'));

type PackageBody = InputOf<typeof sendPackage>['body'];
type Package = OutputOf<typeof sendPackage>;

export const body = {
	client: { partnerId: 1 },
	inn: '7700000000',
	account: '40702810000000000001',
	total: 1,
	payments: [],
	signedBody: 'signature',
} satisfies PackageBody;

export const misspelt: PackageBody = {
	...body,
	// @ts-expect-error the description names no such field
	nothing: 1,
};

export const recipients = (request: PackageBody) => request.payments.map(({ phone, amount }) => `${phone}: ${amount}`);

// @ts-expect-error the description names no such field
export const absent = (request: PackageBody) => request.nothing;

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
		simplify: (row) => ({
			id: row?.id,
			// @ts-expect-error the description names no such field
			name: row?.name,
		}),
	},
	errors: [],
	rules({ path, query, body: given, files }) {
		const known: [string, string, number] = [path.id, given.what, files.length];
		// @ts-expect-error the description names no such field
		const nothing: unknown = given.nothing;
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
	const request = prepare(getMany, {});
	const { data } = await call(sendPackage, prepare(sendPackage, {}), send);
	const rows = await readRows(getMany, {}, send, { pageSize: 10 }, (row) => row);
	// @ts-expect-error a list may have come as anything: it has to be asked for
	data?.payments.map(String);
	return [
		request.input.query.dateFrom,
		data?.client?.partnerId,
		Array.isArray(data?.payments) ? data.payments.map((payment) => payment?.transactionId) : [],
		rows.map((row) => row?.amount?.value),
		// @ts-expect-error the description names no such field
		request.input.query.nothing,
		// @ts-expect-error the description names no such field
		data?.nothing,
		// @ts-expect-error the description names no such field
		rows[0]?.nothing,
	];
}

// @ts-expect-error nothing is promised of a value: it may be absent, or of another type than described
export const promised = (data: Lenient<Package>): number => data?.payPackage;

/** Every typed operation is assignable to `Operation`. */
export const any: readonly Operation[] = [sendPackage, getMany, inDefinition];

test('every definition is listed under the resource and name of its id', () => {
	const named = Object.entries(definitions).flatMap(([resource, ofResource]) =>
		Object.entries(ofResource).map(([name, { id }]) => [`${resource}.${name}`, id]),
	);
	expect(named.length).toBeGreaterThan(0);
	for (const [place, id] of named) expect(place).toBe(id);
});

test('every definition is an operation of the list', () => {
	for (const definition of Object.values(definitions).flatMap((ofResource): Operation[] => Object.values(ofResource)))
		expect(operations).toContain(definition);
});
