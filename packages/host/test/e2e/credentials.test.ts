import { demoCredentials } from '../../src/demoCredentials.ts';
import type { CredentialToImport } from '../../src/n8nCli.ts';
import { freePort } from '../../src/ports.ts';
import { type Bed, openBed } from './bed.ts';

let bed: Bed;
let clientCredentials: CredentialToImport;
let authorizationCode: CredentialToImport;

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
	[clientCredentials, authorizationCode] = (await demoCredentials(bed.sandbox)) as [CredentialToImport, CredentialToImport];
});

/** What n8n's own test says of a new credential with these changes. A stored one would lend the test its token. */
async function verdict(credential: CredentialToImport, changes: object): Promise<{ status: string; message: string }> {
	const data = { ...credential.data, ...changes };
	const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', { name: 'A new credential', type: credential.type, data });
	return (await bed.rest.testCredential({ ...credential, id, data })) as { status: string; message: string };
}

const token = async (scopes: readonly string[]) => ({
	oauthTokenData: await bed.sandbox.issueTokens({ clientId: bed.sandbox.clients.authorizationCode.clientId, scopes: [...scopes] }),
});

/** Where the Connect button sends the user. */
async function consentAddress(changes: object): Promise<URL> {
	const data = { ...authorizationCode.data, ...changes };
	const { id } = await bed.rest.request<{ id: string }>('POST', '/rest/credentials', { name: 'To be connected', type: authorizationCode.type, data });
	return new URL(await bed.rest.request<string>('GET', `/rest/oauth2-credential/auth?id=${id}`));
}

test('client credentials pass with the right secret', async () => {
	expect(await verdict(clientCredentials, {})).toMatchObject({ status: 'OK' });
});

test('a wrong client secret is named', async () => {
	expect(await verdict(clientCredentials, { clientSecret: 'wrong' })).toMatchObject({ status: 'Error', message: expect.stringContaining('Client authentication failed') });
});

test('a scope that the bank does not grant is named', async () => {
	expect(await verdict(clientCredentials, { scopes: ['limits-control'] })).toMatchObject({ status: 'Error', message: expect.stringMatching(/scope/i) });
});

test('a token address where nobody listens is told apart', async () => {
	const accessTokenUrl = `http://127.0.0.1:${await freePort()}/token`;
	expect(await verdict(clientCredentials, { accessTokenUrl })).toMatchObject({ status: 'Error', message: expect.stringContaining('refused the connection') });
});

test('a base URL that is not the API is named', async () => {
	const sandboxBaseUrl = `${bed.sandbox.baseUrl}/wrong`;
	expect(await verdict(clientCredentials, { sandboxBaseUrl })).toMatchObject({ status: 'Error', message: expect.stringContaining('base URL does not lead to the API') });
	expect(await verdict(authorizationCode, { sandboxBaseUrl })).toMatchObject({ status: 'Error', message: expect.stringContaining('base URL does not lead to the API') });
});

test('an unknown host is told apart', async () => {
	expect(await verdict(authorizationCode, { sandboxBaseUrl: 'http://nowhere.invalid' })).toMatchObject({ status: 'Error', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
});

test('a token without a scope that was asked for is told apart', async () => {
	expect(await verdict(authorizationCode, await token(['limits-control']))).toMatchObject({ status: 'Error', message: expect.stringContaining('not for operations-history') });
});

test('H2H asks only for webhook scopes, and passes with a token that has nothing else', async () => {
	const { webhookScopes } = bed.sandbox;
	const h2h = { flow: 'h2h', eventScopes: webhookScopes.join(' ') };
	expect(await verdict(authorizationCode, { ...h2h, ...(await token(webhookScopes)) })).toMatchObject({ status: 'OK' });
	expect((await consentAddress(h2h)).searchParams.get('scope')?.split(' ')).toEqual(webhookScopes);
});

test('the Connect button asks for the chosen scopes, and for the consent again only when told to', async () => {
	const usual = await consentAddress({ scopes: ['operations-history', 'limits-control'], eventScopes: '' });
	expect(usual.searchParams.get('scope')?.split(' ')).toEqual(['operations-history', 'limits-control']);
	expect(usual.searchParams.has('prompt')).toBe(false);

	const again = await consentAddress({ requestConsent: true, authorizationParameters: 'login_hint=company-42' });
	expect(again.searchParams.get('prompt')).toBe('consent');
	expect(again.searchParams.get('login_hint')).toBe('company-42');
});
