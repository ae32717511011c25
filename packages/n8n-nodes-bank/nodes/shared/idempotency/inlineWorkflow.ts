import type { IConnection, IExecuteWorkflowInfo, INode, INodeParameters } from 'n8n-workflow';

/**
 * Workflows that n8n runs for us without storing them: the only way for a node to use n8n's table of processed data and its Data Tables.
 *
 * A claim is a Remove Duplicates node whose node ID is the key. So each key has a row of its own in n8n's table `processed_data`, and the
 * primary key (workflow, node ID) lets exactly one insert win. Under one node ID all keys would share one row, which n8n rewrites without a
 * lock. All claims write the same constant: with a value that differs per run, each run would be a winner.
 */

/** What n8n runs in place of a stored workflow. */
export type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;

/** Runs the branches of a node one after the other, by their position. */
const topToBottom = 'v1';

const start: INode = {
	...inlineNode('start', 'Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1),
	executeOnce: false,
	parameters: { inputSource: 'passthrough' },
};

export function inlineNode(id: string, name: string, type: string, typeVersion: number): INode {
	return { id, name, type, typeVersion, position: [0, 0], parameters: {}, executeOnce: true };
}

/** Inserts the key, exclusively: the item leaves by the first output where this call inserted it, by the second where it was there. */
export function claimNode(key: string, name: string): INode {
	return removeDuplicates(key, name, {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsUpToStoredIncrementalKey',
		incrementalDedupeValue: '1',
		options: { scope: 'node' },
	});
}

/** Deletes the row of the key. */
export function releaseNode(key: string, name: string): INode {
	return removeDuplicates(key, name, {
		operation: 'clearDeduplicationHistory',
		mode: 'cleanDatabase',
		options: { scope: 'node' },
	});
}

function removeDuplicates(key: string, name: string, parameters: INodeParameters): INode {
	return {
		...inlineNode(key, name, 'n8n-nodes-base.removeDuplicates', 2),
		parameters,
		// Of two inserts at the same moment one is an error of the database. Asked again, n8n finds the row.
		retryOnFail: true,
		maxTries: 5,
		waitBetweenTries: 20,
	};
}

/**
 * Runs last and says of each claim node whether it won: `1` or `0`, in their order. A node that has not run makes it fail.
 * It does not look at the Data Table nodes: the output of one that failed makes n8n's expressions fail.
 */
export function answerNode(claims: readonly INode[]): INode {
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

/** Of the item of `claim`, only where it was new: deletes the key again, so that asking leaves nothing behind. */
export interface Probe {
	claim: INode;
	release: INode;
}

export const probeOf = (key: string, name: string): Probe => ({
	claim: claimNode(key, name),
	release: releaseNode(key, `${name}, undone`),
});

/**
 * @param first runs before all others
 * @param nodes run one after the other, each with the same input
 */
export function inlineWorkflow(
	id: string,
	name: string,
	nodes: readonly INode[],
	{ first, probes = [] }: { first?: INode; probes?: readonly Probe[] } = {},
): InlineWorkflow {
	const now = new Date();
	const placed = [...(first === undefined ? [] : [first]), ...probes.map(({ release }) => release), ...nodes].map(
		(node, index): INode => ({ ...node, position: [0, index] }),
	);
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
			[start.name]: connectedTo(first === undefined ? nodes : [first, ...nodes]),
			...Object.fromEntries(probes.map(({ claim, release }) => [claim.name, connectedTo([release])])),
		},
		settings: {
			executionOrder: topToBottom,
			// Nothing of it is stored, and an error here is the caller's to report: no error workflow starts.
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			// The time that the calling workflow has left is all that counts.
			executionTimeout: -1,
			// Overrides the default of the instance.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}

function connectedTo(nodes: readonly INode[]): { main: IConnection[][] } {
	return { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] };
}
