import { demoCredentials } from '../../src/demoCredentials.ts';
import { afterAClick } from '../../src/workflows.ts';
import { type Bed, openBed } from './bed.ts';

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
});

test('n8n lists the nodes under the names they have after a real install', async () => {
	const names = (await bed.rest.nodeTypes()).map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining(
			[
				'bank',
				'bankCardIssuance',
				'bankChecks',
				'bankCourier',
				'bankPartnerServices',
				'bankTrigger',
				'bankCourierOrderTrigger',
				'bankOperationsTrigger',
			].map((name) => `n8n-nodes-bank.${name}`),
		),
	);
});

test('n8n lists the credential types', async () => {
	const names = (await bed.rest.credentialTypes()).map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			'bankAuthorizationCodeOAuth2Api',
			'bankClientCredentialsOAuth2Api',
			'bankGatewayApi',
			'bankHostToHostOAuth2Api',
			'bankInboundApi',
			'bankMutualTlsApi',
			'bankSignatureApi',
		]),
	);
});

test("the demo's credentials pass their own test", async () => {
	const credentials = await demoCredentials(bed.sandbox);
	expect(new Set(credentials.map(({ type }) => type)).size).toBe(7);
	for (const { id, name, type, data } of credentials) {
		expect({ name, ...(await bed.rest.testCredential({ id, name, type, data })) }).toMatchObject({
			name,
			status: 'OK',
		});
	}
});

describe('a token that has expired since the last run', () => {
	/** A statement that is ordered at night, with a credential that was connected by day. */
	async function ordered(known: object) {
		await bed.sandbox.reset();
		const all = await demoCredentials(bed.sandbox);
		const connected = all.find(({ type }) => type === 'bankAuthorizationCodeOAuth2Api');
		const oauthTokenData = await bed.sandbox.issueTokens({
			clientId: bed.sandbox.clients.authorizationCode.clientId,
		});
		const name = 'Connected by day';
		const type = 'bankAuthorizationCodeOAuth2Api';
		const data = { ...connected?.data, oauthTokenData: { ...oauthTokenData, ...known } };
		const { id } = await bed.rest.createCredential({ name, type, data } as never);
		const node = {
			name: 'Bank',
			type: 'n8n-nodes-bank.bank',
			typeVersion: 1,
			parameters: {
				resource: 'statement',
				operation: 'orderAccount',
				dateBegin: '2026-01-01',
				dateEnd: '2026-01-31',
				accountIds: '40702810000000000001',
			},
			credentials: { [type]: { id, name } },
		};
		const { id: workflowId } = await bed.rest.createWorkflow(afterAClick('At night', [node]));
		await bed.sandbox.advanceClock(24 * 3600);
		await bed.sandbox.clearCalls();
		const { status, data: run } = await bed.rest.runToEnd(workflowId);
		expect({ status, message: run.resultData.error?.message }).toEqual({ status: 'success', message: undefined });
		return (await bed.sandbox.calls()).map(({ operation, status: answered }) => [operation, answered]);
	}

	test('refuses an order once; it goes again with a new one', async () => {
		expect(await ordered({})).toEqual([
			['statement.orderAccount', 401],
			['oauth.token', 200],
			['statement.orderAccount', 200],
		]);
	});

	test('is renewed first where n8n has written down when it ends', async () => {
		expect(await ordered({ n8n_expires_at: String(Date.now() - 1) })).toEqual([
			['oauth.token', 200],
			['statement.orderAccount', 200],
		]);
	});
});
