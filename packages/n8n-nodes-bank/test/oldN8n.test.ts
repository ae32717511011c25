/** n8n before 2.39, which is not supported but may have the package installed. */
import { operations } from '@bank/core';

import { Bank } from '../nodes/Bank/Bank.node.ts';
import { refusalOf, runOf, useBank } from './support/bank.ts';
import { classOf } from './support/forms.ts';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	N8N_NODES_API_VERSION: undefined,
	sleep: async () => undefined,
}));

const bank = useBank();
const moving = operations.filter(({ effect }) => effect === 'money');

it.each(moving)('refuses to move money: $id', async (operation) => {
	const { id } = operation;
	const run = runOf(classOf(operation));
	const error = expect.stringMatching(/needs n8n 2\.40 or newer$/);
	const description = expect.stringMatching(/Update n8n, then run again\. Nothing was sent\.$/);
	expect(await refusalOf(run(id))).toMatchObject({ message: error, description });
	expect(bank().seen).toEqual([]);
});

it('reads work', async () => {
	bank().answer = () => [200, { limits: [] }];
	await runOf(Bank)('cardLimit.getMany', { cardId: 'card-0001', returnAll: true });
	expect(bank().seen).toHaveLength(1);
});
