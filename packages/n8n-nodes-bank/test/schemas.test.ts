/** Output schemas, which n8n's editor shows for nodes that have not run yet. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations, operationName, resourceOf } from '@bank/core';

import { existing } from '../../fixtures/src/existing.ts';
import { casesOf } from '../../fixtures/src/samples.ts';
import { className } from '../scripts/names.ts';
import { jsonOf, run, useBank } from './support/bank.ts';
import { nodeOf } from './support/forms.ts';
import { acceptEverything, payoutForm, recipient } from './support/payout.ts';

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema };

const fileOf = (node: string, operation: (typeof operations)[number]) =>
	path.resolve(
		__dirname,
		'../nodes',
		node,
		'__schema__/v1.0.0',
		resourceOf(operation),
		`${operationName(operation)}.json`,
	);
const schemaOf = (id: string) => {
	const operation = operations.find((candidate) => candidate.id === id);
	const file = operation === undefined ? id : fileOf(className(nodeOf(operation)), operation);
	return JSON.parse(readFileSync(file, 'utf8')) as Schema;
};
const namesIn = ({ properties = {} }: Schema) => Object.keys(properties).sort();

it('every operation with a documented response has one, in the folder of n8n', () => {
	const known = operations.filter(({ response, effect }) => response !== undefined || effect === 'delete');
	expect(known.length).toBeGreaterThan(8);
	expect(known.filter((operation) => !existsSync(fileOf(className(nodeOf(operation)), operation)))).toEqual([]);
});

describe('the fields are those of the items', () => {
	const bank = useBank();
	const row = recipient(1, { sequence: 'a' });

	it('of a prepared package', async () => {
		const [item = {}] = jsonOf(await run('payment.preparePackage', payoutForm, { items: [row] }));
		const file = path.resolve(__dirname, '../nodes/Bank/__schema__/v1.0.0/payment/preparePackage.json');
		expect(namesIn(schemaOf(file))).toEqual(Object.keys(item).sort());
	});

	it('of a connection that was checked', async () => {
		bank().answer = () => [200, { operations: [] }];
		const [item = {}] = jsonOf(await run('connection.check'));
		const file = path.resolve(__dirname, '../nodes/Bank/__schema__/v1.0.0/connection/check.json');
		// Only credentials with a client certificate have this field.
		expect(namesIn(schemaOf(file))).toEqual([...Object.keys(item), 'certificate'].sort());
	});

	it('of a package that was sent', async () => {
		bank().answer = acceptEverything(bank);
		const [item = {}] = jsonOf(await run('payment.sendPackage', payoutForm, { items: [row] }));
		expect(namesIn(schemaOf('payment.sendPackage'))).toEqual(Object.keys(item).sort());
	});

	it('of a simplified list', async () => {
		const { body } = existing(casesOf<{ response: { body: unknown } }>('accountOperation.getMany')[0]).response;
		bank().answer = () => [200, body];
		const [item = {}] = jsonOf(await run('accountOperation.getMany'));
		expect(namesIn(schemaOf('accountOperation.getMany'))).toEqual(Object.keys(item).sort());
	});
});
