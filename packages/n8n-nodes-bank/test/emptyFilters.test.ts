/** Filters without a value are rejected, so that a misspelled column does not read everything. */
import { operations, resources } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { refusalOf, run, runOf, useBank } from './support/bank.ts';
import { classOf, formOf } from './support/forms.ts';
import { files, parametersOf } from './support/samples.ts';

const bank = useBank();

const added = [...new Set([...operations, ...resources.flatMap((resource) => resource.operations)])].flatMap(
	(operation) =>
		formOf(operation)
			.filter(({ name, type }) => type === 'collection' && name === 'filters')
			.flatMap(({ options = [] }) => (options as INodeProperties[]).map(({ name }) => ({ operation, name }))),
);

const empties: unknown[] = ['', ' ', null, [], [''], {}, ...['', null, undefined, []].map((value) => () => value)];

test.each(added)('$operation.id: the filter $name needs a value', async ({ operation, name }) => {
	const run = runOf(classOf(operation));
	for (const empty of empties) {
		const given = { ...parametersOf(operation), filters: { [name]: empty } };
		const { message } = await refusalOf(run(operation.id, given, { binary: [files] }));
		expect({ empty, message }).toEqual({
			empty,
			message: expect.stringMatching(/^[A-Z].* is empty: remove the filter or give a value/),
		});
	}
	expect(bank().seen).toEqual([]);
});

test('the message names the field as the form does, and the items', async () => {
	const given = { filters: { operationDirection: () => undefined } };
	const refusal = await refusalOf(run('accountOperation.getMany', given, { items: [{}, {}] }));
	expect(refusal.message).toBe('Direction is empty: remove the filter or give a value (all 2 items)');
});
