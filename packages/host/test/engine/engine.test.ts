/** What the harness promises, and with it what n8n's engine does to a node. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import nock from 'nock';

import { createEngine, type Engine, n8nIsInstalled, type NodeRunOptions } from '../../src/engine.ts';
import { writeProbePackage } from './probePackage.ts';

const bank = 'https://bank.test';
const stored = { baseUrl: bank, clientId: 'id', clientSecret: 'client-secret-1', scope: 'a' };

(n8nIsInstalled() ? describe : describe.skip)("n8n's engine", () => {
	let engine: Engine;
	let folder: string;
	const probe = (action: string, options: Partial<NodeRunOptions> = {}) =>
		engine.run({ type: 'n8n-nodes-probe.probe', ...options, parameters: { do: action, ...options.parameters } });

	beforeAll(async () => {
		folder = writeProbePackage(mkdtempSync(path.join(tmpdir(), 'probe-')));
		engine = await createEngine({ packageDir: folder, credentials: { probeOAuth2Api: stored } });
	});
	beforeEach(() => engine.setCredential('probeOAuth2Api', stored));
	afterEach(() => nock.cleanAll());
	// nock replaces the connections of the whole process, which other test files share.
	afterAll(() => nock.restore());
	afterAll(async () => {
		await engine?.close();
		if (folder) rmSync(folder, { recursive: true });
	});

	it('runs a node over the given items, with expressions', async () => {
		const result = await probe('echo', { items: [{ n: 1 }, { n: 2 }], parameters: { value: '={{ $json.n * 10 }}' } });
		expect(result.status).toBe('success');
		expect(result.error).toBeUndefined();
		expect(result.outputs).toEqual([
			[
				{ json: { value: 10, mode: 'manual', tries: 1 }, pairedItem: { item: 0 } },
				{ json: { value: 20, mode: 'manual', tries: 1 }, pairedItem: { item: 1 } },
			],
			[],
		]);
	});

	it('runs several nodes', async () => {
		const type = 'n8n-nodes-probe.probe';
		const { outputs, runData } = await engine.run({
			nodes: [
				{ name: 'First', type, parameters: { do: 'echo', value: 'one' } },
				{ name: 'Second', type, parameters: { do: 'echo', value: '={{ $json.value }} two' } },
			],
			connections: {
				Start: { main: [[{ node: 'First', type: 'main', index: 0 }]] },
				First: { main: [[{ node: 'Second', type: 'main', index: 0 }]] },
			},
		});
		expect(Object.keys(runData)).toEqual(['Start', 'First', 'Second']);
		expect(outputs[0][0]?.json['value']).toBe('one two');
	});

	describe('a node that fails', () => {
		const items = [{ bad: true, id: 7 }, { bad: false }];

		it('stops the workflow when it throws', async () => {
			const result = await probe('throw');
			expect(result.status).toBe('error');
			expect(result.error?.message).toBe('Refused');
			expect(result.nodeError?.message).toBe('Refused');
			expect(result.outputs).toEqual([[], []]);
		});

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'with %s passes its input on as if it had succeeded when it throws',
			async (onError) => {
				const result = await probe('throw', { items, onError });
				expect(result.nodeError?.message).toBe('Refused');
				expect(result.outputs.map((output) => output.map(({ json }) => json))).toEqual([items, []]);
				// Only because no node follows that succeeds.
				expect(result.status).toBe('error');
			},
		);

		it.each([
			['plain', [{ ok: true }], [{ bad: true, id: 7, error: 'refused', message: 'Refused', details: { code: 'x' } }]],
			['more', [{ error: 'refused', code: 'x' }, { ok: true }], []],
			['item', [{ ok: true }], [{ error: 'Refused' }]],
		])('sorts items of the form "%s" into success and error output', async (form, success, failure) => {
			const result = await probe(form, { items, onError: 'continueErrorOutput' });
			expect(result.outputs[0].map(({ json }) => json)).toEqual(success);
			expect(result.outputs[1].map(({ json }) => json)).toMatchObject(failure);
			expect(result.outputs[1]).toHaveLength(failure.length);
		});
	});

	describe('Retry On Fail', () => {
		const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

		it('runs the whole node again when it throws, and keeps its context', async () => {
			const { status, outputs } = await probe('throwOnce', retryOnFail);
			expect(status).toBe('success');
			expect(outputs[0][0]?.json).toEqual({ tries: 2 });
		});

		it('runs it again without any exception when the first item has an error', async () => {
			const { outputs } = await probe('count', retryOnFail);
			expect(outputs[0][0]?.json).toEqual({ error: 'refused', tries: 3 });
		});

		it('is off unless it is switched on', async () => {
			expect((await probe('throwOnce')).status).toBe('error');
		});
	});

	it('"Retry execution" runs the failed node in mode retry, with the context of the first time', async () => {
		const first = await probe('throwOnce', { items: [{ n: 1 }] });
		expect(first.status).toBe('error');
		const again = await first.retry();
		expect(again.status).toBe('success');
		expect(again.outputs[0][0]?.json).toEqual({ tries: 2 });
	});

	describe('OAuth2', () => {
		const request = (url = `${bank}/api`, signal?: AbortSignal) => probe('request', { parameters: { url }, signal });
		const token = (access_token: string) =>
			nock(bank).post('/token').reply(200, { access_token, token_type: 'Bearer', expires_in: 3600 });
		const call = (bearer: string) =>
			nock(bank, { reqheaders: { authorization: `Bearer ${bearer}` } }).post('/api', { a: 1 });

		it('fetches a token, sends it and stores it', async () => {
			token('t1');
			call('t1').reply(200, { done: true });
			const { outputs } = await request();
			expect(outputs[0][0]?.json).toEqual({ done: true });
			expect((await engine.credential('probeOAuth2Api'))['oauthTokenData']).toMatchObject({ access_token: 't1' });
		});

		it('renews it after 401, sends the call once more and stores the new one', async () => {
			await engine.setCredential('probeOAuth2Api', {
				...stored,
				oauthTokenData: { access_token: 'old', token_type: 'Bearer' },
			});
			call('old').reply(401);
			token('new');
			call('new').reply(200, { done: true });
			expect((await request()).status).toBe('success');
			expect((await engine.credential('probeOAuth2Api'))['oauthTokenData']).toMatchObject({ access_token: 'new' });
			expect(nock.isDone()).toBe(true);
		});

		it('stores no secret and no token with a failed execution', async () => {
			token('bearer-token-1');
			call('bearer-token-1').reply(500, { oops: true });
			const { status, error, stored: text } = await request();
			expect(status).toBe('error');
			expect(error?.name).toBe('NodeApiError');
			expect(text).toContain('httpCode');
			expect(text).not.toMatch(/client-secret-1|bearer-token-1/);
		});

		describe('with a real server', () => {
			let server: Server;
			let answer: (request: IncomingMessage, response: ServerResponse) => void;
			const seen: string[] = [];

			beforeAll(async () => {
				server = createServer((request, response) => {
					seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
					if (request.url === '/token')
						response.setHeader('content-type', 'application/json').end('{"access_token":"real","token_type":"Bearer"}');
					else answer(request, response);
				}).listen(0, '127.0.0.1');
				await once(server, 'listening');
			});
			const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			beforeEach(() => {
				seen.length = 0;
				return engine.setCredential('probeOAuth2Api', { ...stored, baseUrl: base() });
			});
			afterAll(() => {
				server.closeAllConnections();
				server.close();
			});

			it('talks to it', async () => {
				answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"done":true}');
				expect((await request(`${base()}/api`)).outputs[0][0]?.json).toEqual({ done: true });
				expect(seen).toEqual(['POST /token', 'POST /api Bearer real']);
			});

			it('stopping the execution aborts the call in flight', async () => {
				const stop = new AbortController();
				const aborted = new Promise<string>((resolve) => {
					answer = (incoming) => {
						incoming.once('close', () => resolve('connection closed'));
						stop.abort();
					};
				});
				const result = await request(`${base()}/api`, stop.signal);
				expect(result.status).toBe('canceled');
				await expect(aborted).resolves.toBe('connection closed');
			});
		});
	});
});
