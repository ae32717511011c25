/** *Connection: Check* in a real n8n with the sandbox bank: results for valid and invalid credentials. */
import { demoCredentials, demoReferences } from '../../../src/demoCredentials.ts';
import type { CredentialToImport, WorkflowNode } from '../../../src/n8nCli.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

type Way = 'clientCredentials' | 'authorizationCode' | 'hostToHost' | 'gateway' | 'mutualTls';

let bed: Bed;
let demo: CredentialToImport[];

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
	demo = await demoCredentials(bed.sandbox);
});
afterEach(() => bed.sandbox.reset());

/** The output of the operation for a new credential with these changes. */
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

/** Tokens as after a user's consent. */
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
	// A separate token, because a single-use token may have been used.
	const own = way === 'hostToHost' ? { refreshToken: (await tokens()).refresh_token } : {};
	expect(await checked(way, own)).toMatchObject({
		ok: true,
		problems: [],
		clockDifferenceSeconds: expect.any(Number),
		...known,
	});
});
