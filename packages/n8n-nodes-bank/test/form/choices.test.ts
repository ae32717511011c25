/** Identifiers that the bank can list: the list in the form, the request for it, and sending the chosen value. */
import { type NodeName, operations } from '@bank/core';
import type { ILoadOptionsFunctions, INodeListSearchResult, INodeType } from 'n8n-workflow';

import { existing } from '../../../fixtures/src/existing.ts';
import { fakeN8n } from '../../../fixtures/src/fakeN8n.ts';
import { casesOf } from '../../../fixtures/src/samples.ts';
import { Bank } from '../../nodes/Bank/Bank.node.ts';
import { BankCardIssuance } from '../../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { credentials, jsonOf, refusalOf, run, useBank } from '../support/bank.ts';
import { fieldOf, nodeOf } from '../support/forms.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const nodes: Partial<Record<NodeName, INodeType>> = { bank: new Bank(), bankCardIssuance: new BankCardIssuance() };

/** The editor's request, with the current form. */
async function search(id: string, field: string, parameters: Json, filter?: string): Promise<INodeListSearchResult> {
	const [resource, operation] = id.split('.');
	const name = nodeOf(operations.find((one) => one.id === id) ?? existing(operations[0]));
	const values = { resource, operation, ...parameters };
	const double = fakeN8n({ credentials, parameters: values, node: { type: `n8n-nodes-bank.${name}` } });
	const context = {
		...double,
		getNodeParameter: (path: string, fallback?: unknown) => double.getNodeParameter(path, 0, fallback),
	};
	const method = nodes[name]?.methods?.listSearch?.[field];
	if (method === undefined) throw new Error(`${name} has no search ${field}`);
	return await method.call(context as unknown as ILoadOptionsFunctions, filter);
}

const ofCard = { cardId: 'card-0001', flow: 'authorizationCode' };
const limits = () => (casesOf<{ response: { body: unknown } }>('cardLimit.getMany')[0]?.response.body ?? {}) as Json;

describe('a field whose values another operation lists', () => {
	const listed = operations.flatMap((operation) =>
		Object.entries(operation.choices ?? {}).map(([field, choice]) => ({ operation, field, choice })),
	);

	it('uses a read whose identifiers the form has', () => {
		expect(listed.length).toBeGreaterThan(0);
		for (const { operation, choice } of listed) {
			expect(choice.from.effect).toBe('read');
			for (const name of Object.keys(choice.from.pathFields?.entries ?? {}))
				expect(Object.keys(operation.pathFields?.entries ?? {})).toContain(name);
		}
	});

	it('has a searchable list, which is reloaded if its identifiers change, and the ID', () => {
		for (const { operation, field, choice } of listed) {
			const { type, modes, typeOptions } = fieldOf(operation, field);
			expect([type, modes?.map(({ name }) => name)]).toEqual(['resourceLocator', ['list', 'id']]);
			expect(typeOptions?.loadOptionsDependsOn).toEqual(Object.keys(choice.from.pathFields?.entries ?? {}));
			const method = modes?.[0]?.typeOptions?.searchListMethod ?? '';
			expect(nodes[nodeOf(operation)]?.methods?.listSearch?.[method]).toBeInstanceOf(Function);
		}
	});
});

describe('the limits of a card', () => {
	beforeEach(() => (bank().answer = () => [200, limits()]));

	it('are read with the credential of the node and named by their details', async () => {
		const { results } = await search('cardLimit.delete', 'limitId', ofCard);
		expect(bank().seen).toMatchObject([{ method: 'GET', path: '/api/pp/v1/cards/card-0001/user-limits' }]);
		expect(bank().seen[0]?.headers.authorization).toBe('Bearer token of bankAuthorizationCodeOAuth2Api');
		const name = '1001: monthly, allDebits onlineShopping cashWithdrawals, single 15000, max 100000, RUB';
		expect(results).toEqual([{ name, value: '1001' }]);
	});

	it('are read with the chosen credential', async () => {
		await search('cardLimit.delete', 'limitId', { ...ofCard, flow: 'hostToHost' });
		expect(bank().seen[0]?.headers.authorization).toBe('Bearer token of bankHostToHostOAuth2Api');
	});

	it('can be searched by any word', async () => {
		const { results: all } = await search('cardLimit.delete', 'limitId', ofCard);
		const { results } = await search('cardLimit.delete', 'limitId', ofCard, ` ${all[0]?.name.toUpperCase()} `);
		expect(results).toEqual([all[0]]);
		expect((await search('cardLimit.delete', 'limitId', ofCard, 'nothing like it')).results).toEqual([]);
	});

	it('are not read without a card', async () => {
		const { message } = await refusalOf(search('cardLimit.delete', 'limitId', { ...ofCard, cardId: '' }));
		expect(message).toBe('Card ID is required');
		expect(bank().seen).toEqual([]);
	});

	it('are not read if the card depends on data of the run', async () => {
		const cardId = '={{ $json.cardId }}';
		const { message } = await refusalOf(search('cardLimit.delete', 'limitId', { ...ofCard, cardId }));
		const advice = 'execute the previous node, or choose "By ID"';
		expect(message).toBe(`Card ID depends on data that is not available yet: ${advice}`);
		expect(bank().seen).toEqual([]);
	});

	it('fail with the messages of the node, without secrets', async () => {
		bank().answer = () => [403, { error: 'access_denied', error_description: 'no access' }];
		const { text } = await refusalOf(search('cardLimit.delete', 'limitId', ofCard));
		expect(text).toContain('no access');
		expect(text).toContain('Check that the account, card or client belongs to the person who gave the consent');
		expect(text).not.toContain('token of');
	});

	it.each([
		['from the list', { __rl: true, mode: 'list', value: '1001', cachedResultName: '1001: daily' }],
		['by its identifier', { __rl: true, mode: 'id', value: '1001' }],
		['by an expression', { __rl: true, mode: 'id', value: '={{ $json.limit }}' }],
		['as text', '1001'],
	])('are deleted if chosen %s', async (_, limitId) => {
		bank().answer = () => [200, {}];
		const items = await run('cardLimit.delete', { cardId: 'card-0001', limitId }, { items: [{ limit: 1001 }] });
		expect(bank().seen.map(({ path }) => path)).toEqual(['/api/pp/v1/cards/card-0001/user-limits/1001']);
		expect(jsonOf(items)).toEqual([{ deleted: true, cardId: 'card-0001', limitId: '1001' }]);
	});
});

describe('the offers of an application, whose response is not documented', () => {
	const rows = [
		{ offerId: 'offer-1', name: 'Gold', creditLimit: 100_000 },
		{ offerId: 'offer-2', name: 'Plain' },
	];

	it.each([
		['the response itself', rows],
		['a list in it', { appId: 'app-1', offers: rows }],
		['a list at any depth', { result: { items: [{}], found: rows } }],
	])('are found by the name of the path parameter: %s', async (_, answer) => {
		bank().answer = () => [200, answer];
		expect((await search('offer.select', 'offerId', { appId: 'app-1' })).results).toEqual([
			{ name: 'offer-1: Gold, creditLimit 100000', value: 'offer-1' },
			{ name: 'offer-2: Plain', value: 'offer-2' },
		]);
		expect(bank().seen[0]?.path).toBe('/applications/app-1/offers/');
	});

	it('are not guessed if the response has no such name', async () => {
		bank().answer = () => [200, { offers: [{ number: 1 }] }];
		const { message } = await refusalOf(search('offer.deselect', 'offerId', { appId: 'app-1' }));
		expect(message).toBe('The bank\'s response has no list with offerId. Choose "By ID"');
	});
});
