import type { IConnection, IExecuteWorkflowInfo, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

/**
 * The workflows that the guard has n8n run. Each identity is a Remove Duplicates node of its own whose node id is the identity: so it
 * has a row of its own in n8n's table `processed_data`, and the primary key (workflow, node id) lets one insert win. Under one node id
 * all would share one row, which n8n rewrites without a lock. Every node asks for the same number, so that the first to ask is the only
 * one that n8n ever calls new: the number stored is never below the one that is asked for.
 */

/** What may be run in place of a stored workflow. */
export type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;

/** One after the other, as the places of the nodes say: the last one speaks for all. */
const topToBottom = 'v1';

/** Of the identities that were asked for, in that order; those in neither list were not looked at. */
export interface Answer {
	/** Claimed by this call. */
	readonly fresh: string[];
	/** Claimed before, by whomever. */
	readonly taken: string[];
}

/** In one call of the claiming workflow: the first identity alone decides whether the others are asked for at all. */
export type Asking = 'firstAlone' | 'allAtOnce';

export const start: INode = {
	...inlineNode('start', 'Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, 0),
	parameters: { inputSource: 'passthrough' },
};

export function claimingWorkflow(workflowId: string, identities: readonly string[], asking: Asking): InlineWorkflow {
	const nodes = identities.map((identity, index) =>
		removeDuplicates(identity, index, {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsUpToStoredIncrementalKey',
			incrementalDedupeValue: '1',
			options: { scope: 'node' },
		}),
	);
	const [first, ...others] = nodes;
	const answer = answerOf(asking === 'firstAlone' ? others : nodes, nodes.length);
	const all = [...nodes, answer];
	const connections =
		asking === 'firstAlone' && first !== undefined
			? { [start.name]: connectedTo([first]), [first.name]: connectedTo([...others, answer]) }
			: { [start.name]: connectedTo(all) };
	return inlineWorkflow(workflowId, 'Claim payments', all, connections);
}

/** Deletes the row of each identity, which can then be claimed again. */
export function releasingWorkflow(workflowId: string, identities: readonly string[]): InlineWorkflow {
	const nodes = identities.map((identity, index) =>
		removeDuplicates(identity, index, {
			operation: 'clearDeduplicationHistory',
			mode: 'cleanDatabase',
			options: { scope: 'node' },
		}),
	);
	return inlineWorkflow(workflowId, 'Release payments', nodes, { [start.name]: connectedTo(nodes) });
}

/** @returns nothing where n8n's answer is not one that the claiming workflow can give */
export function readAnswer(
	identities: readonly string[],
	asking: Asking,
	[kept, discarded]: readonly (INodeExecutionData[] | null)[],
): Answer | undefined {
	const [first = ''] = identities;
	const claims = kept?.[0]?.json['claims'];
	if (typeof claims === 'string') {
		const marks = (asking === 'firstAlone' ? mark.fresh : '') + claims;
		if (marks.length !== identities.length || !/^[01]*$/.test(marks)) return undefined;
		const marked = (wanted: string) => identities.filter((_, index) => marks[index] === wanted);
		return { fresh: marked(mark.fresh), taken: marked(mark.taken) };
	}
	// Where the first was taken, its own node was the last to run, and its one item left by the second output.
	const stopped = asking === 'firstAlone' && kept?.length === 0 && discarded?.length === 1;
	return stopped ? { fresh: [], taken: [first] } : undefined;
}

/** What the answer says of each identity: how many items have left its node as new. */
const mark = { fresh: '1', taken: '0' };

/** Runs last, and looks at every node before it: one that has not run is an error. */
function answerOf(nodes: readonly INode[], place: number): INode {
	const names = JSON.stringify(nodes.map(({ name }) => name));
	const marks = `${names}.map((name) => $(name).all(0, 0).length).join('')`;
	return {
		...inlineNode('answer', 'Answer', 'n8n-nodes-base.set', 3.4, place),
		parameters: {
			mode: 'raw',
			// Without an expression where there is nothing to look at: n8n need not start its engine for one.
			jsonOutput: nodes.length === 0 ? '{ "claims": "" }' : `={{ { claims: ${marks} } }}`,
			options: {},
		},
	};
}

function removeDuplicates(identity: string, index: number, parameters: INodeParameters): INode {
	return {
		...inlineNode(identity, String(index), 'n8n-nodes-base.removeDuplicates', 2, index),
		parameters,
		// Of two inserts at the same moment one is an error of the database. Asked again, n8n finds the row.
		retryOnFail: true,
		maxTries: 5,
		waitBetweenTries: 20,
	};
}

export function inlineNode(id: string, name: string, type: string, typeVersion: number, place: number): INode {
	return { id, name, type, typeVersion, position: [0, place], parameters: {} };
}

export function connectedTo(nodes: readonly INode[]): { main: IConnection[][] } {
	return { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] };
}

export function inlineWorkflow(
	id: string,
	name: string,
	nodes: INode[],
	connections: InlineWorkflow['connections'],
): InlineWorkflow {
	const now = new Date();
	return {
		id,
		name,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: [start, ...nodes],
		connections,
		settings: {
			executionOrder: topToBottom,
			// Nothing of it is kept, and an error here is the caller's to report: no workflow for errors is started.
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			// The time that the calling workflow has left is all that counts.
			executionTimeout: -1,
			// Whatever the instance's default: the memory is open to the workflows of its own project.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}
