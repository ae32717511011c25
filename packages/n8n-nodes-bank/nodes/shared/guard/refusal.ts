import { type IExecuteFunctions, type INode, NodeOperationError } from 'n8n-workflow';

/** What was not done: then nothing may be sent, or what was not sent goes on counting as sent. */
export type Undone = 'claim' | 'release';

type Context = Pick<IExecuteFunctions, 'getNode'>;

/** Why n8n did not do what it was asked for. */
export class Refusal {
	readonly error: NodeOperationError;
	/** It was certainly not done, or is not to be tried again. */
	readonly final: boolean;

	constructor(context: Context, undone: Undone, description: string, final: boolean) {
		// Stored with the execution, hence without the node's parameters.
		const node: INode = { ...context.getNode(), parameters: {} };
		this.error = new NodeOperationError(node, messages[undone], { description });
		this.final = final;
	}
}

const messages: Record<Undone, string> = {
	claim: 'Nothing was sent, because it is not certain what was sent before',
	release: 'What was not sent goes on counting as sent',
};

/** What n8n says before it runs anything. */
const beforeTheRun: ReadonlyArray<{ words: RegExp; advice: (detail: string) => string }> = [
	{
		words: /^Unrecognized node type: (\S+)/,
		advice: (type) =>
			`This is checked by n8n's own node ${type}, which is switched off here. Whoever runs n8n can allow it (NODES_EXCLUDE).`,
	},
	{
		words: /cannot be called by this workflow/,
		advice: () => 'The Guard Workflow belongs to another project. Choose one of the project that this workflow is in.',
	},
	{
		words: /foreign key constraint/i,
		advice: () =>
			'The workflow that is to remember what was sent does not exist. Choose another Guard Workflow, or save this workflow first.',
	},
];

const doubts: Record<Undone, string> = {
	claim:
		'Run it again. If something is then refused as sent before, it may have been marked in this run: ' +
		'see whether the bank has it before you send it again.',
	release: 'The next run will refuse it. See whether the bank has it before you send it again.',
};

export function refusalOf(context: Context, undone: Undone, cause: unknown): Refusal {
	const said = cause instanceof Error ? cause.message : String(cause);
	for (const { words, advice } of beforeTheRun) {
		const found = words.exec(said);
		if (found !== null) return new Refusal(context, undone, advice(found[1] ?? ''), true);
	}
	return new Refusal(context, undone, `${doubts[undone]} n8n says: ${said}`, false);
}

/** Where n8n has run something and what came of it cannot be read: asked again, it would answer by what it did the first time. */
export function unreadable(context: Context): Refusal {
	return new Refusal(context, 'claim', `${doubts.claim} n8n gave an answer that this node does not understand.`, true);
}

export function stoppedBeforeSending(context: Context): Refusal {
	return new Refusal(context, 'claim', 'The execution was stopped before anything was sent.', true);
}

export function notADigest(context: Context): Refusal {
	return new Refusal(context, 'claim', 'What is to be remembered is no SHA-256 digest.', true);
}
