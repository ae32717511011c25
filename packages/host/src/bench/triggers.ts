import { randomBytes } from 'node:crypto';

import { demoReferences } from '../demoCredentials.ts';
import { inParallel } from '../inParallel.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { pollUntil } from '../poll.ts';
import { cleanups } from '../steps.ts';
import { type Testbed, startTestbed } from '../testbed.ts';
import { inARow, noOp } from '../workflows.ts';
import type { Row, Side } from './measure.ts';

/** Deliveries per second that a trigger accepts. Fails if a delivery is rejected or starts no workflow. */

const deliveries = 200;
const parallel = 50;

interface Contender {
	workflowId: string;
	url: string;
	/** Number of deliveries sent so far. */
	sent: number;
}

async function webhook(testbed: Testbed, typeVersion: number): Promise<Contender> {
	const path = randomBytes(6).toString('hex');
	const node: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, authentication: 'none', responseMode: 'onReceived', options: {} },
	};
	return { workflowId: await activated(testbed, node), url: `${testbed.n8n.url}/webhook/${path}`, sent: 0 };
}

async function bankTrigger(testbed: Testbed): Promise<Contender> {
	const object = 'ul_transaction_default';
	const node: WorkflowNode = {
		name: 'Bank Trigger',
		type: 'n8n-nodes-bank.bankTrigger',
		typeVersion: 2,
		webhookId: randomBytes(6).toString('hex'),
		parameters: { id: '00000000-0000-4000-8000-00000000a001', object, verifySender: false, options: {} },
		credentials: demoReferences.authorizationCode,
	};
	const workflowId = await activated(testbed, node);
	const { webhooks } = await testbed.sandbox.state();
	return {
		workflowId,
		url: webhooks.find((subscription) => subscription.object === object)?.callbackUri ?? '',
		sent: 0,
	};
}

async function activated({ rest }: Testbed, trigger: WorkflowNode): Promise<string> {
	const file = inARow(trigger.name, [trigger, noOp]);
	await rest.createWorkflow(file);
	const { active, message } = await rest.activateToEnd(file.id);
	if (!active) throw new Error(message);
	return file.id;
}

/** Accepted deliveries per second. The next round starts when all executions have ended. */
async function rateOf({ rest }: Testbed, contender: Contender): Promise<number> {
	const bodies = Array.from({ length: deliveries }, bodyOf);
	const before = performance.now();
	await inParallel(bodies, parallel, async (body) => {
		const headers = { 'content-type': 'application/json' };
		const answer = await fetch(contender.url, { method: 'POST', headers, body });
		await answer.arrayBuffer();
		if (!answer.ok) throw new Error(`${contender.url} answered ${answer.status}`);
	});
	const rate = (1000 * deliveries) / (performance.now() - before);
	contender.sent += deliveries;
	const { workflowId } = contender;
	const haveEnded = async () => (await rest.executions({ workflowId, status: ['success'] }, 1)).count >= contender.sent;
	await pollUntil(haveEnded, { what: `${contender.sent} executions`, intervalMs: 50 });
	return rate;
}

/** A unique body of the size of a sandbox event. */
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

let testbed: Testbed | undefined;

async function open(): Promise<Testbed> {
	const started = await startTestbed();
	cleanups.push(started.stop);
	return started;
}

/**
 * @param webhookVersion before version 2, n8n uses an expression engine for each delivery to its own Webhook node, as for other
 * triggers
 */
const deliveriesRow = (setting: string, webhookVersion: number, target?: string): Row => ({
	name: `Deliveries a second, 50 at once, ${setting}`,
	against: `n8n's Webhook node, version ${webhookVersion}`,
	target,
	async sides() {
		testbed ??= await open();
		const started = testbed;
		const [mine, theirs] = [await bankTrigger(started), await webhook(started, webhookVersion)];
		const side =
			(contender: Contender): Side =>
			async () =>
				await rateOf(started, contender);
		return { ours: side(mine), other: side(theirs) };
	},
});

export const triggerRows: Row[] = [
	deliveriesRow('default settings', 2),
	deliveriesRow('default settings, another with an engine', 1, '>= 1.0'),
];
