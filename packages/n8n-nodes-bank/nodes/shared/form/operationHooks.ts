import type {
	BankFailure,
	Lenient,
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

import type { Limits } from '../limits/limits.ts';
import type { PaymentResult, Protection, ProtectionContext } from '../idempotency/protection.ts';
import type { ExtraFields, Items, Job, Payment, Run } from '../pipeline/run.ts';

/** Reads from another operation before sending. `advice` tells the user how to avoid this read. */
export type Read = <Input extends CheckedInput, Output>(
	operation: Operation<Input, Output>,
	input: OperationInput,
	advice: NextStep,
) => Promise<CallResult<Lenient<Output>>>;

/** The part of the session that hooks may use. */
export interface BankAccess {
	credentialType: string;
	send: Send;
	readonly context: ProtectionContext;
	protection(): Promise<Protection>;
	limits(): Promise<Limits>;
}

export interface AmendedRequest {
	/** The request to send instead. Default: the prepared one. */
	prepared?: PreparedRequest;
	/** Passed to `output` and `extraFields`, and shown in the preview. */
	added?: ExtraFields;
}

export interface CompletedRequest<O extends Operation = Operation> {
	job: Job;
	/** The input as sent: an earlier try may have sent other values. */
	sent: InputOf<O>;
	result: CallResult<Lenient<OutputOf<O>>>;
	/** When the response arrived, in milliseconds since 1970. */
	at: number;
	added: ExtraFields;
}

/**
 * Hooks of one operation whose form does more than its schema. Declared as methods so that hooks of any operation are
 * assignable to `OperationHooks`.
 */
export interface OperationHooks<O extends Operation = Operation> {
	/** The jobs of all items. Default: one per item. */
	jobs?(run: Run): Job[] | Promise<Job[]>;
	/** The input of one item. Default: `readGenerated`. */
	read?(run: Run, item: number): OperationInput | Promise<OperationInput>;
	/** Runs before the request is encoded, may read from the bank, and may throw an InputError. */
	amend?(run: Run, job: Job, prepared: PreparedRequest<InputOf<O>>, read: Read): Promise<AmendedRequest>;
	/** The payments of a validated request, in its order. Default: the request itself if the bank allows it only once. */
	payments?(run: Run, job: Job, sent: InputOf<O>): readonly Payment[];
	/** The job with these payments only; the others were already sent. */
	narrow?(job: Job, sent: InputOf<O>, payments: readonly Payment[]): Job;
	/** Result of each payment of an accepted request. Default: all are accepted, with the items of `output`. */
	results?(run: Run, done: CompletedRequest<O>): Promise<readonly RowResult[]>;
	/** Input rows that were already sent: returned with the others and not sent. */
	passThrough?(run: Run): readonly SentBefore[];
	/** Fields that identify an accepted item in an error that stops the node, because n8n then drops the items. */
	receiptFields?: readonly string[];
	/** The items of all payments as if an earlier run had sent them, by the name of the payment. */
	earlierItems?(run: Run, job: Job, sent: InputOf<O>): Promise<ReadonlyMap<string, ExtraFields>>;
	/** Fields to add to every item of the response. */
	extraFields?(done: CompletedRequest<O>): ExtraFields;
	/** Turns the response into items. Default: pipeline/present.ts. */
	output?(run: Run, done: CompletedRequest<O>, bank: BankAccess): Items | Promise<Items>;
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
	/** Adds hints about all items of the run. */
	summarize?(run: Run, items: Items, bank: BankAccess): Promise<void>;
	/** Turns a preview into items. Default: pipeline/present.ts. */
	previewItems?(
		run: Run,
		job: Job,
		prepared: PreparedRequest<InputOf<O>>,
		bank: BankAccess,
		payments: readonly Payment[],
	): Items | Promise<Items>;
}

export interface SentBefore {
	item: number;
	json: ExtraFields;
	/** Present if it is not known as accepted. */
	failure?: BankFailure;
}

/** Result of one payment of an accepted request. */
export interface RowResult extends Pick<PaymentResult, 'payPackage' | 'transactionId'> {
	/** Name of the payment. Absent for a row of the response that matches no payment of the request. */
	name?: string;
	item: number;
	/** The item of an accepted payment, or details for the error of any other. */
	json: ExtraFields;
	binary?: Items[number]['binary'];
	/** Present if it is not accepted. */
	failure?: BankFailure;
}

export interface BoundHooks {
	operation: Operation;
	hooks: OperationHooks;
}

export function bindHooks<O extends Operation>(operation: O, hooks: OperationHooks<O>): BoundHooks {
	return { operation, hooks };
}

/** Name of the collection of optional fields. */
export function collectionOf(operation: Operation): 'filters' | 'additionalFields' {
	return operation.effect === 'read' && operation.body === undefined ? 'filters' : 'additionalFields';
}

/**
 * Whether Preview is on for an item. Any value except a clear "no" counts as on, so that an expression without a result
 * sends nothing.
 */
export function isPreview({ parameters }: Pick<Run, 'parameters'>, item: number): boolean {
	return !/^(false|no|0)$/i.test(parameters.text('preview', item, 'false'));
}
