/** n8n before 2.39, which is not supported but may have the package installed. */
import { operations, resourcesOf } from '@bank/core';

import { Bank } from '../nodes/Bank/Bank.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { jsonOf, refusalOf, runOf, useBank } from './support/bank.ts';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	N8N_NODES_API_VERSION: undefined,
	sleep: async () => undefined,
}));

const bank = useBank();
const nodes = { bank: Bank, bankPartnerServices: BankPartnerServices };
const moving = Object.entries(nodes).flatMap(([name, Node]) =>
	resourcesOf(name as keyof typeof nodes)
		.flatMap(({ operations }) => operations)
		.filter(({ effect }) => effect === 'money')
		.map(({ id }) => ({ id, run: runOf(Node) })),
);

it('the tests cover every operation that moves money', () => {
	expect(moving.map(({ id }) => id)).toEqual(operations.filter(({ effect }) => effect === 'money').map(({ id }) => id));
});

it.each(moving)('refuses to move money: $id', async ({ id, run }) => {
	const error = expect.stringMatching(/needs n8n 2\.40 or newer$/);
	const description = expect.stringMatching(/Update n8n, then run again\. Nothing was sent\.$/);
	expect(await refusalOf(run(id))).toMatchObject({ message: error, description });
	// This n8n recognizes an error item by these two fields.
	expect(jsonOf(await run(id, {}, { continueOnFail: true }))).toEqual([{ error, message: description }]);
	expect(bank().seen).toEqual([]);
});

it('rejections of the bank are error items', async () => {
	bank().answer = () => [403, { error: 'access_denied' }];
	const parameters = { cardId: 'card-0001', returnAll: true };
	const [item] = await runOf(Bank)('cardLimit.getMany', parameters, { continueOnFail: true });
	expect(item?.json).toEqual({ error: expect.stringMatching(/./), message: expect.stringMatching(/./) });
});

it('reads work', async () => {
	bank().answer = () => [200, { limits: [] }];
	await runOf(Bank)('cardLimit.getMany', { cardId: 'card-0001', returnAll: true });
	expect(bank().seen).toHaveLength(1);
});
