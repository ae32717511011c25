/** *Connection: Check* in a real n8n against the sandbox bank: what it says of each credential, whole or with something wrong. */
import { demoCredentials, demoReferences } from '../../../src/demoCredentials.ts';
import type { CredentialToImport, WorkflowNode } from '../../../src/n8nCli.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

type Way = 'clientCredentials' | 'authorizationCode' | 'hostToHost' | 'gateway' | 'mutualTls';
type Changes = () => Promise<object> | object;

let bed: Bed;
let demo: CredentialToImport[];

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
	demo = await demoCredentials(bed.sandbox);
});
afterEach(() => bed.sandbox.reset());

/** What the operation says of a new credential with these changes. */
async function checked(way: Way, changes: object = {}): Promise<Record<string, unknown>> {
	const [type = ''] = Object.keys(demoReferences[way]);
	const data = { ...demo.find((credential) => credential.type === type)?.data, ...changes };
	const { id } = await bed.rest.createCredential({ name: `To be checked: ${way}`, type, data });
	const node: WorkflowNode = {
		name: 'Check',
		type: 'n8n-nodes-bank.bank',
		typeVersion: 1,
		parameters: { resource: 'connection', operation: 'check', authenticateWith: way },
		credentials: { [type]: { id, name: `To be checked: ${way}` } },
	};
	const workflow = await bed.rest.createWorkflow(afterAClick(`Check ${way}`, [node]));
	const { data: kept } = await bed.rest.runToEnd(workflow.id);
	expect(kept.resultData.error?.message).toBeUndefined();
	return kept.resultData.runData.Check?.[0]?.data?.main?.[0]?.[0]?.json ?? {};
}

/** As the bank's answer to a consent. */
const tokens = async (scopes?: string[]) =>
	await bed.sandbox.issueTokens({
		clientId: bed.sandbox.clients.authorizationCode.clientId,
		...(scopes === undefined ? {} : { scopes }),
	});

test.each<[Way, object]>([
	['clientCredentials', { token: 'renewed', host: expect.any(String) }],
	['authorizationCode', { token: 'valid' }],
	['hostToHost', { token: 'renewed', certificate: { daysLeft: expect.any(Number) } }],
	['gateway', { token: 'none' }],
	['mutualTls', { token: 'none', certificate: { subject: expect.stringContaining('Sandbox Partner') } }],
])('a good one is said to be good, with what is known of it: %s', async (way, known) => {
	// A token of its own: those that are good for one use may have been used.
	const own = way === 'hostToHost' ? { refreshToken: (await tokens()).refresh_token } : {};
	expect(await checked(way, own)).toMatchObject({
		ok: true,
		problems: [],
		clockDifferenceSeconds: expect.any(Number),
		...known,
	});
});

const { stringMatching } = expect;
const faults: [what: string, way: Way, changes: Changes, said: object][] = [
	[
		'a wrong client secret',
		'clientCredentials',
		() => ({ clientSecret: 'wrong' }),
		{ token: 'missing', problems: [stringMatching(/does not accept Client ID or Client Secret \(invalid_client\)/)] },
	],
	[
		'a scope that is not granted',
		'clientCredentials',
		() => ({ bankScopes: ['limits-control'] }),
		{ token: 'missing', problems: [stringMatching(/invalid_scope\): limits-control/)] },
	],
	[
		'a refresh token that was used before',
		'hostToHost',
		() => ({ refreshToken: 'used-before' }),
		{ token: 'missing', problems: [stringMatching(/does not accept the refresh token/)] },
	],
	[
		'an expired certificate',
		'mutualTls',
		() => ({ clientCertificate: bed.sandbox.tls.refused.expired.certificate }),
		{ problems: [stringMatching(/^Client Certificate expired on/)], token: 'none' },
	],
	[
		'a certificate of another partner',
		'mutualTls',
		() => ({
			clientCertificate: bed.sandbox.tls.refused.unknownAuthority.certificate,
			clientPrivateKey: bed.sandbox.tls.refused.unknownAuthority.privateKey,
		}),
		{ problems: [stringMatching(/certificate/)] },
	],
	[
		'an authority that is not known',
		'mutualTls',
		() => ({ bankCa: '' }),
		{ problems: [stringMatching(/CA of the Bank/)] },
	],
	[
		'a wrong secret of the gateway',
		'gateway',
		() => ({ gatewayClientSecret: 'wrong' }),
		{ problems: [stringMatching(/\(403\b.*client ID, secret/)] },
	],
];

test.each(faults)('%s is named: %s', async (_what, way, changes, said) => {
	expect(await checked(way, await changes())).toMatchObject({ ok: false, ...said });
});

test('a token that the bank no longer takes is renewed, and that is said', async () => {
	const good = await tokens();
	const oauthTokenData = { ...good, access_token: 'no-longer-good' };
	expect(await checked('authorizationCode', { oauthTokenData })).toMatchObject({ ok: true, token: 'renewed' });
});

test('a token without a scope that operations need names it', async () => {
	const oauthTokenData = await tokens(['limits-control']);
	const said = await checked('authorizationCode', { oauthTokenData });
	expect(said).toMatchObject({ token: 'valid', missingScopes: expect.arrayContaining(['operations-history']) });
});

test('a bank that is out of order is no fault of the token', async () => {
	await bed.sandbox.addFault({ operation: 'accountOperation.getMany', fault: { kind: 'unavailable' } });
	expect(await checked('authorizationCode', { oauthTokenData: await tokens() })).toMatchObject({
		ok: false,
		token: 'untested',
		problems: [stringMatching(/503/)],
	});
});
