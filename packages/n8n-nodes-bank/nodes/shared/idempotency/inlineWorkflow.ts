import type { IConnection, IExecuteWorkflowInfo, INode } from 'n8n-workflow';

/**
 * Workflows that n8n runs without storing them. Only through them can a node insert rows of its own into n8n's processed data, and use Data
 * Tables.
 * A claim is a Remove Duplicates node whose node ID is the key. Each key has its own row in n8n's table
 * `processed_data`, where the primary key (workflow, node ID) lets exactly one insert succeed. With one node ID for all
 * keys, they would share a row that n8n rewrites without a lock. All claims write the same value, because n8n accepts
 * every value that is higher than the stored one.
 */

export type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;

const start: INode = {
	...inlineNode('start', 'Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1),
	executeOnce: false,
	parameters: { inputSource: 'passthrough' },
};

export function inlineNode(id: string, name: string, type: string, typeVersion: number): INode {
	return { id, name, type, typeVersion, position: [0, 0], parameters: {}, executeOnce: true };
}

/** Inserts a key. The item goes to the first output if the key was inserted, and to the second if it existed. */
export function claimNode(key: string, name: string): INode {
	return {
		...inlineNode(key, name, 'n8n-nodes-base.removeDuplicates', 2),
		parameters: {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsUpToStoredIncrementalKey',
			incrementalDedupeValue: '1',
			options: { scope: 'node' },
		},
		// If two runs insert at the same moment, the database rejects one. The retry finds the row.
		retryOnFail: true,
		maxTries: 5,
		waitBetweenTries: 20,
	};
}

/**
 * Runs last and returns `1` or `0` for each claim node, in their order. Fails if one of them has not run. Ignores the Data Table nodes,
 * because the output of a failed node makes n8n's expressions fail.
 */
export function replyNode(claims: readonly INode[]): INode {
	const names = JSON.stringify(claims.map(({ name }) => name));
	return {
		...inlineNode('answer', 'Answer', 'n8n-nodes-base.set', 3.4),
		parameters: {
			mode: 'raw',
			jsonOutput: `={{ { claims: ${names}.map((name) => $(name).all(0, 0).length).join('') } }}`,
			options: {},
		},
	};
}

/**
 * @param nodes run one after the other, each with the same input
 * @param ifNew runs right after the first of them, a claim node, only if its key was inserted
 */
export function inlineWorkflow(id: string, name: string, nodes: readonly INode[], ifNew?: INode): InlineWorkflow {
	const now = new Date();
	const after = ifNew === undefined ? [] : [ifNew];
	const placed = [...after, ...nodes].map((node, index): INode => ({ ...node, position: [0, index] }));
	return {
		id,
		name,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: [start, ...placed],
		connections: {
			[start.name]: connectedTo(nodes),
			...Object.fromEntries(nodes.slice(0, after.length).map((claim) => [claim.name, connectedTo(after)])),
		},
		settings: {
			// Branches run one after the other, from top to bottom.
			executionOrder: 'v1',
			// Executions are not stored, and no error workflow starts: the calling node reports errors.
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			// Only the timeout of the calling workflow applies.
			executionTimeout: -1,
			// Overrides the default of the instance.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}

function connectedTo(nodes: readonly INode[]): { main: IConnection[][] } {
	return { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] };
}
