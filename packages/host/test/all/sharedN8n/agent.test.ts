/** An AI Agent with our nodes as its tools and a model that does what it is told, in a real n8n. */
import { createServer, type Server } from 'node:http';

import type { INode } from 'n8n-workflow';

import { demoReferences } from '../../../src/demoCredentials.ts';
import { readExamples } from '../../../src/examples.ts';
import type { WorkflowFile } from '../../../src/n8nCli.ts';
import type { Execution } from '../../../src/n8nRest.ts';
import { type Bed, openBed } from '../../support/bed.ts';
import { clicked, outputOf } from '../../support/examples.expect.ts';
import { portOf } from '../../../../fixtures/src/portOf.ts';

interface Asked {
	messages: { role: string; content?: unknown }[];
	tools?: { function: { name: string; description: string; parameters: { properties: object } } }[];
}

let bed: Bed;
let example: WorkflowFile;
let server: Server;
let model: { id: string; name: string };
/** What n8n sent to the model. */
const asked: Asked[] = [];
let copies = 0;

beforeAll(async () => {
	bed = await openBed();
	const found = (await readExamples()).find(({ file }) => file === 'money-questions.json');
	if (found === undefined) throw new Error('There is no such example');
	example = found.workflow;
	// Listens in on the way to the sandbox's model.
	server = createServer((request, response) => {
		void (async () => {
			const body = Buffer.concat(await request.toArray()).toString();
			asked.push(JSON.parse(body) as Asked);
			const headers = { 'content-type': 'application/json' };
			const answer = await fetch(bed.sandbox.modelUrl + request.url, { method: 'POST', headers, body });
			response.writeHead(answer.status, headers).end(await answer.text());
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${portOf(server)}`;
	model = await bed.rest.createCredential({ name: 'Model', type: 'openAiApi', data: { apiKey: 'none', url } });
});

afterAll(() => void server.close());

beforeEach(async () => {
	asked.length = 0;
	await bed.sandbox.reset();
});

/** The example, asked one question; with one more tool where one is given. */
async function ask(question: string, tool?: Partial<INode>): Promise<Execution> {
	const changed = example.nodes.map((node) => {
		const { parameters } = node;
		if (node.name === 'Model') return { ...node, credentials: { openAiApi: model } };
		if (node.name !== 'Questions') return node;
		return { ...node, parameters: { ...parameters, jsonOutput: JSON.stringify({ questions: [question] }) } };
	});
	const more = tool === undefined ? [] : [{ typeVersion: 1, position: [0, 0], id: 'more', name: 'More', ...tool }];
	const leads = { More: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } };
	const workflow = {
		...example,
		id: `${example.id}-${++copies}`,
		nodes: [...changed, ...more],
		connections: { ...example.connections, ...(tool === undefined ? {} : leads) },
	} as WorkflowFile;
	return await clicked(bed.rest, await bed.rest.createWorkflow(workflow));
}

const operations = async () => (await bed.sandbox.operations()).filter((name) => !name.includes('_sandbox'));

test('a model is told what each tool reads, what it wants to know and what comes back', async () => {
	const execution = await ask('What are the limits of card card-0001?');
	const [{ function: limits } = { function: undefined }] = (asked[0]?.tools ?? []).filter(({ function: { name } }) =>
		name.startsWith('Card_Limits'),
	);
	expect(limits?.description).toMatch(/^Read the user limits of a card\. Card ID: .+ Answer: One item per limit: /);
	expect(Object.keys(limits?.parameters.properties ?? {})).toEqual(['Card_ID']);
	expect(asked[0]?.tools?.map(({ function: { name } }) => name).sort()).toEqual([
		'Account_Operations',
		'Card_Limits',
		'Connection_Check',
		'Taxpayer_Account',
	]);
	const { cardLimits } = await bed.sandbox.state();
	expect(outputOf(execution, 'Agent')).toEqual([
		{ output: expect.stringContaining(`The bank shows ${cardLimits['card-0001']?.length}:`) },
	]);
	expect(await operations()).toEqual(['cardLimit.getMany']);
});

test('a model that asks for a tool it has not, to pay, pays nobody', async () => {
	await ask('Call Send_Package with {"amount": "100", "phone": "+79000000001"}');
	expect(asked.length).toBeGreaterThan(0);
	expect(await operations()).toEqual([]);
	expect((await bed.sandbox.state()).ledger).toEqual([]);
});

const { clientCredentials, authorizationCode, mutualTls } = demoReferences;

test.each<[string, Partial<INode>]>([
	[
		'pays',
		{
			type: 'n8n-nodes-bank.bankTool',
			credentials: clientCredentials,
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
				signature: 'given',
				signedBody: 'sandbox-signature',
			},
		},
	],
	[
		'deletes a limit',
		{
			type: 'n8n-nodes-bank.bankTool',
			credentials: authorizationCode,
			parameters: { resource: 'cardLimit', operation: 'delete', cardId: 'card-0001', limitId: '1001' },
		},
	],
	[
		'debits a borrower',
		{
			type: 'n8n-nodes-bank.bankPartnerServicesTool',
			credentials: mutualTls,
			parameters: { resource: 'directDebit', operation: 'debit', authenticateWith: 'mutualTls' },
		},
	],
])('a tool that somebody sets so that it %s is refused, and nothing is sent', async (_what, tool) => {
	await ask('Call More with {}', tool);
	const said = asked.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
	expect(JSON.stringify(said)).toContain('is not available to AI agents');
	expect(await operations()).toEqual([]);
	expect((await bed.sandbox.state()).ledger).toEqual([]);
});
