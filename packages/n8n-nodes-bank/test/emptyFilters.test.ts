/** A filter that was added and has no value is refused: a misspelt column must not read everything. */
import { offeredOf, type Operation, operationById, operations, resources } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { Bank } from '../nodes/Bank/Bank.node.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { BankCourier } from '../nodes/BankCourier/BankCourier.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { jsonOf, mapped, refusalOf, runOf, useBank } from './support/bank.ts';
import { formOf, nodeOf } from './support/forms.ts';
import { files, parametersOf } from './support/samples.ts';

const bank = useBank();
const nodes = {
	bank: Bank,
	bankCardIssuance: BankCardIssuance,
	bankChecks: BankChecks,
	bankCourier: BankCourier,
	bankPartnerServices: BankPartnerServices,
};

const added = [...new Set([...operations, ...resources.flatMap(offeredOf)])].flatMap((operation) =>
	formOf(operation)
		.filter(({ name, type }) => type === 'collection' && ['filters', 'additionalFields'].includes(name))
		.flatMap(({ name: collection, options = [] }) =>
			(options as INodeProperties[]).map(({ name }) => ({ operation, collection, name })),
		),
);

const empties: unknown[] = ['', ' ', null, [], [''], {}, ...['', null, undefined, []].map((value) => () => value)];

/** Both operations of payments read one form. */
const valid = (operation: Operation) =>
	operation.id.startsWith('payment.')
		? { ...parametersOf(operationById('payment.sendPackage')), ...mapped, paymentRun: 'salary-2026-11' }
		: parametersOf(operation);

test('filters and fields can be added to many operations, in two collections', () => {
	expect(new Set(added.map(({ collection }) => collection))).toEqual(new Set(['filters', 'additionalFields']));
	expect(new Set(added.map(({ operation }) => operation.id)).size).toBeGreaterThan(5);
});

test.each(added)('$operation.id: $name in $collection needs a value', async ({ operation, collection, name }) => {
	const run = runOf(nodes[nodeOf(operation)]);
	for (const empty of empties) {
		const given = { ...valid(operation), [collection]: { [name]: empty } };
		const { message } = await refusalOf(run(operation.id, given, { binary: [files] }));
		expect({ empty, message }).toEqual({
			empty,
			message: expect.stringMatching(
				new RegExp(
					`\\b${name}\\b.* is empty: remove the ${collection === 'filters' ? 'filter' : 'field'} or give a value`,
				),
			),
		});
	}
	expect(bank().seen).toEqual([]);
});

test('the message names the field as the form does, and the items', async () => {
	const given = { filters: { operationDirection: () => undefined } };
	const refusal = await refusalOf(runOf(Bank)('accountOperation.getMany', given, { items: [{}, {}] }));
	expect(refusal.message).toBe(
		'All 2 items: Direction (operationDirection) is empty: remove the filter or give a value',
	);
});

test('a filter that means something goes, be it zero or no', async () => {
	bank().answer = () => [200, { operations: [] }];
	const output = await runOf(Bank)('accountOperation.getMany', { filters: { accounts: '1' } });
	expect(jsonOf(output)).toEqual([]);
	expect(bank().seen[0]?.query).toContainEqual(['accounts', '1']);
});
