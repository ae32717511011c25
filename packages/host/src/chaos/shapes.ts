import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { hasJournal, type Kind, type Mode } from './cases.ts';

/** The workflows that payouts run in. What a case is comes with the call, so that one workflow serves many cases. */

export interface Payout {
	/** Where a case is begun. */
	file: WorkflowFile;
	/** Where it ends: the workflow that has the memory. The same one, but for a sub-workflow. */
	memory: WorkflowFile;
}

/** The payment nodes, by the names that they carry in every workflow. */
export const paymentNodes = ['Send', 'Copy', 'Final'] as const;

/** A Data Table that the nodes of some kinds write into. */
export const journalTable = 'Chaos journal';

/** Over and over at most once: an error output that leads back would never end. */
const again: WorkflowNode[] = [
	{
		name: 'Once',
		type: 'n8n-nodes-base.filter',
		typeVersion: 2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
				conditions: [
					{
						leftValue: '={{ $runIndex }}',
						rightValue: 1,
						operator: { type: 'number', operation: 'lt' },
					},
				],
				combinator: 'and',
			},
		},
	},
	{
		name: 'Same Rows',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: "={{ $('Rows').item.json }}", options: {} },
	},
];

export function payout(id: string, kind: Kind): Payout {
	const { shape, from, mode, retryOnFail } = kind;
	if (shape === 'debit')
		return same(
			workflow(
				id,
				chain([...called(id, 'call'), debitNode('Send', mode)]),
				chain([...called(id, 'final', 'Final '), debitNode('Final', 'continue')]),
			),
		);
	const memoryId = shape === 'subWorkflow' || shape === 'sharedMemory' ? `${id}-memory` : id;
	const guardWorkflow = shape === 'sharedMemory' ? memoryId : '';
	const journal = hasJournal(kind) ? journalTable : '';
	const send = sendNode('Send', from, mode, retryOnFail, { guardWorkflow, journal });
	// What was prepared is accounted for by its rows: the same payments, whichever way they come.
	const finalFrom = from === 'prepared' ? 'items' : from;
	const ends = [...called(memoryId, 'final', 'Final '), sendNode('Final', finalFrom, 'continue', false, { journal })];
	const isList = from === 'list';
	const finalChain = chain(ends.filter(({ name }) => !isList || name !== 'Final Rows'));
	const own = called(id, 'call').filter(({ name }) => !isList || name !== 'Rows');
	const plain = [...own, ...(from === 'prepared' ? [prepareNode] : []), send];
	switch (shape) {
		case 'plain':
			return same(workflow(id, chain(plain), finalChain));
		case 'copy': {
			const copy = sendNode('Copy', from, mode, retryOnFail);
			return same(workflow(id, chain(plain), { nodes: [copy], arrows: [['Rows', 'Copy', 0]] }, finalChain));
		}
		case 'loop':
			return same(
				workflow(
					id,
					chain(plain),
					{
						nodes: again,
						arrows: [
							['Send', 'Once', 1],
							['Once', 'Same Rows', 0],
							['Same Rows', 'Send', 0],
						],
					},
					finalChain,
				),
			);
		case 'sharedMemory':
			return { file: workflow(id, chain(plain)), memory: workflow(memoryId, finalChain) };
		case 'subWorkflow': {
			const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
			const memory = workflow(memoryId, chain([start, send]), finalChain);
			const execute: WorkflowNode = {
				...node('Pay', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: { __rl: true, mode: 'id', value: memory.id },
					mode: 'once',
					options: { waitForSubWorkflow: true },
				}),
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 50,
			};
			return { file: workflow(id, chain([...own, execute])), memory };
		}
	}
}

const same = (file: WorkflowFile): Payout => ({ file, memory: file });

/** A call that is answered at once with the number of the execution, and its rows. */
function called(id: string, path: 'call' | 'final', prefix = ''): WorkflowNode[] {
	return [
		{
			...node(`${prefix}Webhook`, 'n8n-nodes-base.webhook', 2, {
				httpMethod: 'POST',
				path: `${id}/${path}`,
				responseMode: 'responseNode',
				options: {},
			}),
			webhookId: `${id}-${path}`,
		},
		node(`${prefix}Respond`, 'n8n-nodes-base.respondToWebhook', 1.4, {
			respondWith: 'json',
			responseBody: '={{ { execution: $execution.id } }}',
			options: {},
		}),
		node(`${prefix}Rows`, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
	];
}

const header = {
	resource: 'payment',
	partnerId: '1001',
	inn: '7700000000',
	account: '40702810000000000001',
};

const recipient = (description: string) => ({
	amount: '={{ $json.amount }}',
	phone: '={{ $json.phone }}',
	nspkBankId: '100000000111',
	sequence: '={{ $json.sequence }}',
	paymentDescription: `={{ ${description} }}`,
	ric: '1',
});

/** Which run of which node sends this: the bank keeps it, and no identity contains it. */
const descriptionOf = (at: string, name: string, run: string) =>
	`${at}.mark + ' ' + $execution.id + ' ${name} ' + ${run} + ' ' + ${at}.sendAgain + ';'`;

const prepareNode: WorkflowNode = {
	...node('Prepare', 'n8n-nodes-bank.bank', 1, {
		...header,
		operation: 'preparePackage',
		paymentRun: '={{ $json.run }}',
		recipientsFrom: 'items',
		...recipient(descriptionOf('$json', 'Send', '0')),
		options: { packagePerItem: '={{ $json.packagePerItem }}', maxPayments: '={{ $json.maxPayments }}' },
	}),
	credentials: demoReferences.clientCredentials,
};

function sendNode(
	name: string,
	from: Kind['from'],
	mode: Mode,
	retryOnFail: boolean,
	{ guardWorkflow = '', journal = '' }: { guardWorkflow?: string; journal?: string } = {},
): WorkflowNode {
	const at = { items: '$json', list: '$json.body', prepared: "$('Rows').first().json" }[from];
	const description = descriptionOf(at, name, '$runIndex');
	const recipients = {
		items: recipient(description),
		list: {
			payments:
				`={{ ${at}.rows.map(({ amount, phone, nspkBankId, sequence }) => ` +
				`({ amount, phone, nspkBankId, sequence, ric: '1', paymentDescription: ${description} })) }}`,
		},
		prepared: {},
	}[from];
	const packaging = { packagePerItem: `={{ ${at}.packagePerItem }}`, maxPayments: `={{ ${at}.maxPayments }}` };
	return {
		...node(name, 'n8n-nodes-bank.bank', 1, {
			...header,
			operation: 'sendPackage',
			paymentRun: `={{ ${at}.run }}`,
			// Every way to sign: given, and made by the node.
			...{
				items: { signedBody: 'signature' },
				list: { signature: 'rsaSha256' },
				prepared: { signature: 'cmsDetached' },
			}[from],
			recipientsFrom: from,
			...recipients,
			options: {
				...(from === 'prepared' ? {} : packaging),
				...(guardWorkflow === '' ? {} : { guardWorkflow: { __rl: true, mode: 'id', value: guardWorkflow } }),
				timeout: `={{ ${at}.timeout }}`,
				sendAgain: `={{ ${at}.sendAgain }}`,
				largestAnswer: 1,
				journal,
			},
		}),
		credentials: { ...demoReferences.clientCredentials, ...(from === 'items' ? {} : demoReferences.signature) },
		...(mode === 'stop' ? {} : { onError: mode === 'continue' ? 'continueRegularOutput' : 'continueErrorOutput' }),
		...(retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 50 } : {}),
	};
}

function debitNode(name: string, mode: Mode): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-bank.bankPartnerServices', 1, {
			authenticateWith: 'gateway',
			resource: 'directDebit',
			operation: 'debit',
			method: 'POST',
			path: '/direct-debit/debits',
			transactionId: "={{ $json.run.replace(' ', '-') + '-' + $json.sequence }}",
			purpose: `={{ ${descriptionOf('$json', name, '$runIndex')} }}`,
			purposeField: 'purpose',
			payloadFrom: 'json',
			payload: "={{ JSON.stringify({ consentId: 'consent-1', amount: $json.amount, phone: $json.phone }) }}",
			options: { timeout: '={{ $json.timeout }}', sendAgain: '={{ $json.sendAgain }}', largestAnswer: 1 },
		}),
		credentials: demoReferences.gateway,
		...(mode === 'stop' ? {} : { onError: 'continueRegularOutput' }),
	};
}

function node(name: string, type: string, typeVersion: number, parameters: Record<string, unknown>): WorkflowNode {
	return { name, type, typeVersion, parameters };
}

type Arrow = [from: string, to: string, output: number];

interface Part {
	nodes: WorkflowNode[];
	arrows: Arrow[];
}

function chain(nodes: WorkflowNode[]): Part {
	return { nodes, arrows: nodes.slice(1).map((to, index): Arrow => [nodes[index]?.name ?? '', to.name, 0]) };
}

function workflow(id: string, ...parts: Part[]): WorkflowFile {
	const connections: Record<string, { main: Array<Array<{ node: string; type: 'main'; index: number }>> }> = {};
	for (const [from, to, output] of parts.flatMap(({ arrows }) => arrows)) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return {
		id,
		name: `Chaos ${id}`,
		nodes: parts
			.flatMap(({ nodes }) => nodes)
			.map((each, index) => ({ ...each, id: `${id}-${each.name}`, position: [200 * index, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
		// As the editor saves it: without any, n8n cannot execute a step.
		pinData: {},
	};
}
