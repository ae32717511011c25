/** Shared behavior of the node's operations: validation first, parallel reads, results paired with their items. */
import { type IExecuteFunctions, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { credentials, jsonOf, origin, refusalOf, run, useBank } from './support/bank.ts';

// Skips the waits between retries.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const webhookId = '123e4567-e89b-42d3-a456-426614174000';
const account = '40702810000000000001';
const operationRow = (id: string | number, more: object = {}) => ({
	id,
	dateTime: '2026-03-31T10:15:30.000Z',
	title: 'Fake Market',
	amount: { value: 150050, currency: 'RUB', minorUnits: 100 },
	direction: 'EXPENSE',
	status: 'SUCCESS',
	fee: 0,
	isAnotherClient: false,
	cashout: false,
	reference: 'R-1',
	...more,
});

/** A bank that pages through `rows` and returns at most `most` of them at a time. */
const paging = (rows: unknown[], most = Infinity) =>
	(bank().answer = ({ query }) => {
		const { offset = '0', limit = '20' } = Object.fromEntries(query);
		return [200, { operations: rows.slice(Number(offset), Number(offset) + Math.min(Number(limit), most)) }];
	});

describe('a request', () => {
	it('is exactly what the form says, with the token of the credential and no headers for a body that is not there', async () => {
		bank().answer = () => [200, { status: 'SUCCESS', bonusAmount: 12.5, unpaidAmmount: '7', somethingNew: [1] }];
		const output = await run('taxpayerAccount.get', { requestId: 'a b&c' });
		expect(output).toEqual([
			{
				json: { status: 'SUCCESS', bonusAmount: '12.5', unpaidAmount: '7', somethingNew: [1] },
				pairedItem: { item: 0 },
			},
		]);
		const [seen] = bank().seen;
		expect(bank().seen).toHaveLength(1);
		expect(seen).toMatchObject({
			method: 'GET',
			path: '/api/semp/v1/selfemployed/taxpayer-account-info/a%20b%26c',
			query: [],
			text: '',
		});
		expect(seen?.headers).toMatchObject({
			accept: 'application/json',
			authorization: 'Bearer token of bankAuthorizationCodeOAuth2Api',
		});
		expect(seen?.headers).not.toHaveProperty('content-type');
	});

	it('cannot climb out of its path', async () => {
		expect((await refusalOf(run('taxpayerAccount.get', { requestId: '..' }))).message).toContain(
			'Request ID must be an identifier, not a path',
		);
		expect(bank().seen).toEqual([]);
	});

	it('goes to the address of the environment that is chosen', async () => {
		const credential = {
			...credentials.bankAuthorizationCodeOAuth2Api,
			environment: 'production',
			productionBaseUrl: `${origin}/prefix//`,
			sandboxBaseUrl: 'https://elsewhere.test',
		};
		await run(
			'taxpayerAccount.get',
			{ requestId: '1' },
			{ credentials: { bankAuthorizationCodeOAuth2Api: credential } },
		);
		expect(bank().seen[0]?.path).toBe('/prefix/api/semp/v1/selfemployed/taxpayer-account-info/1');
	});
});

describe('the flow of a token (part 5, rule 2)', () => {
	it('is host to host where the user says so, and only for operations with an authorization code', async () => {
		await run('taxpayerAccount.get', { requestId: '1', flow: 'hostToHost' });
		await run('taxpayerAccount.get', { requestId: '1', flow: 'authorizationCode' });
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankHostToHostOAuth2Api',
			'Bearer token of bankAuthorizationCodeOAuth2Api',
		]);
	});

	it('stays that of client credentials for a loan application, whatever was chosen before', async () => {
		bank().answer = () => [200, { dealId: webhookId }];
		await run('loanApplication.create', {
			dealId: webhookId,
			borrowerType: 'individual',
			inn: '770000000000',
			partner: '{}',
			flow: 'hostToHost',
		});
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankClientCredentialsOAuth2Api',
		]);
	});

	it('is an authorization code in workflows that were saved before one could choose', async () => {
		const parameters = { resource: 'taxpayerAccount', operation: 'get', requestId: '1' };
		await new Bank().execute.call(fakeN8n({ parameters, credentials }) as unknown as IExecuteFunctions);
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankAuthorizationCodeOAuth2Api',
		]);
	});
});

describe('ordering a statement', () => {
	const answer = {
		id: 77,
		date: '2026-03-31T09:00:00.000Z',
		type: { code: 'ufr_stmt_physical_vypiska', title: 'Statement' },
		status: 'ENQUEUED',
	};
	const period = { dateBegin: '2026-01-01', dateEnd: '2026-01-31' };

	it('takes numbers, lists of lists and text with commas for accounts, and answers with the identifier as text', async () => {
		bank().answer = () => [200, answer];
		const output = await run('statement.orderAccount', { ...period, accountIds: ['1, 2', () => [3, '4;5'], () => 6] });
		expect(jsonOf(output)).toEqual([{ ...answer, id: '77' }]);
		expect(bank().seen).toMatchObject([
			{
				method: 'POST',
				path: '/api/pp/v1/reports/type/account',
				body: { ...period, accountIds: ['1', '2', '3', '4', '5', '6'] },
			},
		]);
		expect(bank().seen[0]?.headers['content-type']).toBe('application/json');
	});

	it('checks all items before the first request, and names every fault with its item', async () => {
		const items = [
			{ to: '2026-01-31', account },
			{ to: 'never', account },
			{ to: '2026-01-31', account: '' },
		];
		const refusal = await refusalOf(
			run(
				'statement.orderAccount',
				{ dateBegin: '2026-01-01', dateEnd: '={{ $json.to }}', accountIds: '={{ $json.account }}' },
				{ items },
			),
		);
		expect(refusal.message).toBe('Correct End Date, Accounts');
		expect(refusal.description).toContain('<li>Accounts is required (item 2)</li>');
		expect(refusal.context).toMatchObject({ itemIndex: 1 });
		expect(bank().seen).toEqual([]);
	});
});

describe('many operations', () => {
	it('are simplified, with the decimal amount beside the raw one', async () => {
		const row = operationRow(7, {
			amount: { value: '1999', currency: 'RUB', minorUnits: 100 },
			recipient: { name: 'Shop', bankName: 'B' },
			category: { id: 'c', name: 'Food' },
			newField: 1,
		});
		paging([row]);
		const [simple] = jsonOf(await run('accountOperation.getMany'));
		expect(simple).toEqual({
			id: '7',
			dateTime: row.dateTime,
			title: 'Fake Market',
			direction: 'EXPENSE',
			status: 'SUCCESS',
			amount: 19.99,
			currency: 'RUB',
			amountRaw: { value: 1999, currency: 'RUB', minorUnits: 100 },
			fee: 0,
			category: 'Food',
			counterparty: 'Shop',
			counterpartyBank: 'B',
		});
	});

	it('are whole when they are not simplified, with fields that the description does not know', async () => {
		paging([operationRow(7, { newField: { a: [1] }, status: null, sender: { phoneNumber: 79000000001 } })]);
		const [raw] = jsonOf(await run('accountOperation.getMany', { output: 'raw' }));
		expect(raw).toEqual({
			...operationRow('7'),
			newField: { a: [1] },
			status: null,
			sender: { phoneNumber: '79000000001' },
		});
	});
});

describe('card limits', () => {
	const limit = {
		id: '5',
		created: '2026-01-01',
		limits: {
			single: { value: 1050, currency: 'RUB', minorUnits: 100 },
			max: { value: 5, currency: 'RUB', minorUnits: 1 },
		},
		countriesRestrictions: { restrictionType: 'all' },
	};

	it('are read in one request, simplified or whole, up to the limit', async () => {
		bank().answer = () => [200, { limits: [limit, { ...limit, id: 6 }] }];
		expect(jsonOf(await run('cardLimit.getMany', { cardId: 12, limit: 1 }))).toEqual([
			{
				id: 5,
				created: '2026-01-01',
				single: 10.5,
				max: 5,
				currency: 'RUB',
				limitsRaw: limit.limits,
				countries: 'all',
			},
		]);
		expect(jsonOf(await run('cardLimit.getMany', { cardId: '12', output: 'raw', returnAll: true }))).toEqual([
			{ ...limit, id: 5 },
			{ ...limit, id: 6 },
		]);
		expect(bank().seen.map(({ path, query }) => [path, query])).toEqual([
			['/api/pp/v1/cards/12/user-limits', []],
			['/api/pp/v1/cards/12/user-limits', []],
		]);
	});

	it.each([['{}'], ['']])('say what was deleted when the bank answers "%s"', async (text) => {
		bank().answer = () => [200, text];
		expect(await run('cardLimit.delete', { cardId: 'c', limitId: 1001 })).toEqual([
			{ json: { deleted: true, cardId: 'c', limitId: '1001' }, pairedItem: { item: 0 } },
		]);
		expect(bank().seen).toMatchObject([{ method: 'DELETE', path: '/api/pp/v1/cards/c/user-limits/1001', text: '' }]);
	});
});

describe('webhooks', () => {
	it.each([200, 204])('say what was deleted when the bank answers %i without a body', async (status) => {
		bank().answer = () => [status];
		const object = 'jp_sbp_incoming_payments';
		expect(jsonOf(await run('webhook.delete', { id: webhookId, object }))).toEqual([
			{ deleted: true, id: webhookId, object },
		]);
		expect(bank().seen).toMatchObject([
			{ method: 'DELETE', path: `/api/v1/webhooks/${webhookId}`, query: [['object', object]] },
		]);
	});
});

describe('what a user may get wrong', () => {
	it('a field that $json does not have is a required field that is missing', async () => {
		expect((await refusalOf(run('taxpayerAccount.get', { requestId: '={{ $json.nothing }}' }))).message).toBe(
			'Request ID is required',
		);
		expect(bank().seen).toEqual([]);
	});
});

describe('an AI agent', () => {
	const asTool = (id: string, parameters: Record<string, unknown>) => {
		const [resource, operation] = id.split('.');
		const context = fakeN8n({
			parameters: { resource, operation, ...parameters },
			credentials,
			node: { type: 'n8n-nodes-bank.bankTool' },
		});
		return new Bank().execute.call(context as unknown as IExecuteFunctions);
	};

	it('cannot pay, whatever else it gives', async () => {
		const refusal = await refusalOf(asTool('payment.sendPackage', { preview: true }));
		expect(refusal.message).toBe('Send Package is not available to AI agents');
		expect(refusal.description).toContain('Nothing was sent');
		expect(bank().seen).toEqual([]);
	});

	it.each(['webhook.delete', 'cardLimit.delete', 'payment.sendPackage'])(
		'cannot do what stays done: %s, and is not offered it',
		async (id) => {
			expect((await refusalOf(asTool(id, {}))).message).toMatch(/is not available to AI agents$/);
			expect(bank().seen).toEqual([]);
			const [resource, operation] = id.split('.');
			const offered = (name: string): unknown[] =>
				new Bank().description.properties
					.filter(
						(field) => field.name === 'operation' && field.displayOptions?.show?.resource?.includes(resource ?? ''),
					)
					.flatMap(({ options = [] }) => options)
					.filter(
						(option) =>
							'value' in option &&
							option.value === operation &&
							NodeHelpers.displayParameter({}, option, null, { name } as INodeTypeDescription),
					);
			expect(offered('bank')).toHaveLength(1);
			expect(offered('bankTool')).toEqual([]);
		},
	);

	it('can read', async () => {
		bank().answer = () => [200, { status: 'SUCCESS' }];
		expect(await asTool('taxpayerAccount.get', { requestId: '1' })).toEqual([
			[{ json: { status: 'SUCCESS' }, pairedItem: { item: 0 } }],
		]);
	});
});
