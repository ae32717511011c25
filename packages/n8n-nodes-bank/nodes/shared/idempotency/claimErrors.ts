import { type INode, NodeOperationError } from 'n8n-workflow';

import type { FailureContext } from '../base/failures.ts';

/** Thrown if n8n could not claim payments. Nothing may be sent afterwards. */
export class ClaimError extends NodeOperationError {
	/** Whether it is certain that nothing was claimed. */
	readonly isCertain: boolean;

	constructor(context: FailureContext, description: string, isCertain = false) {
		// n8n stores the error with the execution, so it must not contain the node's parameters.
		const node: INode = { ...context.getNode(), parameters: {} };
		super(node, 'Not sent: duplicate protection did not work', { description });
		this.isCertain = isCertain;
	}
}

/** Errors with which n8n refuses to run an inline workflow. */
const refusals: ReadonlyArray<{ words: RegExp; advice: (detail: string) => string }> = [
	{
		words: /^Unrecognized node type: (\S+)/,
		advice: (type) =>
			`It needs n8n's own node ${type}, which this n8n excludes. Ask your administrator to allow it (NODES_EXCLUDE).`,
	},
	{ words: /foreign key constraint/i, advice: () => 'Save this workflow, then run again.' },
];

const doubt = "n8n's database did not respond while payments were claimed. Run again.";

export function claimErrorOf(context: FailureContext, cause: unknown): ClaimError {
	if (cause instanceof ClaimError) return cause;
	const message = cause instanceof Error ? cause.message : String(cause);
	for (const { words, advice } of refusals) {
		const found = words.exec(message);
		if (found !== null) return new ClaimError(context, advice(found[1] ?? ''), true);
	}
	return new ClaimError(context, `${doubt} n8n says: ${message}`);
}

export const unexpectedReply = (context: FailureContext): ClaimError =>
	new ClaimError(context, `${doubt} n8n returned an unexpected result.`);
