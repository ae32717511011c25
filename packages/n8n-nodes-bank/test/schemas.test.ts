/** Output schemas, which n8n's editor shows for nodes that have not run yet. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '@bank/core';

import { existing } from '../../fixtures/src/existing.ts';
import { casesOf } from '../../fixtures/src/samples.ts';
import { className } from '../scripts/names.ts';
import { type FakeBank, jsonOf, run, useBank } from './support/bank.ts';
import { nodeOf } from './support/forms.ts';
import { acceptEverything, payoutForm, recipient } from './support/payout.ts';

const fileOf = (node: string, id: string) =>
	path.resolve(__dirname, '../nodes', node, '__schema__/v1.0.0', `${id.replace('.', '/')}.json`);

it('every operation with a documented response has one, in the folder of n8n', () => {
	const known = operations.filter(({ response, effect }) => response !== undefined || effect === 'delete');
	expect(known.length).toBeGreaterThan(8);
	expect(known.filter((operation) => !existsSync(fileOf(className(nodeOf(operation)), operation.id)))).toEqual([]);
});

const bank = useBank();
const history = existing(casesOf<{ response: { body: unknown } }>('accountOperation.getMany')[0]).response.body;
const respond: FakeBank['answer'] = () => [200, history];

it.each([
	['payment.preparePackage', payoutForm, respond, []],
	['payment.sendPackage', payoutForm, acceptEverything(bank), []],
	['accountOperation.getMany', {}, respond, []],
	// Only credentials with a client certificate have this field.
	['connection.check', {}, respond, ['certificate']],
])('that of %s has the fields of the items', async (id, parameters, answer, otherFields) => {
	bank().answer = answer;
	const [item = {}] = jsonOf(await run(id, parameters, { items: [recipient(1, { sequence: 'a' })] }));
	const { properties } = JSON.parse(readFileSync(fileOf('Bank', id), 'utf8')) as { properties: object };
	expect(Object.keys(properties).sort()).toEqual([...Object.keys(item), ...otherFields].sort());
});
