import { textOrNumber } from '@bank/core';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { inParallel, chunk } from '../base/inParallel.ts';
import { claimNode, inlineWorkflow, replyNode } from './inlineWorkflow.ts';

/**
 * Up to this number of keys, one inline workflow is faster than several: starting one takes as long as a dozen nodes.
 */
const fewKeys = 100;

/** Maximum number of keys in an inline workflow. For each node that n8n runs, it searches all nodes of the workflow. */
const maxKeys = 500;

const maxParallelWorkflows = 3;

/** The workflow that owns the keys, and the name of the inline workflow. */
export interface KeyOwner {
	workflowId: string;
	name: string;
}

/**
 * Inserts keys into n8n's table of processed data: of all runs, exactly one inserts a key. Keys are never deleted; they go with their
 * workflow.
 * @param keys different SHA-256 digests
 * @param then a node that runs right after the first key if it was inserted, with its items
 * @returns the keys that this call has inserted; undefined if the reply of n8n cannot be read
 * @throws if n8n does not respond; some keys may then have been inserted
 */
export async function claimKeys(
	context: Pick<IExecuteFunctions, 'executeWorkflow'>,
	{ workflowId, name }: KeyOwner,
	keys: readonly string[],
	then?: { node: INode; items: INodeExecutionData[] },
): Promise<string[] | undefined> {
	const nodes = keys.map((key, index) => claimNode(key, String(index)));
	// The reply node has an expression, which takes n8n as long as everything else here. A single claim needs no reply
	// node: its result is the output that has the item.
	const isSingle = nodes.length === 1 && then === undefined;
	const code = inlineWorkflow(workflowId, name, isSingle ? nodes : [...nodes, replyNode(nodes)], then?.node);
	const { data } = await context.executeWorkflow({ code }, then?.items ?? [{ json: {} }]);
	if (isSingle) {
		const [inserted, existed] = data.map((items) => items?.length);
		if (inserted === 1 && existed === 0) return [...keys];
		return inserted === 0 && existed === 1 ? [] : undefined;
	}
	// One digit for each key: 1 if it was inserted, 0 if it existed. n8n may return the text as a number.
	const marks = textOrNumber(data[0]?.[0]?.json.claims);
	if (marks.length !== keys.length || !/^[01]*$/.test(marks)) return undefined;
	return keys.filter((_, index) => marks[index] === '1');
}

/**
 * Claims any number of keys in parts, several parts at a time. Starts no further part after one has failed.
 * @param claim claims a part; returns the keys that it has inserted
 */
export async function claimInParts(
	keys: readonly string[],
	claim: (part: readonly string[]) => Promise<readonly string[]>,
): Promise<{ won: string[]; failures: unknown[] }> {
	const won: string[] = [];
	const failures: unknown[] = [];
	const claimPart = async (part: readonly string[]) => {
		try {
			won.push(...(await claim(part)));
		} catch (error) {
			failures.push(error);
		}
	};
	await inParallel(inSimilarParts(keys), maxParallelWorkflows, claimPart, () => failures.length > 0);
	return { won, failures };
}

/** Parts of similar size, because the slowest one determines the time. */
function inSimilarParts(keys: readonly string[]): string[][] {
	const size = keys.length <= fewKeys ? fewKeys : Math.min(Math.ceil(keys.length / maxParallelWorkflows), maxKeys);
	return chunk(keys, size);
}
