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

import type { LogRow } from './idempotency/paymentLog.ts';
import type { PaymentResult, Protection, ProtectionContext } from './idempotency/protection.ts';
import type { BankFailure } from './failures.ts';
import type { Added, Items, Job, Payment, Run } from './run/run.ts';

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
	readonly context: ProtectionContext;
	/** Duplicate protection of payments at this bank. */
	protection(payments: readonly Payment[]): Promise<Protection>;
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
	/** The payments of a checked request, in its order. Default: the request, where the bank allows it once. */
	payments?(run: Run, job: Job, sent: InputOf<O>): readonly Payment[];
	/** The job with some of its payments only, where the others were sent before. */
	narrow?(run: Run, job: Job, payments: readonly Payment[]): Job;
	/** What each payment of an accepted request came to, in the order of the request. Default: all accepted, with the items of `output`. */
	results?(run: Run, done: Done<O>): Promise<readonly RowResult[]>;
	/** Rows of the input that were sent before this run was prepared: they are not sent, and come out with the others. */
	passThrough?(run: Run): readonly SentBefore[];
	/** Fields of an item that name what was accepted, for an error that stops the node: n8n drops the items then. */
	receipt?: readonly string[];
	/** The item of a payment that was accepted earlier. */
	acceptedEarlier?(run: Run, job: Job, payment: Payment, row: LogRow): Promise<Added>;
	/** Fields to add to every item that the answer becomes. */
	more?(done: Done<O>): Added;
	/** Turns the answer into items in another way than run/present.ts does. */
	output?(run: Run, done: Done<O>): Items | Promise<Items>;
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
	/** Turns what is not sent into items in another way than run/present.ts does. */
	shown?(
		run: Run,
		job: Job,
		prepared: PreparedRequest<InputOf<O>>,
		line: Line,
		payments: readonly Payment[],
	): Items | Promise<Items>;
}

/** A row of the input that was sent before. */
export interface SentBefore {
	item: number;
	json: Added;
	/** Where it is not known as accepted. */
	failure?: BankFailure;
}

/** What one payment of an accepted request came to. */
export interface RowResult extends Pick<PaymentResult, 'payPackage' | 'transactionId'> {
	/** Name of the payment. Absent where the response has a row that belongs to no payment of the request. */
	name?: string;
	item: number;
	/** Of an accepted payment: the item. Of any other: what the response says of it, for the details of the error. */
	json: Added;
	/** A file of the response. */
	binary?: Items[number]['binary'];
	/** Why it does not count as accepted. */
	failure?: BankFailure;
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
