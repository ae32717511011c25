/** n8n's own nodes with our credentials: secrets go to no redirect target and no host in headers, and an order is sent once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import { createEngine, type Engine, n8nIsInstalled } from '../../src/engine.ts';
import { listen, stopListening } from '../../src/listen.ts';
import { writeCredentialProbe } from './credentialProbe.ts';

const packageDir = path.resolve(__dirname, '../../../n8n-nodes-bank');

class Listener {
	origin = '';
	readonly seen: IncomingMessage[] = [];
	readonly #server: Server;

	constructor(answer: (request: IncomingMessage, response: ServerResponse) => void) {
		this.#server = createServer((request, response) => {
			this.seen.push(request);
			answer(request, response);
		});
	}

	async ready(): Promise<this> {
		this.origin = `http://127.0.0.1:${await listen(this.#server)}`;
		return this;
	}

	close(): Promise<void> {
		return stopListening(this.#server);
	}
}

const types = ['bankClientCredentialsOAuth2Api', 'bankHostToHostOAuth2Api', 'bankGatewayApi', 'bankMutualTlsApi'];

interface OtherNode extends Pick<INode, 'typeVersion'> {
	type: string;
	parameters: INodeParameters;
}

/** Versions with n8n's older HTTP helper, which follows redirects by default, and the newest version of each node. */
const nodesFor = (type: string, url: string, headers: Record<string, string> = {}): Record<string, OtherNode> => {
	const authentication = { authentication: 'predefinedCredentialType', nodeCredentialType: type };
	const rows = Object.entries(headers).map(([name, value]) => ({ name, value }));
	const graphql = { ...authentication, endpoint: url, query: '{ a }', headerParametersUi: { parameter: rows } };
	const sending = { sendHeaders: rows.length > 0, headerParameters: { parameters: rows } };
	const http = { ...authentication, url, ...sending };
	const follow = { redirect: { redirect: { followRedirects: true, maxRedirects: 5 } } };
	const old = { ...authentication, url, headerParametersUi: { parameter: rows } };
	return {
		'GraphQL 1': { type: 'graphql', typeVersion: 1, parameters: { ...graphql, requestMethod: 'GET' } },
		'GraphQL 1.1': { type: 'graphql', typeVersion: 1.1, parameters: { ...graphql, requestMethod: 'GET' } },
		'GraphQL 1.1, POST': { type: 'graphql', typeVersion: 1.1, parameters: { ...graphql, requestMethod: 'POST' } },
		'HTTP Request 2': { type: 'httpRequest', typeVersion: 2, parameters: old },
		'HTTP Request 2 with Follow All Redirects': {
			type: 'httpRequest',
			typeVersion: 2,
			parameters: { ...old, requestMethod: 'POST', options: { followAllRedirects: true, followRedirect: true } },
		},
		'HTTP Request 4.2': { type: 'httpRequest', typeVersion: 4.2, parameters: { ...http, options: follow } },
		'HTTP Request 4.2, POST': {
			type: 'httpRequest',
			typeVersion: 4.2,
			parameters: { ...http, method: 'POST', options: follow },
		},
	};
};

const names = Object.keys(nodesFor('', ''));
const posts = Object.entries(nodesFor('', '')).flatMap(([name, { parameters }]) =>
	[parameters.method, parameters.requestMethod].includes('POST') ? [name] : [],
);

(n8nIsInstalled() ? describe : describe.skip)("n8n's own nodes with our credentials", () => {
	let engine: Engine;
	let folder: string;
	let bank: Listener;
	let elsewhere: Listener;
	let status = 307;

	beforeAll(async () => {
		elsewhere = await new Listener((_request, response) => void response.end('{"data":{}}')).ready();
		bank = await new Listener((request, response) => {
			response.setHeader('content-type', 'application/json');
			if (request.url === '/token')
				response.end('{"access_token":"secret-token","token_type":"Bearer","expires_in":3600}');
			else if (request.url === '/fine') response.end('{"data":{}}');
			else if (request.url === '/lost') response.destroy();
			else response.writeHead(status, { location: `${elsewhere.origin}/taken` }).end();
		}).ready();
		folder = mkdtempSync(path.join(tmpdir(), 'other-nodes-'));
		engine = await createEngine({ packageDir: writeCredentialProbe(packageDir, folder) });
	});
	beforeEach(async () => {
		bank.seen.length = 0;
		elsewhere.seen.length = 0;
		const address = { environment: 'sandbox', sandboxBaseUrl: bank.origin };
		const secrets = { gatewayClientId: 'partner-id', gatewayClientSecret: 'secret-of-the-gateway' };
		const token = { clientId: 'id', clientSecret: 'x', accessTokenUrl: `${bank.origin}/token` };
		const start = { beginWith: 'refreshToken', refreshToken: 'refresh' };
		for (const type of types)
			await engine.setCredential(type, {
				...address,
				...secrets,
				...token,
				...start,
				useGateway: type !== 'bankMutualTlsApi',
				gatewayClientIdHeader: 'x-gw-client-id',
				gatewayKeyHeader: 'x-gw-client-secret',
				useCertificate: false,
				httpRequestDomains: 'all',
			});
	});
	afterAll(async () => {
		await bank?.close();
		await elsewhere?.close();
		await engine?.close();
		if (folder) rmSync(folder, { recursive: true });
	});

	const run = (type: string, name: string, url: string, headers?: Record<string, string>) => {
		const node = nodesFor(type, url, headers)[name];
		if (node === undefined) throw new Error(name);
		return engine.run({ ...node, type: `n8n-nodes-base.${node.type}`, credentials: [type] });
	};
	const calls = ({ seen }: Listener) => seen.filter(({ url }) => url !== '/token');

	describe.each(types)('%s', (type) => {
		test.each(names)('%s reaches the bank, with the parts that the credential adds', async (name) => {
			const { status: ended } = await run(type, name, `${bank.origin}/fine`);
			expect(ended).toBe('success');
			const [first] = calls(bank);
			expect(first?.headers['x-gw-client-id']).toBe('partner-id');
		});

		test.each(names)('%s follows no redirect', async (name) => {
			for (status of [301, 302, 303, 307, 308]) {
				await run(type, name, `${bank.origin}/moved`);
				expect(elsewhere.seen.map(({ headers }) => headers)).toEqual([]);
			}
			expect(calls(bank).length).toBeGreaterThanOrEqual(5);
		});

		test.each(posts)('%s sends an order once, also if no response arrives', async (name) => {
			const { status: ended } = await run(type, name, `${bank.origin}/lost`);
			expect(ended).toBe('error');
			expect(calls(bank).map(({ method }) => method)).toEqual(['POST']);
		});

		test.each(names)('%s is not sent to a host that its headers name', async (name) => {
			const { error } = await run(type, name, `${bank.origin}/fine`, { hOsT: 'elsewhere.test' });
			expect(`${error?.message} ${error?.description ?? ''}`).toMatch(/Host header/);
			expect(calls(bank)).toEqual([]);
		});
	});

	describe.each([...types, 'bankAuthorizationCodeOAuth2Api'])('a restricted %s', (type) => {
		test.each(names)('cannot be used by %s', async (name) => {
			const restrictions = { restrictUse: true, allowedOperations: 'read', httpRequestDomains: 'all' };
			await engine.setCredential(type, { environment: 'sandbox', sandboxBaseUrl: bank.origin, ...restrictions });
			const { error } = await run(type, name, `${bank.origin}/fine`);
			expect(error?.message).toContain('configured to prevent use within an HTTP Request');
			expect(bank.seen).toEqual([]);
		});
	});

	// n8n itself authenticates the requests of Bank OAuth2 API, so there only n8n's check applies (docs/guardrails.md).
	describe.each(types)('a restricted %s whose owner has changed the domains through the REST API', (type) => {
		test.each(names)('cannot be used by %s', async (name) => {
			const restrictions = { restrictUse: true, allowedOperations: 'read', allowedHttpRequestDomains: '={{ "all" }}' };
			await engine.setCredential(type, { environment: 'sandbox', sandboxBaseUrl: bank.origin, ...restrictions });
			const { error } = await run(type, name, `${bank.origin}/fine`);
			// If the credential is incomplete, the error says only that.
			expect(`${error?.message} ${error?.description ?? ''}`).toMatch(/restricted| is empty/);
			expect(calls(bank)).toEqual([]);
		});
	});
});
