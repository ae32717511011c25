import { type IExecuteFunctions, type INode, NodeOperationError } from 'n8n-workflow';

type Context = Pick<IExecuteFunctions, 'getNode'>;

/** Why n8n could not claim or release keys. Nothing may be sent after it. */
export class ClaimError {
	readonly error: NodeOperationError;
	/** Whether trying again is of no use. */
	readonly isFinal: boolean;
	/** Whether it is certain that nothing was claimed but what the caller knows of. */
	readonly isCertain: boolean;

	constructor(context: Context, description: string, { isFinal = false, isCertain = false } = {}) {
		// Stored with the execution, hence without the node's parameters.
		const node: INode = { ...context.getNode(), parameters: {} };
		this.error = new NodeOperationError(node, 'Nothing was sent: duplicate protection did not work', { description });
		this.isFinal = isFinal;
		this.isCertain = isCertain;
	}
}

/** What n8n says where it runs nothing at all. */
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
	"n8n's database did not answer while payments were claimed. Run again. If payments then show as unknown, use Payment: Resolve.";

export function claimErrorOf(context: Context, cause: unknown): ClaimError {
	const message = cause instanceof Error ? cause.message : String(cause);
	for (const { words, advice } of refusals) {
		const found = words.exec(message);
		if (found !== null) return new ClaimError(context, advice(found[1] ?? ''), { isFinal: true, isCertain: true });
	}
	return new ClaimError(context, `${doubt} n8n says: ${message}`);
}

export const unreadableAnswer = (context: Context): ClaimError =>
	new ClaimError(context, `${doubt} n8n gave an answer that this node does not understand.`, { isFinal: true });

export const stoppedBeforeSending = (context: Context): ClaimError =>
	new ClaimError(context, 'The execution was stopped before anything was sent.', { isFinal: true, isCertain: true });
