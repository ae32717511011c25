import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { ClaimError, claimErrorOf, unexpectedReply } from './claimErrors.ts';
import { claimInParts, claimKeys } from './claimKeys.ts';
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
	const errors = failures.map((error) => claimErrorOf(context, error));
	const failure = errors.find(({ isCertain }) => !isCertain) ?? errors[0];
	if (failure === undefined) return won.flatMap((digest) => keys.get(digest) ?? []);
	throw won.length === 0 ? failure : new ClaimError(context, failure.description ?? '');
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
			return won ?? unexpectedReply(context);
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
