import { demoReferences } from '../../../src/demoCredentials.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

/** Partner services that no example uses. Method, path and names come from the service details of the demo credentials. */

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

const fields = (value: object) => ({ bodyFields: { mappingMode: 'defineBelow', value } });

test.each([
	[
		'entryScore.scoreCompany',
		'bankChecks',
		'gateway',
		{ taxNumber: '7700000000' },
		{ method: 'POST', path: '/llc/score', body: { inn: '7700000000' } },
	],
	[
		'preApproved.search',
		'bankCardIssuance',
		'gateway',
		fields({ phone: '+79000000001' }),
		{ method: 'POST', path: '/preApproved/search', body: { phone: '+79000000001' } },
	],
	[
		'directDebit.createConsent',
		'bankPartnerServices',
		'gateway',
		fields({ loanAgreement: 'L-1', 'refund.account': '40702810000000000001' }),
		{
			method: 'POST',
			path: '/direct-debit/consents',
			body: { loanAgreement: 'L-1', refund: { account: '40702810000000000001' } },
		},
	],
	[
		'profile.exchangeCode',
		'bankPartnerServices',
		'gateway',
		fields({ code: 'sandbox-profile-code' }),
		{ method: 'POST', path: '/accessToken' },
	],
	[
		'trip.send',
		'bankPartnerServices',
		'hostToHost',
		fields({ 'trip.from': 'A', 'trip.to': 'B', 'trip.date': '' }),
		{ method: 'POST', body: { trip: { from: 'A', to: 'B' } }, certificate: 'registered' },
	],
] as const)('%s needs only data of the node', async (id, node, way, parameters, request) => {
	const [resource, operation] = id.split('.');
	const authentication = node === 'bankCardIssuance' ? {} : { authenticateWith: way };
	const bank = {
		name: 'Bank',
		type: `n8n-nodes-bank.${node}`,
		typeVersion: 1,
		parameters: { resource, operation, ...authentication, ...parameters },
		credentials: demoReferences[way],
	};
	const { id: workflowId } = await bed.rest.createWorkflow(afterAClick(id, [bank]));
	const execution = await bed.rest.runToEnd(workflowId);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(await bed.sandbox.validationErrors()).toEqual([]);
	const calls = await bed.sandbox.calls();
	expect(calls.find((call) => call.operation === id)).toMatchObject({ status: 200, ...request });
});
