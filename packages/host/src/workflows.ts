import { randomBytes } from 'node:crypto';

import type { WorkflowFile, WorkflowNode } from './n8nCli.ts';

/** The nodes in a row after a start by hand, which gives `input` or one empty item. */
export function inARow(name: string, nodes: WorkflowNode[], input?: object[]): WorkflowFile {
	const start: WorkflowNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const row = [start, ...nodes].map((node, index) => ({ id: node.name, ...node, position: [200 * index, 0] }));
	const connections = Object.fromEntries(row.slice(1).map((to, index) => [row[index]?.name ?? '', { main: [[{ node: to.name, type: 'main', index: 0 }]] }]));
	return { id: `row${randomBytes(6).toString('hex')}`, name, nodes: row, connections, ...(input === undefined ? {} : { pinData: { Start: input } }) };
}
