import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { chain, type WorkflowPart, workflowOf } from '../workflows.ts';
import type { Case, Kind, Mode, Settings } from './cases.ts';

/** Workflows for the payouts. Each call contains the data of its case, so one workflow serves many cases. */

export interface Payout {
	/** The workflow that is called. */
	file: WorkflowFile;
	/** The workflow that owns the claims. Different for sub-workflows and for workflows that share protection. */
	last: WorkflowFile;
}

/** Names of the payment nodes in every workflow. */
export const paymentNodes = ['Send', 'Copy', 'Final'] as const;

/** Data Tables used as payment logs. One name contains the other, so that n8n's search by name finds both. */
export const logNames: Readonly<Record<Settings['log'], string>> = {
	kept: 'Chaos payments',
	deleted: 'Chaos payments that get deleted',
	off: '',
};

/** *Payment Run* of a case. Contains text, because a number alone might be that of the execution. */
export const runOf = ({ number }: Pick<Case, 'number'>): string => `payout c${number}`;

/** An empty workflow to share protection with. */
export const sharedWorkflow: WorkflowFile = { id: 'chaosShared', name: 'Chaos shared', nodes: [], connections: {} };

/** Runs at most twice, because an error output that leads back would never end. */
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
	const lastId = shape === 'subWorkflow' || shape === 'shared' ? `${id}-last` : id;
	const send = sendNode('Send', from, mode, retryOnFail);
	// Reads the results of prepared packages from the rows, which are the same payments.
	const ends = [
		...called(lastId, 'final', 'Final '),
		sendNode('Final', from === 'prepared' ? 'items' : from, 'continue', false),
	];
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
		case 'shared':
			return { file: workflow(id, chain(plain)), last: workflow(lastId, finalChain) };
		case 'subWorkflow': {
			const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
			const last = workflow(lastId, chain([start, send]), finalChain);
			const execute: WorkflowNode = {
				...node('Pay', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: { __rl: true, mode: 'id', value: last.id },
					mode: 'once',
					options: { waitForSubWorkflow: true },
				}),
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 50,
			};
			return { file: workflow(id, chain([...own, execute])), last };
		}
	}
}

const same = (file: WorkflowFile): Payout => ({ file, last: file });

/** A webhook that responds at once with the execution ID, followed by its rows. */
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

const header = (at: string) => ({
	resource: 'payment',
	paymentRun: `={{ ${at}.run }}`,
});

const sender = (at: string) => ({
	partnerId: `={{ ${at}.partnerId }}`,
	inn: `={{ ${at}.inn }}`,
	account: `={{ ${at}.account }}`,
});

const recipientFields = ['amount', 'phone', 'nspkBankId', 'sequence', 'paymentDescription', 'ric'] as const;

const recipient = Object.fromEntries(recipientFields.map((name) => [name, `={{ $json.${name} }}`]));

const packaging = (at: string) => ({
	packagePerItem: `={{ ${at}.packagePerItem }}`,
	maxPayments: `={{ ${at}.maxPayments }}`,
});

const log = (at: string) => ({ logToDataTable: `={{ ${at}.log }}` });

const prepareNode: WorkflowNode = {
	...node('Prepare', 'n8n-nodes-bank.bank', 1, {
		...header('$json'),
		operation: 'preparePackage',
		recipientsFrom: 'items',
		...recipient,
		options: { ...sender('$json'), ...packaging('$json'), ...log('$json') },
	}),
	credentials: demoReferences.clientCredentials,
};

const protection = (at: string) => ({
	...log(at),
	shareProtectionWith: { __rl: true, mode: 'id', value: `={{ ${at}.share }}` },
	timeout: `={{ ${at}.timeout }}`,
});

function sendNode(name: string, from: Kind['from'], mode: Mode, retryOnFail: boolean): WorkflowNode {
	const at = { items: '$json', list: '$json.body', prepared: "$('Rows').first().json" }[from];
	const recipients = {
		items: recipient,
		list: {
			payments: `={{ ${at}.rows.map(({ ${recipientFields.join(', ')} }) => ({ ${recipientFields.join(', ')} })) }}`,
		},
		prepared: {},
	}[from];
	return {
		...node(name, 'n8n-nodes-bank.bank', 1, {
			...header(at),
			operation: 'sendPackage',
			recipientsFrom: from,
			...recipients,
			options: {
				// Identifies run and node to the bank. Not part of the payments.
				signedBody: `={{ 'visit ' + $execution.id + ' ${name} ' + $runIndex }}`,
				...(from === 'prepared' ? {} : { ...sender(at), ...packaging(at) }),
				...protection(at),
			},
		}),
		credentials: demoReferences.signedElsewhere,
		...(mode === 'stop' ? {} : { onError: mode === 'continue' ? 'continueRegularOutput' : 'continueErrorOutput' }),
		...(retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 50 } : {}),
	};
}

/** Workflow that resolves payments, with one webhook per decision. */
export const resolving: WorkflowFile = workflow(
	'chaosResolve',
	...(['has', 'hasNot'] as const).map((bankAnswer) =>
		chain([
			{
				...node(`Webhook ${bankAnswer}`, 'n8n-nodes-base.webhook', 2, {
					httpMethod: 'POST',
					path: `chaosResolve/${bankAnswer}`,
					responseMode: 'lastNode',
					responseData: 'allEntries',
					options: {},
				}),
				webhookId: `chaosResolve-${bankAnswer}`,
			},
			node(`Payments ${bankAnswer}`, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.payments', options: {} }),
			{
				...node(`Resolve ${bankAnswer}`, 'n8n-nodes-bank.bank', 1, {
					resource: 'payment',
					operation: 'resolve',
					bankAnswer,
					sequence: '={{ $json.sequence }}',
					attempt: '={{ $json.attempt }}',
					options: { logToDataTable: '={{ $json.log }}' },
				}),
				credentials: demoReferences.clientCredentials,
				onError: 'continueRegularOutput',
			},
		]),
	),
);

function debitNode(name: string, mode: Mode): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-bank.bankPartnerServices', 1, {
			authenticateWith: 'gateway',
			resource: 'directDebit',
			operation: 'debit',
			transactionId: "={{ $json.run.replaceAll(' ', '-') + '-' + $json.sequence }}",
			purpose: '={{ $json.paymentDescription }}',
			options: {
				...protection('$json'),
				serviceDetails: {
					payload: "={{ JSON.stringify({ consentId: 'consent-1', amount: $json.amount, phone: $json.phone }) }}",
				},
			},
		}),
		credentials: demoReferences.gateway,
		...(mode === 'stop' ? {} : { onError: 'continueRegularOutput' }),
	};
}

function node(name: string, type: string, typeVersion: number, parameters: Record<string, unknown>): WorkflowNode {
	return { name, type, typeVersion, parameters };
}

function workflow(id: string, ...parts: WorkflowPart[]): WorkflowFile {
	return workflowOf(id, `Chaos ${id}`, ...parts);
}
