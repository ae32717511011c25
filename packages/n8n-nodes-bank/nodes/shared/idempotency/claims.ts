import { textOrNumber } from '@bank/core';
import { type IExecuteFunctions, type INode, type INodeExecutionData, sleep } from 'n8n-workflow';

import { inParallel } from '../inParallel.ts';
import { ClaimError, claimErrorOf, unexpectedReply } from './claimErrors.ts';
import { claimNode, inlineWorkflow, replyNode } from './inlineWorkflow.ts';
import { sha256 } from './keys.ts';

export type ClaimContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionCancelSignal' | 'getNode' | 'getWorkflow'
>;

/** A key and a number: the first insert wins it, for good. */
export interface Claim {
	key: string;
	number: number;
}

/** Up to this many, one inline workflow is faster than several: starting one takes as long as a dozen nodes. */
const fewClaims = 100;

/** n8n searches all nodes of a workflow for each node that it runs. */
const maxNodes = 500;

const maxParallelWorkflows = 3;
const beforeSecondTryMs = 500;

/**
 * Inserts claims in n8n's own database, exclusively: across executions, nodes of the workflow, workers and crashes. They belong to the
 * workflow and are deleted with it.
 * @param then a node that runs right after the claim if it was won, with its items. Only for a single claim.
 * @returns the keys that this call inserted
 * @throws ClaimError; unless `isCertain`, any of them may have been inserted
 */
export async function claimAll(
	context: ClaimContext,
	claims: readonly Claim[],
	then?: { node: INode; items: INodeExecutionData[] },
	pause: (milliseconds: number) => Promise<void> = sleep,
): Promise<string[]> {
	const won: string[] = [];
	const failures: ClaimError[] = [];
	const claimPart = async (part: readonly Claim[]) => {
		try {
			won.push(...(await claimTwice(context, part, then, pause)));
		} catch (error) {
			failures.push(claimErrorOf(context, error));
		}
	};
	await inParallel(inParts(claims), maxParallelWorkflows, claimPart, () => failures.length > 0);
	const failure = failures.find(({ isCertain }) => !isCertain) ?? failures[0];
	if (failure === undefined) return won;
	throw won.length === 0 ? failure : new ClaimError(context, failure.description ?? '');
}

/** Calls n8n at most twice. Claims that the first call inserted then look lost, which is safe. */
async function claimTwice(
	context: ClaimContext,
	claims: readonly Claim[],
	then: Parameters<typeof claimAll>[2],
	pause: (milliseconds: number) => Promise<void>,
): Promise<string[]> {
	const nodes = claims.map(({ key, number }, index) => claimNode(sha256(`${key} ${number}`), String(index)));
	const ifNew = new Map(then === undefined ? [] : [['0', then.node]]);
	const { id = '' } = context.getWorkflow();
	const code = inlineWorkflow(id, 'Claim payments', [...nodes, replyNode(nodes)], { ifNew });
	const ask = async (): Promise<string[] | ClaimError> => {
		try {
			const { data } = await context.executeWorkflow({ code }, then?.items ?? [{ json: {} }]);
			// n8n may return the text as a number. A digit for each claim: 1 if it was inserted, 0 if it existed.
			const marks = textOrNumber(data[0]?.[0]?.json.claims);
			if (marks.length !== claims.length || !/^[01]*$/.test(marks)) return unexpectedReply(context);
			return claims.flatMap(({ key }, index) => (marks[index] === '1' ? [key] : []));
		} catch (cause) {
			return claimErrorOf(context, cause);
		}
	};
	const first = await ask();
	if (Array.isArray(first)) return first;
	if (first.isCertain || context.getExecutionCancelSignal()?.aborted === true) throw first;
	await pause(beforeSecondTryMs);
	const second = await ask();
	if (Array.isArray(second)) return second;
	// The first call may have inserted them.
	throw new ClaimError(context, second.description ?? '');
}

/** Parts of similar size, because the slowest one determines the time. */
function inParts(claims: readonly Claim[]): Claim[][] {
	const count = claims.length;
	const size = count <= fewClaims ? fewClaims : Math.min(Math.ceil(count / maxParallelWorkflows), maxNodes);
	const parts: Claim[][] = [];
	for (let from = 0; from < count; from += size) parts.push(claims.slice(from, from + size));
	return parts;
}
