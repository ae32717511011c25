import { demoCredentials } from '../../src/demoCredentials.ts';
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
