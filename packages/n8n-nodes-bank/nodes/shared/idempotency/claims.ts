import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { claimInParts, claimKeys } from './claimKeys.ts';
import { sha256 } from './keys.ts';

export type ClaimContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecutionCancelSignal' | 'getWorkflow'>;

/** n8n could not claim payments. Nothing may be sent afterwards. */
export class ClaimError extends Error {
	/** Whether it is certain that nothing was claimed. */
	readonly isCertain: boolean;

	/** @param advice why, and what to do, in whole sentences */
	constructor(advice: string, isCertain = false) {
		super(advice);
		this.isCertain = isCertain;
	}
}

const doubt = "n8n's database did not respond while payments were claimed. Run again.";

/** Certain for the errors with which n8n refuses to run an inline workflow. */
function claimErrorOf(cause: unknown): ClaimError {
	if (cause instanceof ClaimError) return cause;
	const message = cause instanceof Error ? cause.message : String(cause);
	const [, type] = /^Unrecognized node type: (\S+)/.exec(message) ?? [];
	if (type !== undefined)
		return new ClaimError(
			`It needs n8n's own node ${type}, which this n8n excludes. Ask your administrator to allow it (NODES_EXCLUDE).`,
			true,
		);
	if (/foreign key constraint/i.test(message)) return new ClaimError('Save this workflow, then run again.', true);
	return new ClaimError(`${doubt} n8n says: ${message}`);
}

/** A key and a number: the first insert wins it, for good. */
export interface Claim {
	key: string;
	number: number;
}

type Then = Parameters<typeof claimKeys>[3];

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
	then?: Then,
	pause: (milliseconds: number) => Promise<void> = sleep,
): Promise<string[]> {
	const keys = new Map(claims.map(({ key, number }) => [sha256(`${key} ${number}`), key]));
	const { won, failures } = await claimInParts(
		[...keys.keys()],
		async (digests) => await claimTwice(context, digests, then, pause),
	);
	const errors = failures.map(claimErrorOf);
	const failure = errors.find(({ isCertain }) => !isCertain) ?? errors[0];
	if (failure === undefined) return won.flatMap((digest) => keys.get(digest) ?? []);
	throw won.length === 0 ? failure : new ClaimError(failure.message);
}

/** Calls n8n at most twice. Claims that the first call inserted then look lost, which is safe. */
async function claimTwice(
	context: ClaimContext,
	digests: readonly string[],
	then: Then,
	pause: (milliseconds: number) => Promise<void>,
): Promise<string[]> {
	const { id: workflowId = '' } = context.getWorkflow();
	const ask = async (): Promise<string[] | ClaimError> => {
		try {
			const won = await claimKeys(context, { workflowId, name: 'Claim payments' }, digests, then);
			return won ?? new ClaimError(`${doubt} n8n returned an unexpected result.`);
		} catch (cause) {
			return claimErrorOf(cause);
		}
	};
	const first = await ask();
	if (Array.isArray(first)) return first;
	if (first.isCertain || context.getExecutionCancelSignal()?.aborted === true) throw first;
	await pause(beforeSecondTryMs);
	const second = await ask();
	if (Array.isArray(second)) return second;
	// The first call may have inserted them.
	throw new ClaimError(second.message);
}
