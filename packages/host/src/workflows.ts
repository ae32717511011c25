import { randomBytes } from 'node:crypto';

import type { WorkflowFile, WorkflowNode } from './n8nCli.ts';

/** A node whose items show what reached the end of a workflow. */
export const noOp: WorkflowNode = { name: 'Seen', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** A workflow with the nodes in a row; the first one starts it. */
export function inARow(name: string, nodes: WorkflowNode[]): WorkflowFile {
	return {
		id: `row${randomBytes(6).toString('hex')}`,
		name,
		nodes: nodes.map((node, index) => ({ ...node, id: node.name, position: [200 * index, 0] })),
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map((to, index) => [nodes[index]?.name ?? '', { main: [[{ node: to.name, type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** A workflow with a manual trigger that emits `input` or one empty item, and the nodes in a row. */
export function afterAClick(name: string, nodes: WorkflowNode[], input?: object[]): WorkflowFile {
	const start: WorkflowNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	return { ...inARow(name, [start, ...nodes]), ...(input === undefined ? {} : { pinData: { Start: input } }) };
}
