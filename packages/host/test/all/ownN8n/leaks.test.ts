/**
 * What a real n8n keeps and says of calls to a bank that repeats everything it was sent, in many words: its database, its files, its log
 * at debug and what its interface gives are searched for what was planted. All operations and all wordings: leaks.test.ts of the nodes.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inParallel } from '../../../src/chaos/inParallel.ts';
import { importCredentials, type WorkflowFile, type WorkflowNode } from '../../../src/n8nCli.ts';
import { type N8nInstance, type N8nSettings, startN8n } from '../../../src/n8nProcess.ts';
import { N8nRest } from '../../../src/n8nRest.ts';
import { nodesPackageDir } from '../../../src/paths.ts';
import { freePort } from '../../../src/ports.ts';
import { lazyEngine } from '../../../src/testbed.ts';
import { afterAClick, inARow } from '../../../src/workflows.ts';
import { itemsOf } from '../../support/triggerBed.ts';

/** Held by credentials, or given by the bank's token endpoint: none of it may stand anywhere in clear. */
const planted = {
	gatewayId: 'GW-91c7e05d44-planted',
	gatewaySecret: 'gw+s3cr3t/Zq9x7-planted',
	clientSecret: 'Cl13nt-S3cr3t-planted',
	accessToken: '0f8fad5b-d9cb-469f-a165-708677289501',
	oauthToken: 'oauth-7d9e21aa0b5544f1-planted',
	refreshToken: 'rt.7Hq2_x-93kfPPw01mn-planted',
	headerOfCourier: 'Cour13r-S3cr3t-planted',
	hmacOfCourier: 'hm4c-0f-c0ur13r-planted',
};

const encodings: ((text: string) => string)[] = [
	(text) => text,
	encodeURIComponent,
	(text) => Buffer.from(text).toString('base64'),
	(text) => Buffer.from(`:${text}`).toString('base64url'),
	(text) => JSON.stringify(text),
	(text) => Buffer.from(text).toString('hex'),
	(text) => text.toUpperCase(),
];

/** Each request in turn: how it is worded, with which status, in which encoding. */
const words: ((value: string) => string)[] = [
	(value) => JSON.stringify({ error: 'invalid_request', error_description: `token ${value} has no scope` }),
	(value) => JSON.stringify({ error: `Unknown credentials id / secret ${value}` }),
	(value) => `<html><b>${value}</b></html>`,
	(value) => JSON.stringify({ errorInfo: { errorCode: 'x', errorText: `expired: ${value}` } }),
	(value) => `{"cut": "${value}`,
	(value) => JSON.stringify({ error: { code: 'denied', message: `No entry for <${value}>`, trace: [value, value] } }),
	(value) => JSON.stringify([{ errorCode: '003', errorString: `authorization error: ${value}` }]),
	(value) => `error=invalid_token&error_description=${encodeURIComponent(value)}`,
	(value) => `<?xml version="1.0"?><fault><string>${value}</string></fault>`,
];
const statuses = [400, 401, 403, 500, 200, 409, 422, 419, 404];

/** In how many of the encodings data of a success is searched for secrets: the last is in capitals. */
const ofData = 6;

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

/** How many items an execution has whose node goes on: one wording for each, and one execution for all of them. */
const itemsOfOne = Array.from({ length: 18 }, (_, index) => ({ index }));

/** A bank that repeats each header and the body of every call. */
function hostileBank(): Server {
	let turn = 0;
	return createServer((request, response) => {
		void bodyOf(request).then((body) => {
			if (request.url === '/token') {
				response.setHeader('Content-Type', 'application/json');
				return response.end(
					JSON.stringify({ access_token: planted.accessToken, refresh_token: planted.refreshToken, expires_in: 3600 }),
				);
			}
			const at = <Element>(list: readonly Element[], step = 1) =>
				list[Math.floor(turn / step) % list.length] as Element;
			const [status, wording] = [at(statuses), at(words, 2)];
			const encode = at(status === 200 ? encodings.slice(0, ofData) : encodings);
			const secrets = Object.entries(request.headers)
				.filter(([name]) => /^(?:authorization|x-)/.test(name))
				.map(([, value]) => encode(String(value).replace(/^\w+ /, '')));
			response.statusCode = status;
			response.setHeader('X-Request-Id', secrets.join(' ').replace(/[^\x20-\x7e]/g, ''));
			response.end(wording(`${secrets.join(' and ')} ${body.slice(0, 100)}`));
			turn++;
		});
	});
}

let folder: string;
let bank: Server;
const ordersPath = 'leaks/deliveryapi/order';

let n8n: N8nInstance;
let rest: N8nRest;
let settings: N8nSettings;
const workflows: WorkflowFile[] = [];
const listening: WorkflowFile[] = [];

const calls: [type: string, credential: string, parameters: Record<string, unknown>][] = [
	[
		'bank',
		'bankClientCredentialsOAuth2Api',
		{
			resource: 'loanApplication',
			operation: 'create',
			dealId: '0f8fad5b-d9cb-469f-a165-708677289777',
			borrowerType: 'individual',
			inn: '770000000000',
			partner: '{}',
		},
	],
	['bank', 'bankAuthorizationCodeOAuth2Api', { resource: 'taxpayerAccount', operation: 'get', requestId: '1' }],
	['bank', 'bankAuthorizationCodeOAuth2Api', { resource: 'accountOperation', operation: 'getMany' }],
	['bank', 'bankAuthorizationCodeOAuth2Api', { resource: 'cardLimit', operation: 'getMany', cardId: 'card-1' }],
	[
		'bank',
		'bankAuthorizationCodeOAuth2Api',
		{
			resource: 'statement',
			operation: 'orderAccount',
			dateBegin: '2026-01-01',
			dateEnd: '2026-01-31',
			accountIds: ['40702810000000000001'],
		},
	],
	[
		'bank',
		'bankClientCredentialsOAuth2Api',
		{ resource: 'connection', operation: 'check', authenticateWith: 'clientCredentials' },
	],
	[
		'bankPartnerServices',
		'bankGatewayApi',
		{
			resource: 'profile',
			operation: 'exchangeCode',
			authenticateWith: 'gateway',
			method: 'POST',
			payloadFrom: 'json',
			payload: '{"code":"abc"}',
		},
	],
	[
		'bankPartnerServices',
		'bankGatewayApi',
		{
			resource: 'trip',
			operation: 'send',
			authenticateWith: 'gateway',
			method: 'POST',
			path: '/trips',
			payloadFrom: 'json',
			payload: '{"a":1}',
		},
	],
];

/** Answers of n8n to whoever calls from outside, with what the bank said inside: one workflow, since each has to be activated. */
const paths: string[] = [];
const answers: Pick<WorkflowFile, 'nodes' | 'connections'> = { nodes: [], connections: {} };

function answersOf(node: WorkflowNode): void {
	for (const onError of ['stopWorkflow', 'continueRegularOutput'])
		for (const responseMode of ['lastNode', 'responseNode']) {
			const path = `leak-${paths.length}`;
			const webhook: WorkflowNode = {
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: { httpMethod: 'POST', path, responseMode, options: {} },
				webhookId: path,
			} as WorkflowNode;
			const respond: WorkflowNode = {
				name: 'Respond',
				type: 'n8n-nodes-base.respondToWebhook',
				typeVersion: 1.1,
				parameters: { respondWith: 'allIncomingItems', options: {} },
			};
			const named = [webhook, { ...node, onError }, ...(responseMode === 'responseNode' ? [respond] : [])].map(
				(one) => ({ ...one, name: `${one.name} ${path}` }),
			);
			const { nodes, connections } = inARow(path, named);
			answers.nodes.push(...nodes);
			Object.assign(answers.connections, connections);
			paths.push(path);
		}
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-leaks-'));
	bank = hostileBank().listen(await freePort(), '127.0.0.1');
	const address = bank.address();
	const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
	settings = {
		userFolder: join(folder, 'main'),
		port: await freePort(),
		encryptionKey: randomBytes(16).toString('hex'),
		packages: [{ name: 'n8n-nodes-bank', dir: nodesPackageDir }],
		editor: false,
		env: { ...lazyEngine, N8N_LOG_LEVEL: 'debug' },
		logFile: join(folder, 'n8n.log'),
	};
	const common = {
		environment: 'sandbox',
		sandboxBaseUrl: url,
		accessTokenUrl: `${url}/token`,
		clientId: 'the-client',
	};
	const gateway = {
		useGateway: true,
		gatewayClientId: planted.gatewayId,
		gatewayClientIdHeader: 'X-Renamed-Id',
		gatewayClientSecret: planted.gatewaySecret,
		gatewayKeyHeader: 'X-Renamed-Key',
	};
	const credentials = ['bankClientCredentialsOAuth2Api', 'bankAuthorizationCodeOAuth2Api', 'bankGatewayApi'].map(
		(type) => ({
			id: type,
			name: type,
			type,
			data: {
				...common,
				...gateway,
				clientSecret: planted.clientSecret,
				oauthTokenData: { access_token: planted.oauthToken, refresh_token: planted.refreshToken, token_type: 'Bearer' },
			},
		}),
	);
	const inbound = {
		id: 'inbound',
		name: 'inbound',
		type: 'bankInboundApi',
		data: {
			checks: ['header', 'signature'],
			headerName: 'X-Courier-Key',
			headerSecret: planted.headerOfCourier,
			signatureHeader: 'X-Signature',
			signatureSecret: planted.hmacOfCourier,
		},
	};
	await importCredentials(settings, [...credentials, inbound]);
	for (const onError of ['stopWorkflow', 'continueRegularOutput'])
		for (const [type, credential, parameters] of calls) {
			const node: WorkflowNode = {
				name: 'Call',
				type: `n8n-nodes-bank.${type}`,
				typeVersion: 1,
				parameters,
				credentials: { [credential]: { id: credential, name: credential } },
				onError,
			};
			const input = onError === 'stopWorkflow' ? undefined : itemsOfOne;
			workflows.push(afterAClick(`${type} ${onError}`, [node], input));
			if (onError === 'stopWorkflow') answersOf(node);
		}
	// Whoever makes workflows may point other nodes at another host.
	for (const credential of ['bankClientCredentialsOAuth2Api', 'bankAuthorizationCodeOAuth2Api', 'bankGatewayApi'])
		workflows.push(
			afterAClick(`elsewhere with ${credential}`, [
				{
					name: 'Call',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					parameters: {
						url: `${url.replace('127.0.0.1', 'localhost')}/elsewhere`,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: credential,
					},
					credentials: { [credential]: { id: credential, name: credential } },
				},
			]),
		);
	const courier: WorkflowNode = {
		name: 'Courier',
		type: 'n8n-nodes-bank.bankCourierOrderTrigger',
		typeVersion: 2,
		parameters: { pathPrefix: 'leaks', identifierField: 'id' },
		credentials: { bankInboundApi: { id: 'inbound', name: 'inbound' } },
		webhookId: 'leaks-courier',
	} as WorkflowNode;
	const orders = inARow('orders', [
		courier,
		{ name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
	]);
	paths.push(ordersPath);
	listening.push({ ...inARow('answers', []), ...answers }, orders);
	n8n = await startN8n(settings);
	rest = new N8nRest(n8n.url);
	await rest.setUpOwner({ email: 'owner@n8n-nodes-bank.example', password: `Test-1${randomBytes(8).toString('hex')}` });
	for (const workflow of [...workflows, ...listening]) await rest.createWorkflow(workflow);
});

afterAll(async () => {
	await n8n?.stop();
	bank?.close();
	await rm(folder, { recursive: true, force: true });
});

async function filesBelow(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('n8n stores and logs nothing of them, and its HTTP Request node takes them to no other host', async () => {
	const elsewhere: string[] = [];
	bank.prependListener('request', (request: IncomingMessage) => {
		if (request.url === '/elsewhere') elsewhere.push(JSON.stringify(request.headers));
	});
	const shown: string[] = [];
	for (const { id } of listening) expect(await rest.activateToEnd(id)).toEqual({ active: true, message: '' });
	await inParallel(paths, 4, async (path) => {
		const answer = await fetch(`${n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				// n8n's own Webhook node keeps all headers.
				...(path === ordersPath ? { 'X-Courier-Key': planted.headerOfCourier, 'X-Signature': 'forged' } : {}),
			},
			body: JSON.stringify({ id: `order of ${path}` }),
		});
		shown.push(`${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`);
	});
	// Something was answered, and not only that there is nothing.
	expect(shown.filter((answer) => / 404 /.test(answer))).toEqual([]);
	let failures = 0;
	const twice = [...workflows, ...workflows.filter(({ name }) => name.endsWith('stopWorkflow'))];
	await inParallel(twice, 4, async ({ id, name }) => {
		const execution = await rest.runToEnd(id);
		shown.push(JSON.stringify(execution));
		if (name.startsWith('elsewhere')) expect([name, execution.status]).toEqual([name, 'error']);
		const refused = itemsOf(execution, 'Call').filter(({ error }) => error !== undefined).length;
		failures += refused + (execution.status === 'error' ? 1 : 0);
	});
	expect(failures).toBeGreaterThan(100);
	expect(elsewhere).toEqual([]);
	await n8n.stop();

	const places = new Map<string, string>([['the interface', shown.join('\n')]]);
	for (const file of await filesBelow(folder))
		if (!file.includes('/node_modules/')) places.set(file, (await readFile(file)).toString('latin1'));
	expect([...places.keys()].some((file) => file.endsWith('database.sqlite'))).toBe(true);
	expect(places.get(join(folder, 'n8n.log'))).toContain('debug');
	const found: string[] = [];
	for (const [place, text] of places)
		for (const [name, value] of Object.entries(planted))
			for (const encode of encodings) {
				const at = text.indexOf(encode(value));
				if (at >= 0) found.push(`${name} in ${place}: ${text.slice(Math.max(0, at - 80), at + 80)}`);
			}
	expect(found).toEqual([]);
});
