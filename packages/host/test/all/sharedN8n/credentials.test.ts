import { createServer } from 'node:http';

import { demoCredentials } from '../../../src/demoCredentials.ts';
import { listen, stopListening } from '../../../src/listen.ts';
import type { CredentialToImport } from '../../../src/n8nCli.ts';
import { type Bed, openBed } from '../../support/bed.ts';

let bed: Bed;
let clientCredentials: CredentialToImport;
let authorizationCode: CredentialToImport;
let gateway: CredentialToImport;
let hostToHost: CredentialToImport;

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
	const all = await demoCredentials(bed.sandbox);
	const of = (type: string) => all.find((credential) => credential.type === type) as CredentialToImport;
	[clientCredentials, authorizationCode] = [of('bankClientCredentialsOAuth2Api'), of('bankAuthorizationCodeOAuth2Api')];
	[gateway, hostToHost] = [of('bankGatewayApi'), of('bankHostToHostOAuth2Api')];
});

/** Stores a new credential with these changes. */
async function created({ name, type, data: given }: CredentialToImport, changes: object = {}) {
	const data = { ...given, ...changes };
	const { id } = await bed.rest.createCredential({ name, type, data });
	return { id, name, type, data };
}

/** The result of n8n's credential test for a new credential with these changes. */
const verdict = async (credential: CredentialToImport, changes: object) =>
	await bed.rest.testCredential(await created(credential, changes));

const token = async (scopes: readonly string[]) => ({
	oauthTokenData: await bed.sandbox.issueTokens({
		clientId: bed.sandbox.clients.authorizationCode.clientId,
		scopes: [...scopes],
	}),
});

/** URL to which the Connect button redirects the user. */
async function consentAddress(changes: object): Promise<URL> {
	const { id } = await created(authorizationCode, changes);
	return new URL(await bed.rest.request<string>('GET', `/rest/oauth2-credential/auth?id=${id}`));
}

test('H2H asks only for webhook scopes, and passes with a token that has nothing else', async () => {
	const { webhookScopes } = bed.sandbox;
	const h2h = { flow: 'h2h', eventScopes: webhookScopes.join(' ') };
	expect(await verdict(authorizationCode, { ...h2h, ...(await token(webhookScopes)) })).toMatchObject({ status: 'OK' });
	expect((await consentAddress(h2h)).searchParams.get('scope')?.split(' ')).toEqual(webhookScopes);
});

test('the Connect button asks for the chosen scopes, and for the consent again only when told to', async () => {
	const usual = await consentAddress({ bankScopes: ['operations-history', 'limits-control'], eventScopes: '' });
	expect(usual.searchParams.get('scope')?.split(' ')).toEqual(['operations-history', 'limits-control']);
	expect(usual.searchParams.has('prompt')).toBe(false);

	const { scopes } = bed.sandbox.clients.authorizationCode;
	const all = (await consentAddress({})).searchParams.get('scope')?.split(' ');
	expect(all?.toSorted()).toEqual(scopes.toSorted());

	const again = await consentAddress({ requestConsent: true, authorizationParameters: 'login_hint=company-42' });
	expect(again.searchParams.get('prompt')).toBe('consent');
	expect(again.searchParams.get('login_hint')).toBe('company-42');
});

test('a test with a wrong secret fails, even if a token is stored', async () => {
	const stored = await created(clientCredentials);
	const test = (changes: object) => bed.rest.testCredential({ ...stored, data: { ...stored.data, ...changes } });
	expect(await test({})).toMatchObject({ status: 'OK' });
	expect(await test({ clientSecret: 'wrong' })).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('invalid_client'),
	});
});

describe('a URL that redirects', () => {
	const wanted: string[] = [];
	let base: string;
	const server = createServer(({ url = '' }, response) => {
		const [, status] = url.split('/');
		if (status === 'elsewhere') wanted.push(url);
		// For redirects, 127.0.0.1 and localhost are different hosts.
		const location = `${base.replace('127.0.0.1', 'localhost')}/elsewhere`;
		response.writeHead(Number(status) || 200, { location }).end('{"access_token":"x"}');
	});

	beforeAll(async () => {
		base = `http://127.0.0.1:${await listen(server)}`;
	});

	afterAll(() => stopListening(server));

	test.each([301, 302, 303, 307, 308])('is reported, and no secret is sent to its target: %i', async (status) => {
		const address = `${base}/${status}`;
		const tokens = { sandboxBaseUrl: base, useCertificate: false, accessTokenUrl: address };
		const named = new RegExp(`redirects elsewhere \\(${status} to http://.*Enter the final URL in "Access Token URL"`);
		for (const [credential, changes, words] of [
			[clientCredentials, tokens, named],
			[hostToHost, tokens, named],
			[clientCredentials, { sandboxBaseUrl: address }, /^The base URL redirects elsewhere/],
			[authorizationCode, { sandboxBaseUrl: address }, /^The base URL redirects elsewhere/],
			[gateway, { sandboxBaseUrl: address, testPath: '/check' }, /^Test Path returned 30\d/],
		] as const)
			expect((await verdict(credential, changes)).message).toMatch(words);
		expect(wanted).toEqual([]);
	});
});

test('an authorization code passes the test of the host-to-host credential, which then renews itself', async () => {
	const { code, redirectUri } = await bed.sandbox.issueCode();
	const changes = { beginWith: 'authorizationCode', authorizationCode: code, redirectUri };
	const { id } = await created(hostToHost, changes);
	// Like the form: n8n replaces masked values by the stored ones.
	const test = async () => {
		const { data: shown } = await bed.rest.request<{ data: object }>('GET', `/rest/credentials/${id}?includeData=true`);
		expect(JSON.stringify(shown)).not.toContain(code);
		return await bed.rest.testCredential({ ...hostToHost, id, data: shown as CredentialToImport['data'] });
	};
	for (let round = 0; round < 3; round++) expect(await test()).toMatchObject({ status: 'OK' });
});
