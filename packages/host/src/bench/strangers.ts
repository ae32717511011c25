import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { freePort } from '../ports.ts';
import { lazyEngine, type Testbed, startTestbed } from '../testbed.ts';
import { inARow } from '../workflows.ts';
import { inspect } from './profile.ts';

/**
 * What strangers leave in n8n's memory: `node src/bench/strangers.ts bank|courier|webhook [posts] [default]`, with n8n's default settings
 * where that is said, else with engines for expressions only where one is needed. What n8n holds after a forced collection, before and
 * after each eighth of the posts. n8n's own Webhook node is the comparison: it refuses by a header what ours refuse or have already.
 */

const [kind = 'bank', posts = '10000', settings] = process.argv.slice(2);
const parallel = 40;
const path = randomBytes(6).toString('hex');
const headerSecret = { name: 'x-secret', value: randomBytes(12).toString('hex') };

interface Post {
	what: string;
	body: string;
	/** Whether it has the sender's signature. */
	isSigned: boolean;
	/** Whether ours refuse it, or have it already. */
	isRefused: boolean;
	drips?: boolean;
}

const event = (eventId: string, object = 'ul_transaction_default') =>
	JSON.stringify({ eventId, object, data: { purpose: 'p'.repeat(300) } });
const large = 'x'.repeat(8 * 1024 * 1024);
const deep = '['.repeat(20_000) + ']'.repeat(20_000);

/** Of a hundred posts in a row, so many of each kind. */
function postOf(index: number): Post {
	const [id, place] = [`event ${index}`, index % 100];
	const signed = { isSigned: true, isRefused: false };
	if (place < 3) return { what: '8 MB id', body: event(id + large), isSigned: place === 0, isRefused: true };
	if (place < 25) return { what: 'forged', body: event(id), isSigned: false, isRefused: true };
	if (place < 40) return { ...signed, what: 'repeated', body: event(`event ${index - place + 50}`), isRefused: true };
	if (place < 46) return { ...signed, what: 'deep', body: `{"eventId":"${id}","x":${deep}}`, isRefused: true };
	if (place < 47) return { ...signed, what: 'drip by drip', body: event(id), drips: true };
	if (place < 55) return { ...signed, what: 'unknown object', body: event(id, `unknown ${index}`) };
	return { ...signed, what: 'valid', body: event(id) };
}

async function send(url: string, { body, drips }: Post, headers: Record<string, string>): Promise<number> {
	const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
	const answered = new Promise<number>((resolve, reject) => {
		sent.once('error', reject);
		sent.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)));
	});
	for (const drop of drips === true ? (body.match(/.{1,60}/gs) ?? []) : [body]) {
		sent.write(drop);
		if (drips === true) await sleep(300);
	}
	sent.end();
	return await answered;
}

async function triggerOf({ rest }: Testbed): Promise<WorkflowNode> {
	const common = { name: 'Trigger', webhookId: path, typeVersion: 2 };
	if (kind === 'webhook') {
		const { id } = await rest.request<{ id: string }>('POST', '/rest/credentials', {
			name: 'The secret of callers',
			type: 'httpHeaderAuth',
			data: headerSecret,
		});
		const parameters = {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			authentication: 'headerAuth',
			options: {},
		};
		const credentials = { httpHeaderAuth: { id, name: 'The secret of callers' } };
		return { ...common, type: 'n8n-nodes-base.webhook', parameters, credentials };
	}
	if (kind === 'courier') {
		const parameters = { identifierField: 'eventId', requiredFields: [], verifySender: true };
		return {
			...common,
			type: 'n8n-nodes-bank.bankCourierOrderTrigger',
			parameters,
			credentials: demoReferences.inbound,
		};
	}
	const id = '00000000-0000-4000-8000-00000000a001';
	return {
		...common,
		type: 'n8n-nodes-bank.bankTrigger',
		parameters: { id, object: 'ul_transaction_default', verifySender: true },
		credentials: { ...demoReferences.authorizationCode, ...demoReferences.inbound },
	};
}

async function addressOf({ n8n, sandbox }: Testbed): Promise<string> {
	if (kind === 'webhook') return `${n8n.url}/webhook/${path}`;
	if (kind === 'courier') return `${n8n.url}/webhook/deliveryapi/order`;
	const { webhooks } = await sandbox.admin.state();
	return webhooks.find(({ object }) => object === 'ul_transaction_default')?.callbackUri ?? '';
}

async function measure(testbed: Testbed, inspectorPort: number): Promise<void> {
	const { rest, sandbox } = testbed;
	const seen: WorkflowNode = { name: 'Seen', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const file = inARow(kind, [await triggerOf(testbed), seen]);
	await rest.createWorkflow(file);
	const { active, message } = await rest.activateToEnd(file.id);
	if (!active) throw new Error(message);

	const url = await addressOf(testbed);
	const { header, algorithm, encoding, prefix, secret } = sandbox.admin.signing;
	const headersOf = ({ body, isSigned, isRefused }: Post): Record<string, string> => {
		if (kind === 'webhook') return { [headerSecret.name]: isRefused ? 'forged' : headerSecret.value };
		const key = isSigned ? secret : 'forged';
		return { [header]: prefix + createHmac(algorithm, key).update(body).digest(encoding) };
	};
	const inspector = await inspect(inspectorPort);
	const tell = async (after: number) => {
		const memory = Object.entries(await inspector.memory());
		console.log(after, memory.map(([name, bytes]) => `${name} ${Math.round(bytes / 1024 ** 2)} MB`).join(', '));
	};
	await tell(0);
	const answers = new Map<string, number>();
	let next = 0;
	for (let eighth = 1; eighth <= 8; eighth++) {
		const end = (Number(posts) * eighth) / 8;
		const sendOn = async () => {
			while (next < end) {
				const post = postOf(next++);
				const answer = `${post.what}: ${await send(url, post, headersOf(post))}`;
				answers.set(answer, (answers.get(answer) ?? 0) + 1);
			}
		};
		await Promise.all(Array.from({ length: parallel }, sendOn));
		await tell(next);
	}
	console.log(Object.fromEntries(answers));
	inspector.close();
}

const inspectorPort = await freePort();
const engine = settings === 'default' ? {} : lazyEngine;
const testbed = await startTestbed({ env: { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`, ...engine } });
try {
	await measure(testbed, inspectorPort);
} finally {
	await testbed.stop();
}
