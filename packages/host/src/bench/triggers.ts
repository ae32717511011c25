import { randomBytes } from 'node:crypto';

import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { pollUntil } from '../poll.ts';
import { lazyEngine, type Testbed, startTestbed } from '../testbed.ts';
import { inARow } from '../workflows.ts';
import type { Beds } from './bed.ts';
import type { Row, Side } from './measure.ts';

/** How many deliveries a trigger takes in. It fails when a delivery is not accepted or does not start a workflow. */

const deliveries = 200;
const parallel = 50;

interface Contender {
	workflowId: string;
	url: string;
	/** How many deliveries it has had. */
	sent: number;
}

const testbeds = new Map<string, Promise<Testbed>>();

async function testbedWith(env: Record<string, string>, beds: Beds): Promise<Testbed> {
	const key = JSON.stringify(env);
	const testbed = testbeds.get(key) ?? startTestbed({ env });
	testbeds.set(key, testbed);
	const { stop } = await testbed;
	beds.closing(stop);
	return await testbed;
}

/** What both triggers are like. */
interface Setup {
	/** From version 2 on n8n's own node gets no engine for expressions at a delivery, which every other trigger gets. */
	webhookVersion: number;
	/** Whether both check a secret in a header. Otherwise nothing is checked, and n8n's own node has no credential. */
	secret?: boolean;
}

const header = { name: 'x-secret', value: randomBytes(12).toString('hex') };

async function webhook(testbed: Testbed, { webhookVersion, secret = false }: Setup): Promise<Contender> {
	const path = randomBytes(6).toString('hex');
	const authentication = secret ? 'headerAuth' : 'none';
	const node: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: webhookVersion,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, authentication, responseMode: 'onReceived', options: {} },
		credentials: secret ? await credential(testbed, 'httpHeaderAuth', header) : {},
	};
	return { workflowId: await activated(testbed, node), url: `${testbed.n8n.url}/webhook/${path}`, sent: 0 };
}

async function bankTrigger(testbed: Testbed, { secret = false }: Setup): Promise<Contender> {
	const object = 'ul_transaction_default';
	const inbound = { checks: ['header'], headerName: header.name, headerSecret: header.value };
	const node: WorkflowNode = {
		name: 'Bank Trigger',
		type: 'n8n-nodes-bank.bankTrigger',
		typeVersion: 2,
		webhookId: randomBytes(6).toString('hex'),
		parameters: { id: '00000000-0000-4000-8000-00000000a001', object, verifySender: secret, options: {} },
		credentials: {
			...demoReferences.authorizationCode,
			...(secret ? await credential(testbed, 'bankInboundApi', inbound) : {}),
		},
	};
	const workflowId = await activated(testbed, node);
	const { webhooks } = await testbed.sandbox.admin.state();
	return {
		workflowId,
		url: webhooks.find((subscription) => subscription.object === object)?.callbackUri ?? '',
		sent: 0,
	};
}

async function credential({ rest }: Testbed, type: string, data: Record<string, unknown>) {
	const { id, name } = await rest.createCredential({ name: 'Senders', type, data });
	return { [type]: { id, name } };
}

async function activated({ rest }: Testbed, trigger: WorkflowNode): Promise<string> {
	const seen: WorkflowNode = { name: 'Seen', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const file = inARow(trigger.name, [trigger, seen]);
	await rest.createWorkflow(file);
	const { active, message } = await rest.activateToEnd(file.id);
	if (!active) throw new Error(message);
	return file.id;
}

/** Answered deliveries a second. The next round begins when all of them have run as well. */
async function rateOf({ rest }: Testbed, contender: Contender): Promise<number> {
	const bodies = Array.from({ length: deliveries }, bodyOf).values();
	const before = performance.now();
	await Promise.all(
		Array.from({ length: parallel }, async () => {
			for (const body of bodies) {
				const headers = { 'content-type': 'application/json', [header.name]: header.value };
				const answer = await fetch(contender.url, { method: 'POST', headers, body });
				await answer.arrayBuffer();
				if (!answer.ok) throw new Error(`${contender.url} answered ${answer.status}`);
			}
		}),
	);
	const rate = (1000 * deliveries) / (performance.now() - before);
	contender.sent += deliveries;
	const filter = encodeURIComponent(JSON.stringify({ workflowId: contender.workflowId, status: ['success'] }));
	const succeeded = async () =>
		(await rest.request<{ count: number }>('GET', `/rest/executions?limit=1&filter=${filter}`)).count;
	await pollUntil(async () => ((await succeeded()) >= contender.sent ? true : undefined), {
		what: `${contender.sent} executions`,
		timeoutMs: 120_000,
		intervalMs: 50,
	});
	return rate;
}

/** As much as an event of the sandbox, and like no other. */
function bodyOf(): string {
	const data = {
		id: randomBytes(12).toString('hex'),
		account: '40702810000000000001',
		direction: 'INCOME',
		amount: { value: 100000, currency: 'RUB', minorUnits: 100 },
		counterparty: { name: 'Invented Customer LLC', accountNumber: '40702810000000009999' },
		purpose: 'Contract FAKE-000001',
	};
	return JSON.stringify({
		actionType: 'create',
		eventTime: new Date().toISOString(),
		object: 'ul_transaction_default',
		sub: 'sandbox-owner',
		organizationId: 'fake-organization-0001',
		data,
	});
}

const deliveriesRow = (setting: string, target: string, env: Record<string, string>, setup: Setup): Row => ({
	group: 'deliveries',
	name: `Deliveries a second, 50 at once, ${setting}`,
	against: `n8n's Webhook node, version ${setup.webhookVersion}${setup.secret === true ? ', Header Auth' : ''}`,
	target,
	async sides(beds) {
		const testbed = await testbedWith(env, beds);
		const [mine, theirs] = [await bankTrigger(testbed, setup), await webhook(testbed, setup)];
		const side =
			(contender: Contender): Side =>
			async () =>
				await rateOf(testbed, contender);
		return { ours: side(mine), other: side(theirs) };
	},
});

export const triggerRows: Row[] = [
	deliveriesRow('default settings', 'best possible', {}, { webhookVersion: 2 }),
	// It gets an engine at each delivery, as every trigger does but its later versions: what n8n's share of the row above is.
	deliveriesRow('default settings, another with an engine', '>= 1.0', {}, { webhookVersion: 1 }),
	deliveriesRow('LAZY_ACQUIRE', '>= 1.0', lazyEngine, { webhookVersion: 2 }),
	// As the Bank Trigger has one anyhow, with which it registers its address: what n8n's share of the row above is.
	deliveriesRow('LAZY_ACQUIRE, both with a secret', '>= 1.0', lazyEngine, { webhookVersion: 2, secret: true }),
];
