// How many deliveries the Bank Trigger takes in, against n8n's own Webhook node, in turn in one n8n:
// `node src/bench/triggers.ts [deliveries] [rounds]`.
// Nothing passes or fails by time. It does fail when a delivery is not accepted or does not start a workflow: there is
// nothing to compare then.
import { randomBytes } from 'node:crypto';

import { demoReferences } from '../demoCredentials.ts';
import { ensureN8nInstalled } from '../n8nInstall.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { pollUntil } from '../poll.ts';
import { type Testbed, startTestbed } from '../testbed.ts';
import { inARow } from '../workflows.ts';

const [deliveries = 500, repetitions = 4] = process.argv.slice(2).map(Number);
const parallel = 50;
const secret = randomBytes(16).toString('hex');

interface Contender {
	name: string;
	workflowId: string;
	url: string;
	/** What each delivery carries so that it is let in. */
	headersFor?: (body: string) => Record<string, string>;
}

interface Round {
	/** Until the last delivery was answered. */
	answered: number;
	/** Until the last workflow had run as well. */
	run: number;
}

/** As n8n comes, and with the setting that makes it wait with the isolate until an expression needs one. */
const settings: [string, Record<string, string>][] = [
	['n8n as it comes', {}],
	['n8n with N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

await ensureN8nInstalled();
for (const [title, env] of settings) {
	// Stops with this process, whatever ends it: see takeChildrenAlongOnSignals.
	const testbed = await startTestbed({ env });
	try {
		console.log(`\n${title}\n`);
		await main(testbed);
	} finally {
		await testbed.stop();
	}
}

async function main({ rest, n8n, sandbox }: Testbed) {
	const webhook: Contender = { name: 'Webhook', workflowId: 'benchWebhook', url: `${n8n.url}/webhook/bench` };
	await activate(
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: 'bench',
			parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
		},
		webhook.workflowId,
	);
	const open = await bank('Bank Trigger', 'jp_sbp_incoming_payments', '00000000-0000-4000-8000-00000000b002', false);
	const signed = await bank(
		'Bank Trigger, signature checked',
		'ul_transaction_default',
		'00000000-0000-4000-8000-00000000a001',
		true,
	);

	console.log(
		`${repetitions} rounds of ${deliveries} deliveries each, ${parallel} at a time, in turn; the first of each does not count …\n`,
	);
	// n8n spares its own Webhook node, from version 2 on, the isolate for expressions that it makes for every other trigger at each
	// delivery; no node of anybody else's can have that. Version 1 gets one, so it shows what is the node's own doing.
	const isolated: Contender = {
		name: 'Webhook, version 1',
		workflowId: 'benchWebhook1',
		url: `${n8n.url}/webhook/bench1`,
	};
	await activate(
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 1,
			webhookId: 'bench1',
			parameters: { httpMethod: 'POST', path: 'bench1', responseMode: 'onReceived', options: {} },
		},
		isolated.workflowId,
	);
	// A sender check costs the reading of a credential, whoever makes it.
	const checked: Contender = {
		name: 'Webhook, header checked',
		workflowId: 'benchWebhookChecked',
		url: `${n8n.url}/webhook/bench2`,
		headersFor: () => ({ 'x-bench': secret }),
	};
	const credential = await rest.createCredential({
		name: 'Header',
		type: 'httpHeaderAuth',
		data: { name: 'x-bench', value: secret },
	});
	await activate(
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: 'bench2',
			parameters: {
				httpMethod: 'POST',
				path: 'bench2',
				responseMode: 'onReceived',
				authentication: 'headerAuth',
				options: {},
			},
			credentials: { httpHeaderAuth: { id: credential.id, name: 'Header' } },
		},
		checked.workflowId,
	);
	const contenders = [webhook, isolated, checked, open, signed];
	const rounds = contenders.map((): Round[] => []);
	for (let count = 0; count <= repetitions; count++) {
		// In another order every time: whatever one leaves behind meets each of the others.
		for (const index of contenders.keys()) {
			const turn = (index + count) % contenders.length;
			const round = await measure(contenders[turn] as Contender, count);
			if (count > 0) rounds[turn]?.push(round);
			console.error(
				`${contenders[turn]?.name}: answered in ${round.answered.toFixed(0)} ms, run in ${round.run.toFixed(0)} ms`,
			);
		}
	}
	const [base = []] = rounds;
	const rate = (list: Round[], of: keyof Round) => (1000 * deliveries) / median(list.map((round) => round[of]));
	const rows = contenders.map(({ name }, index) => {
		const list = rounds[index] ?? [];
		const ratios = (of: keyof Round) => list.map((round, at) => (base[at]?.[of] ?? Number.NaN) / round[of]);
		const cell = (of: keyof Round) =>
			`${rate(list, of).toFixed(0)}/s   ${median(ratios(of)).toFixed(2)} ` +
			`(${Math.min(...ratios(of)).toFixed(2)} to ${Math.max(...ratios(of)).toFixed(2)})`;
		return [name, cell('answered'), cell('run')];
	});
	const all = [['', 'answered, × Webhook', 'answered and run, × Webhook'], ...rows];
	const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	for (const row of all)
		console.log(
			row
				.map((text, column) => text.padEnd(widths[column] ?? 0))
				.join('   ')
				.trimEnd(),
		);
	console.log('\nMedians; in brackets the lowest and the highest ratio of rounds that stood beside each other.');

	async function bank(
		name: string,
		object: 'ul_transaction_default' | 'jp_sbp_incoming_payments',
		id: string,
		sign: boolean,
	): Promise<Contender> {
		const workflowId = sign ? 'benchBankSigned' : 'benchBank';
		await activate(
			{
				name: 'Bank Trigger',
				type: 'n8n-nodes-bank.bankTrigger',
				typeVersion: 2,
				webhookId: workflowId,
				parameters: { id, object, verifySender: sign, options: {} },
				credentials: { ...demoReferences.authorizationCode, ...(sign ? demoReferences.inbound : {}) },
			},
			workflowId,
		);
		const url =
			(await sandbox.admin.state()).webhooks.find((subscription) => subscription.object === object)?.callbackUri ?? '';
		return { name, workflowId, url, ...(sign ? { headersFor: (body) => sandbox.admin.signatureOf(body) } : {}) };
	}

	async function activate(trigger: WorkflowNode, id: string) {
		const seen: WorkflowNode = { name: 'Seen', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
		const file = { ...inARow(id, [trigger, seen]), id };
		await rest.createWorkflow(file);
		const { active, message } = await rest.activateToEnd(id);
		if (!active) throw new Error(message);
	}

	async function measure({ name, workflowId, url, headersFor }: Contender, round: number): Promise<Round> {
		const bodies = Array.from({ length: deliveries }, () => bodyOf());
		const requests = bodies
			.map((body) => ({ body, headers: { 'content-type': 'application/json', ...headersFor?.(body) } }))
			.values();
		const before = performance.now();
		await Promise.all(
			Array.from({ length: parallel }, async () => {
				for (const init of requests) {
					const answer = await fetch(url, { method: 'POST', ...init });
					await answer.arrayBuffer();
					if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
				}
			}),
		);
		const answered = performance.now() - before;
		const expected = deliveries * (round + 1);
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
		await pollUntil(
			async () =>
				(await rest.request<{ count: number }>('GET', `/rest/executions?limit=1&filter=${filter}`)).count >= expected
					? true
					: undefined,
			{
				what: `${expected} executions of ${name}`,
				timeoutMs: 120_000,
				intervalMs: 50,
			},
		);
		return { answered, run: performance.now() - before };
	}
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

function median(numbers: number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
