/** Requests, credentials and results of operations of the node Bank. */
import { type IExecuteFunctions } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { credentials, run, useBank } from './support/bank.ts';

const bank = useBank();
const webhookId = '123e4567-e89b-42d3-a456-426614174000';

describe('a request', () => {
	it('has the values of the form, the token of the credential, and no header for an absent body', async () => {
		bank().answer = () => [200, { status: 'SUCCESS', bonusAmount: 12.5, unpaidAmmount: '7', somethingNew: [1] }];
		const output = await run('taxpayerAccount.get', { requestId: 'a b&c' });
		const json = { status: 'SUCCESS', bonusAmount: '12.5', unpaidAmount: '7', somethingNew: [1] };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
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
});

describe('the flow of a token (part 5, rule 2)', () => {
	it.each([
		['taxpayerAccount.get', 'hostToHost', 'bankHostToHostOAuth2Api'],
		// The field is not displayed for this operation, but may have a value from another one.
		['loanApplication.create', 'hostToHost', 'bankClientCredentialsOAuth2Api'],
	])('of %s with the choice %s is that of %s', async (id, flow, credential) => {
		const loan = { dealId: webhookId, borrowerType: 'individual', inn: '770000000000', partner: '{}' };
		bank().answer = () => [200, { dealId: webhookId }];
		await run(id, { requestId: '1', ...loan, flow });
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer token of ${credential}`]);
	});

	it('is that of authorization codes in workflows without the choice', async () => {
		const parameters = { resource: 'taxpayerAccount', operation: 'get', requestId: '1' };
		await new Bank().execute.call(fakeN8n({ parameters, credentials }) as unknown as IExecuteFunctions);
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankAuthorizationCodeOAuth2Api',
		]);
	});
});
