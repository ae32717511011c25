/** Requests, credentials and results of operations of the node Bank. */
import { type IExecuteFunctions } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { credentials, jsonOf, origin, refusalOf, run, useBank } from './support/bank.ts';

// Skips the waits between retries.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const webhookId = '123e4567-e89b-42d3-a456-426614174000';
const account = '40702810000000000001';

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

describe('card limits', () => {
	it.each([['{}'], ['']])('say what was deleted when the bank answers "%s"', async (text) => {
		bank().answer = () => [200, text];
		expect(await run('cardLimit.delete', { cardId: 'c', limitId: 1001 })).toEqual([
			{ json: { deleted: true, cardId: 'c', limitId: '1001' }, pairedItem: { item: 0 } },
		]);
		expect(bank().seen).toMatchObject([{ method: 'DELETE', path: '/api/pp/v1/cards/c/user-limits/1001', text: '' }]);
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
