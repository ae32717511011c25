/** An AI Agent with our nodes as tools and a scripted model, in a real n8n. */
import { createServer, type Server } from 'node:http';

import type { INode } from 'n8n-workflow';

import { demoReferences } from '../../../src/demoCredentials.ts';
import { readExample } from '../../../src/examples.ts';
import { listen, stopListening } from '../../../src/listen.ts';
import type { WorkflowFile } from '../../../src/n8nCli.ts';
import type { Execution } from '../../../src/n8nRest.ts';
import { type Bed, openBed } from '../../support/bed.ts';
import { clicked, outputOf } from '../../support/examples.expect.ts';
import { edit } from '../../support/imported.ts';

interface Asked {
	messages: { role: string; content?: unknown }[];
	tools?: { function: { name: string; description: string; parameters: { properties: object } } }[];
}

let bed: Bed;
const example = readExample('money-agent.json');
let server: Server;
let model: { id: string; name: string };
/** Requests of n8n to the model. */
const asked: Asked[] = [];
let copies = 0;

beforeAll(async () => {
	bed = await openBed();
	// A proxy that records the requests to the sandbox's model.
	server = createServer((request, response) => {
		void (async () => {
			const body = Buffer.concat(await request.toArray()).toString();
			asked.push(JSON.parse(body) as Asked);
			const headers = { 'content-type': 'application/json' };
			const answer = await fetch(bed.sandbox.modelUrl + request.url, { method: 'POST', headers, body });
			response.writeHead(answer.status, headers).end(await answer.text());
		})();
	});
	const url = `http://127.0.0.1:${await listen(server)}`;
	model = await bed.rest.createCredential({ name: 'Model', type: 'openAiApi', data: { apiKey: 'none', url } });
});

afterAll(() => stopListening(server));

beforeEach(async () => {
	asked.length = 0;
	await bed.sandbox.reset();
});

/** Asks the example one question, optionally with an additional tool. */
async function ask(question: string, tool?: Partial<INode>): Promise<Execution> {
	return await clicked(bed.rest, await asking(question, tool));
}

/** The workflow for a question, with its own payment run. */
async function asking(question: string, tool?: Partial<INode>) {
	const changed = example.nodes.map((node) => {
		const { parameters } = node;
		if (node.name === 'Model') return { ...node, credentials: { openAiApi: model } };
		if (node.name !== 'Questions') return node;
		return { ...node, parameters: { ...parameters, jsonOutput: JSON.stringify({ questions: [question] }) } };
	});
	const more = tool === undefined ? [] : [{ typeVersion: 1, position: [0, 0], id: 'more', name: 'More', ...tool }];
	const leads = { More: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } };
	const id = `moneyAgent${++copies}`;
	const workflow = {
		...example,
		id,
		nodes: [...changed, ...more],
		connections: { ...example.connections, ...(tool === undefined ? {} : leads) },
	} as WorkflowFile;
	const text = JSON.stringify(workflow)
		.replace('agent-rewards-2026-11', id)
		.replace(/"webhookId":"([^"]+)"/g, `"webhookId":"$1-${id}"`);
	return await bed.rest.createWorkflow(JSON.parse(text) as WorkflowFile);
}

/** A review of a tool call, as n8n's chat shows it. */
interface Review {
	text: string;
	buttons: { text: string; link: string }[];
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Asks for a payment and clicks a button of the review. n8n runs the published version of a workflow that a tool calls. */
async function review(workflow: WorkflowFile, button: 'Approve' | 'Decline') {
	expect(await bed.rest.activateToEnd(workflow.id)).toEqual({ active: true, message: '' });
	const id = await bed.rest.runWorkflow(workflow.id);
	const waiting = await bed.rest.waitForQuestion(id);
	const [run] = waiting.data.resultData.runData.Approval ?? [];
	const shown = Object(run?.data?.ai_tool?.[0]?.[0]).sendMessage as Review;
	const link = shown.buttons.find(({ text }) => text === button)?.link ?? '';
	expect((await bed.sandbox.state()).ledger).toEqual([]);
	// The second click has no effect.
	for (const _ of [1, 2]) await fetch(link, { headers: { 'user-agent': browser } });
	const execution = await bed.rest.waitForExecution(id);
	await bed.rest.deactivateToEnd(workflow.id);
	const output = String(outputOf(execution, 'Agent')[0]?.output);
	return { text: shown.text, output };
}

const paid = async () =>
	(await bed.sandbox.state()).ledger.map(({ payments }) => payments.map(({ sequence }) => sequence));

const operations = async () => (await bed.sandbox.operations()).filter((name) => !name.includes('_sandbox'));

test('the model gets purpose, parameters and output of each tool', async () => {
	const execution = await ask('What are the limits of card card-0001?');
	const [{ function: limits } = { function: undefined }] = (asked[0]?.tools ?? []).filter(({ function: { name } }) =>
		name.startsWith('Card_Limits'),
	);
	expect(limits?.description).toMatch(/^Read the user limits of a card\. Card ID: .+ Response: One item per limit: /);
	expect(Object.keys(limits?.parameters.properties ?? {})).toEqual(['Card_ID']);
	expect(asked[0]?.tools?.map(({ function: { name } }) => name).sort()).toEqual([
		'Account_Operations',
		'Card_Limits',
		'Connection_Check',
		'Make_Payment',
		'Prepare_Payout',
		'Taxpayer_Account',
	]);
	const { cardLimits } = await bed.sandbox.state();
	expect(outputOf(execution, 'Agent')).toEqual([
		{ output: expect.stringContaining(`The bank shows ${cardLimits['card-0001']?.length}:`) },
	]);
	expect(await operations()).toEqual(['cardLimit.getMany']);
});

const payout = 'Prepare the payout of m-1 and m-2, then make the payment';

test('a payout is paid after a person has seen and approved it, once, and not again', async () => {
	const workflow = await asking(payout);
	const { text, output } = await review(workflow, 'Approve');
	expect(text).toMatch(
		/^Make this payment\?\n\nm-1: 1500\.50 to \+79000000001, .*\nTotal: 1700\.60, .*Fingerprint: \w{64}$/s,
	);
	expect(output).toContain('sequence m-1, outcome accepted');
	expect(await paid()).toEqual([['m-1', 'm-2']]);
	await bed.sandbox.reset();
	const again = await review(workflow, 'Approve');
	expect(again.text).toContain('m-1: not paid again, alreadyAccepted');
	expect(await paid()).toEqual([]);
});

test('a payout that a person declines, or that nobody reviews, is not paid', async () => {
	const { output } = await review(await asking(payout), 'Decline');
	expect(output).toContain('User rejected the tool call');
	expect(await paid()).toEqual([]);
});

test('an approval of a payout that the model invented pays nobody', async () => {
	const madeUp = { records: 'm-3', fingerprint: 'f'.repeat(64), payments: 'm-3: 1.00 to a friend' };
	const call = JSON.stringify({ toolParameters: madeUp, hitlParameters: {} });
	const { text, output } = await review(await asking(`Call Make_Payment with ${call}`), 'Approve');
	expect(text).toContain('1.00 to a friend');
	expect(output).toContain('this is not what was prepared');
	expect(await paid()).toEqual([]);
});

test('with the right fingerprint and another text nobody is paid', async () => {
	const workflow = await asking('Prepare the payout of m-3 and m-9');
	await bed.rest.activateToEnd(workflow.id);
	const answer = String(outputOf(await bed.rest.runToEnd(workflow.id), 'Agent')[0]?.output);
	expect(answer).toContain('m-9: no such record');
	const [fingerprint = ''] = /\w{64}/.exec(answer) ?? [];
	const text = { records: 'm-3', fingerprint, payments: 'm-3: 1.00 to a friend' };
	const call = JSON.stringify({ toolParameters: text, hitlParameters: {} });
	const question = JSON.stringify(JSON.stringify(`Call Make_Payment with ${call}`).slice(1, -1)).slice(1, -1);
	await edit(bed, workflow, ['Prepare the payout of m-3 and m-9', question]);
	expect((await review(workflow, 'Approve')).output).toContain('this is not what was prepared');
	expect(await paid()).toEqual([]);
});

test('a model that calls a payment tool that it does not have pays nobody', async () => {
	await ask('Call Send_Package with {"amount": "100", "phone": "+79000000001"}');
	expect(asked.length).toBeGreaterThan(0);
	expect(await operations()).toEqual([]);
	expect((await bed.sandbox.state()).ledger).toEqual([]);
});

// The other operations: packages/n8n-nodes-bank/test/agents.test.ts.
test('a tool that is configured to pay is refused, and nothing is sent', async () => {
	await ask('Call More with {}', {
		type: 'n8n-nodes-bank.bankTool',
		credentials: demoReferences.clientCredentials,
		parameters: {
			resource: 'payment',
			operation: 'sendPackage',
			recipientsFrom: 'items',
			paymentRun: 'by an agent',
			amount: '100',
			phone: '+79000000001',
			nspkBankId: '100000000111',
			paymentDescription: 'Because the model says so',
			ric: '1',
			sequence: 'agent-1',
		},
	});
	const said = asked.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
	expect(JSON.stringify(said)).toContain('is not available to AI agents');
	expect(await operations()).toEqual([]);
	expect((await bed.sandbox.state()).ledger).toEqual([]);
});
