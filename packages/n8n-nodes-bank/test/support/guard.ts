import { runInNewContext } from 'node:vm';
import type { IExecuteWorkflowInfo, INode, INodeExecutionData } from 'n8n-workflow';

import type { GuardContext } from '../../nodes/shared/guard/guard.ts';

type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;
type Outputs = INodeExecutionData[][];

/**
 * n8n as the guard gets to see it: it runs inline workflows node by node, top to bottom and depth first, on a table in which of two
 * inserts with the same key one fails. Between finding nothing and inserting, others get their turn.
 */
export class FakeN8n {
	/** The keys of the table: workflow and node id. */
	readonly rows: Set<string>;
	/** What was run, in this order. */
	readonly ran: InlineWorkflow[] = [];
	/** How many milliseconds were waited for, each time. */
	readonly pauses: number[] = [];
	/** Of the inline workflows to come: after how many nodes the run breaks off. */
	readonly breakAfter: Array<number | undefined> = [];
	/** What n8n says instead of running anything. */
	refusal: Error | undefined;
	readonly stop = new AbortController();
	constructor(rows = new Set<string>()) {
		this.rows = rows;
	}

	/** Told of each insert. */
	inserted: (identity: string) => void = () => undefined;

	readonly pause = async (milliseconds: number) => {
		this.pauses.push(milliseconds);
		await turns(20);
	};

	in(workflowId: string | undefined): GuardContext {
		return {
			executeWorkflow: async ({ code }, items) => {
				if (code === undefined) throw new Error('Only inline workflows are run here');
				this.ran.push(code);
				if (this.refusal !== undefined) throw this.refusal;
				const data = await this.#run(code, items ?? [], this.breakAfter.shift() ?? Infinity);
				return { executionId: String(this.ran.length), data };
			},
			getExecutionCancelSignal: () => this.stop.signal,
			getNode: () => ({ ...unnamed, parameters: { account: '40702810000000000001' } }),
			getWorkflow: () => ({ id: workflowId, active: true }),
		};
	}

	/** How often identities were asked for. */
	get asked(): number {
		return this.ran
			.flatMap(({ nodes }) => nodes)
			.filter(({ parameters }) => parameters['operation'] === 'removeItemsSeenInPreviousExecutions').length;
	}

	async #run(workflow: InlineWorkflow, items: INodeExecutionData[], limit: number): Promise<Outputs> {
		const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
		const outputs = new Map<string, Outputs>();
		const stack = [{ name: 'Start', items }];
		let last: Outputs = [];
		for (let next = stack.shift(); next !== undefined; next = stack.shift()) {
			const node = nodes.get(next.name);
			if (node === undefined) throw new Error(`There is no node ${next.name}`);
			if (outputs.size >= limit) throw new Error('Connection terminated unexpectedly');
			last = await this.#runNode(workflow.id, node, next.items, outputs);
			outputs.set(node.name, last);
			const followers = (workflow.connections[node.name]?.['main'] ?? []).flatMap((connections, output) =>
				(connections ?? []).map(({ node: name }) => ({ name, items: last[output] ?? [] })),
			);
			const place = ({ name }: { name: string }) => nodes.get(name)?.position[1] ?? 0;
			stack.unshift(
				...followers.filter((each) => each.items.length > 0).sort((one, other) => place(one) - place(other)),
			);
		}
		return last;
	}

	async #runNode(
		workflowId: string,
		node: INode,
		items: INodeExecutionData[],
		before: ReadonlyMap<string, Outputs>,
	): Promise<Outputs> {
		const { operation, jsonOutput } = node.parameters;
		if (operation === 'removeItemsSeenInPreviousExecutions') {
			const tries = node.retryOnFail === true ? (node.maxTries ?? 1) : 1;
			for (let left = tries; left > 0; left--) {
				const found = this.rows.has(`${workflowId} ${node.id}`);
				await turns(2);
				if (found) return [[], items];
				if (this.rows.has(`${workflowId} ${node.id}`)) continue;
				this.rows.add(`${workflowId} ${node.id}`);
				this.inserted(node.id);
				return [items, []];
			}
			throw new Error('duplicate key value violates unique constraint');
		}
		if (operation === 'clearDeduplicationHistory') {
			await turns(2);
			this.rows.delete(`${workflowId} ${node.id}`);
		}
		if (typeof jsonOutput === 'string') return [[{ json: evaluated(jsonOutput, before) }]];
		return [items];
	}
}

function evaluated(text: string, outputs: ReadonlyMap<string, Outputs>): INodeExecutionData['json'] {
	const expression = /^=\{\{(.*)\}\}$/s.exec(text)?.[1] ?? text;
	const $ = (name: string) => {
		const output = outputs.get(name);
		if (output === undefined) throw new Error(`Node '${name}' hasn't been executed`);
		return { all: (branch: number) => output[branch] ?? [] };
	};
	return JSON.parse(JSON.stringify(runInNewContext(`(${expression})`, { $ }))) as INodeExecutionData['json'];
}

async function turns(count: number): Promise<void> {
	for (let left = count; left > 0; left--) await Promise.resolve();
}

const unnamed: INode = { id: 'n', name: 'Bank', type: 'bank', typeVersion: 1, position: [0, 0], parameters: {} };
