import { textOrNumber } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { inParallel } from '../inParallel.ts';
import { claimNode, inlineWorkflow, replyNode } from './inlineWorkflow.ts';

/** One inline workflow is faster than several up to this many keys, and n8n searches all nodes for each node that it runs. */
const fewKeys = 100;
const maxKeys = 400;
const maxParallelWorkflows = 3;

/**
 * Inserts keys into n8n's table of processed data: of all runs, exactly one inserts a key. Keys are never deleted; they go with their
 * workflow.
 * @param workflowId the workflow that owns the keys
 * @param keys different SHA-256 digests
 * @returns the keys that this call has inserted
 * @throws if n8n does not respond; some keys may then have been inserted
 */
export async function claimKeys(
	context: Pick<IExecuteFunctions, 'executeWorkflow'>,
	workflowId: string,
	keys: readonly string[],
): Promise<Set<string>> {
	const won = new Set<string>();
	const failures: unknown[] = [];
	const claim = async (part: readonly string[]) => {
		const nodes = part.map((key, index) => claimNode(key, String(index)));
		const code = inlineWorkflow(workflowId, 'Claim events', [...nodes, replyNode(nodes)]);
		const { data } = await context.executeWorkflow({ code }, [{ json: {} }]);
		// n8n may return the text as a number.
		const marks = textOrNumber(data[0]?.[0]?.json.claims);
		if (marks.length !== part.length || !/^[01]*$/.test(marks)) throw new Error('n8n returned an unexpected result');
		for (const [index, key] of part.entries()) if (marks[index] === '1') won.add(key);
	};
	await inParallel(
		inParts(keys),
		maxParallelWorkflows,
		async (part) => await claim(part).catch((error: unknown) => void failures.push(error)),
		() => failures.length > 0,
	);
	if (failures.length > 0) throw failures[0];
	return won;
}

/** Parts of similar size, because the slowest one determines the time. */
function inParts(keys: readonly string[]): string[][] {
	const size = keys.length <= fewKeys ? fewKeys : Math.min(Math.ceil(keys.length / maxParallelWorkflows), maxKeys);
	return Array.from({ length: Math.ceil(keys.length / size) }, (_, part) => keys.slice(part * size, (part + 1) * size));
}
