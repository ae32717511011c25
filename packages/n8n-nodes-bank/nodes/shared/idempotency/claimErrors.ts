import { type INode, NodeOperationError } from 'n8n-workflow';

import type { FailureContext } from '../failures.ts';

/** Thrown if n8n could not claim or release keys. Nothing may be sent afterwards. */
export class ClaimError extends NodeOperationError {
	/** Whether it is certain that no other keys were claimed than the caller knows. */
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
	{
		words: /cannot be called by this workflow/,
		advice: () => 'The workflow to share with belongs to another project. Choose one of this project.',
	},
	{
		words: /foreign key constraint/i,
		advice: () => 'The workflow to share with does not exist. Choose another, or save this workflow first.',
	},
];

const doubt =
	"n8n's database did not respond while payments were claimed. Run again. If payments then show as unknown, use Payment: Resolve.";

export function claimErrorOf(context: FailureContext, cause: unknown): ClaimError {
	const message = cause instanceof Error ? cause.message : String(cause);
	for (const { words, advice } of refusals) {
		const found = words.exec(message);
		if (found !== null) return new ClaimError(context, advice(found[1] ?? ''), true);
	}
	return new ClaimError(context, `${doubt} n8n says: ${message}`);
}

export const unexpectedReply = (context: FailureContext): ClaimError =>
	new ClaimError(context, `${doubt} n8n returned an unexpected result.`);

export const stoppedBeforeSending = (context: FailureContext): ClaimError =>
	new ClaimError(context, 'The execution was stopped before the request was sent.', true);
