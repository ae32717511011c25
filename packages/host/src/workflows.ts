import { randomBytes } from 'node:crypto';

import type { WorkflowFile, WorkflowNode } from './n8nCli.ts';

/** A node whose items are those that reached the end of a workflow. */
export const noOp: WorkflowNode = { name: 'Seen', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

type Arrow = [from: string, to: string, output: number];

/** Nodes of a workflow and the connections between them. */
export interface WorkflowPart {
	nodes: WorkflowNode[];
	arrows: Arrow[];
}

/** Nodes in a row, each connected to the first output of the one before. */
export function chain(nodes: WorkflowNode[]): WorkflowPart {
	return { nodes, arrows: nodes.slice(1).map((to, index): Arrow => [nodes[index]?.name ?? '', to.name, 0]) };
}

export function workflowOf(id: string, name: string, ...parts: WorkflowPart[]): WorkflowFile {
	const connections: Record<string, { main: Array<Array<{ node: string; type: 'main'; index: number }>> }> = {};
	for (const [from, to, output] of parts.flatMap(({ arrows }) => arrows)) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return {
		id,
		name,
		nodes: parts
			.flatMap(({ nodes }) => nodes)
			.map((each, index) => ({ ...each, id: `${id}-${each.name}`, position: [200 * index, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
		// Saved by the editor. Without it n8n cannot execute a single node.
		pinData: {},
	};
}

/** A workflow with the nodes in a row; the first one starts it. */
export function inARow(name: string, nodes: WorkflowNode[]): WorkflowFile {
	return workflowOf(`row${randomBytes(6).toString('hex')}`, name, chain(nodes));
}

/** A workflow with a manual trigger that emits `input` or one empty item, and the nodes in a row. */
export function afterAClick(name: string, nodes: WorkflowNode[], input?: object[]): WorkflowFile {
	const start: WorkflowNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	return { ...inARow(name, [start, ...nodes]), ...(input === undefined ? {} : { pinData: { Start: input } }) };
}
