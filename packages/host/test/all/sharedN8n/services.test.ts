import { demoReferences } from '../../../src/demoCredentials.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

/** Each partner service in a real n8n. Method, path and names come from the service details of the demo credentials. */

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

const { inbound: _inbound, signature: _signature, ...outgoing } = demoReferences;
const fields = (value: object) => ({ bodyFields: { mappingMode: 'defineBelow', value } });

async function callOf(id: string, node: string, way: keyof typeof outgoing, parameters: object) {
	const [resource, operation] = id.split('.');
	const authentication = node === 'bankCardIssuance' ? {} : { authenticateWith: way };
	const bank = {
		name: 'Bank',
		type: `n8n-nodes-bank.${node}`,
		typeVersion: 1,
		parameters: { resource, operation, ...authentication, ...parameters },
		credentials: outgoing[way],
	};
	const { id: workflowId } = await bed.rest.createWorkflow(afterAClick(`${id} by ${way}`, [bank]));
	const execution = await bed.rest.runToEnd(workflowId);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(await bed.sandbox.validationErrors()).toEqual([]);
	return (await bed.sandbox.calls()).find((call) => call.operation === id);
}

test.each([
	[
		'courier.checkCode',
		'bankCourier',
		'gateway',
		{ code: '1234', ...fields({ applicationId: 'app-0003' }) },
		{ method: 'POST', path: '/courier/CheckCodePipe', body: { smsCode: '1234', applicationId: 'app-0003' } },
	],
	[
		'unifiedCheck.run',
		'bankChecks',
		'mutualTls',
		{ checks: ['WSCustomerTerrorism'], additionalFields: { fnm1: 'Doe' } },
		{ method: 'POST', path: '/checks' },
	],
	[
		'entryScore.scoreCompany',
		'bankChecks',
		'gateway',
		{ taxNumber: '7700000000' },
		{ method: 'POST', path: '/llc/score', body: { inn: '7700000000' } },
	],
	[
		'application.create',
		'bankCardIssuance',
		'gateway',
		fields({ surname: 'Doe', phone: '+79000000001' }),
		{ method: 'POST', path: '/applications/', body: { surname: 'Doe', phone: '+79000000001' } },
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
] as const)('%s needs only data of the node', async (id, node, way, parameters, request) => {
	expect(await callOf(id, node, way, parameters)).toMatchObject({ status: 200, ...request });
});

test.each(Object.keys(outgoing) as (keyof typeof outgoing)[])(
	'a service whose authentication is not shown takes %s',
	async (authentication) => {
		const parameters = fields({ 'trip.from': 'A', 'trip.to': 'B', 'trip.date': '' });
		const call = await callOf('trip.send', 'bankPartnerServices', authentication, parameters);
		expect(call).toMatchObject({ status: 200, body: { trip: { from: 'A', to: 'B' } } });
		expect(call?.certificate).toBe(
			authentication === 'hostToHost' || authentication === 'mutualTls' ? 'registered' : undefined,
		);
	},
);
