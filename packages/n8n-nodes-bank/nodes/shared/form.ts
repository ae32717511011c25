import type {
	Answered,
	CallResult,
	CheckedInput,
	InputOf,
	NextStep,
	Operation,
	OperationInput,
	OutputOf,
	PreparedRequest,
	Send,
} from '@bank/core';

import type { JournalRow } from './journal.ts';
import type { Added, Identity, Items, Job, Run } from './run/run.ts';

/** Another operation's read, for checks before sending. `advice` says how to do without it. */
export type Read = <Input extends CheckedInput, Output>(
	operation: Operation<Input, Output>,
	input: OperationInput,
	advice: NextStep,
) => Promise<CallResult<Answered<Output>>>;

/** The way to the bank itself, for what looks at that and not at an answer. */
export interface Line {
	/** The credential that it leads over. */
	credentialType: string;
	send: Send;
}

/** What is known of a request once everything that had to be asked before sending was asked. */
export interface Amended {
	/** The request to send instead. Default: the prepared one. */
	prepared?: PreparedRequest;
	/** Goes to `output`, `more` and the preview. */
	added?: Added;
}

/** A request that was carried out, as a form sees it. */
export interface Done<O extends Operation = Operation> {
	job: Job;
	/** As it was sent: an earlier try may have sent another than this job would. */
	sent: InputOf<O>;
	result: CallResult<Answered<OutputOf<O>>>;
	/** When the answer came, in milliseconds since 1970: to an earlier try, perhaps. */
	at: number;
	added: Added;
}

/**
 * What happens around the request, for operations whose form says more than their schema. It knows the fields of its operation;
 * what takes them is a method, so that it is a `Form` like any other.
 */
export interface Form<O extends Operation = Operation> {
	/** The jobs of all items. Default: one per item. */
	jobs?(run: Run): Job[] | Promise<Job[]>;
	/** The input of one item. Default: `readGenerated`. */
	read?(run: Run, item: number): OperationInput | Promise<OperationInput>;
	/** Runs before the request is sealed, may read from the bank, and may refuse with an InputError. */
	amend?(run: Run, job: Job, prepared: PreparedRequest<InputOf<O>>, read: Read): Promise<Amended>;
	/**
	 * What of a checked request must not be sent twice, over all executions. Default: the request, where the bank allows it once. Jobs
	 * that the form makes itself say it themselves.
	 */
	identities?(run: Run, job: Job, sent: InputOf<O>): readonly Identity[];
	/** Fields of the items that tell what was carried out, where a failure stops the node: their other fields are lost then. */
	receipt?: readonly string[];
	/** What the journal says of a job, by the items that it became. */
	journal?(job: Job, items: Items): JournalRow[];
	/** Fields to add to every item that the answer becomes. */
	more?(done: Done<O>): Added;
	/** Turns the answer into items in another way than run/present.ts does. */
	output?(run: Run, done: Done<O>): Items | Promise<Items>;
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
	/** Turns what is not sent into items in another way than run/present.ts does. */
	shown?(run: Run, job: Job, prepared: PreparedRequest<InputOf<O>>, line: Line): Items | Promise<Items>;
}

/** A form and the operation that it is the form of. */
export interface BoundForm {
	operation: Operation;
	form: Form;
}

export function formOf<O extends Operation>(operation: O, form: Form<O>): BoundForm {
	return { operation, form };
}

/** The collection that holds the optional fields: those of a query only narrow what is found. */
export function collectionOf(operation: Operation): 'filters' | 'additionalFields' {
	return operation.effect === 'read' && operation.body === undefined ? 'filters' : 'additionalFields';
}

/** Whether the Preview switch is on for an item: only a plain no sends. An expression may give nothing, or say it in words. */
export function isPreview({ parameters }: Pick<Run, 'parameters'>, item: number): boolean {
	return !/^(false|no|0)$/i.test(parameters.text('preview', item, 'false'));
}
