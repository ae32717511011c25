import type {
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
import type { IDataObject } from 'n8n-workflow';

import type { Limits } from '../limits/limits.ts';
import type { LookedUp, ProtectionContext } from '../idempotency/protect.ts';
import type { Failure } from '../base/failures.ts';
import type { Payment } from '../base/payment.ts';
import type { ExtraFields, Items, Job, Run } from '../form/run.ts';

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
	/** What the payment log says about the payments of the run. */
	lookedUp(): Promise<LookedUp>;
	limits(): Promise<Limits>;
}

export interface AmendedRequest {
	/** The request to send instead. Default: the prepared one. */
	prepared?: PreparedRequest;
	/** Added to the output and to the preview. */
	added?: ExtraFields;
}

export interface CompletedRequest<O extends Operation = Operation, J extends Job = Job> {
	job: J;
	/** The input as sent: an earlier try may have sent other values. */
	sent: InputOf<O>;
	result: CallResult<Lenient<OutputOf<O>>>;
	/** When the response arrived, in milliseconds since 1970. */
	at: number;
	added: ExtraFields;
}

/**
 * Code of one operation whose form needs more than its schema. `J` may add data to its jobs. Declared as methods, so that
 * hooks of any operation are assignable to `OperationHooks`.
 */
export interface OperationHooks<O extends Operation = Operation, J extends Job = Job> {
	/** The jobs of all items. Default: one per item. */
	jobs?(run: Run): J[] | Promise<J[]>;
	/** The input of one item. Default: `readGenerated`. */
	read?(run: Run, item: number): OperationInput | Promise<OperationInput>;
	/** Runs before the request is encoded, may read from the bank, and may throw an InputError. */
	amend?(run: Run, job: J, prepared: PreparedRequest<InputOf<O>>, read: Read): Promise<AmendedRequest>;
	/** The payments of a validated request, in its order. */
	payments?(run: Run, job: J, sent: InputOf<O>): readonly Payment[];
	/** The payments of an invalid job, as far as they can be identified, to report those that were sent earlier. */
	identify?(run: Run, job: J): readonly Payment[];
	/** The job with these payments only. The job's other payments were already sent. */
	narrow?(job: J, sent: InputOf<O>, payments: readonly Payment[]): J;
	/** The result of each payment of an accepted request. Default: one accepted payment, with the items of `output`. */
	results?(run: Run, done: CompletedRequest<O, J>): Promise<ResponseResults>;
	/** Payments of the input that were already sent. They are not sent again, but their results are in the output. */
	passThrough?(run: Run): readonly SettledPayment[];
	/** Fields that identify an accepted item in an error that stops the node, because n8n then drops the items. */
	receiptFields?: readonly string[];
	/** The items of all payments as if an earlier run had sent them, by the name of the payment. */
	earlierItems?(run: Run, job: J, sent: InputOf<O>): Promise<ReadonlyMap<string, ExtraFields>>;
	/** Turns the response into items. Default: pipeline/present.ts. */
	output?(run: Run, done: CompletedRequest<O, J>, bank: BankAccess): Items | Promise<Items>;
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
	/** Adds hints about all items of the run. */
	summarize?(run: Run, items: Items, bank: BankAccess): Promise<void>;
	/** The items of each output, for a node with several. Default: all in the first one. */
	outputs?(items: Items): Items[];
	/** Turns a preview into items. Default: pipeline/present.ts. */
	previewItems?(
		run: Run,
		job: J,
		prepared: PreparedRequest<InputOf<O>>,
		bank: BankAccess,
		payments: readonly Payment[],
	): Items | Promise<Items>;
}

/** A payment with a result of this run or an earlier one, and its output items. */
export interface SettledPayment {
	payment: Payment;
	/** The results of the job, or its error. */
	items: Items;
	/** The bank's IDs, if this run sent it. */
	ids?: { payPackage: string; transactionId: string } | undefined;
	/** Absent if it was accepted. */
	failure?: Failure;
	/** Payment ID, execution and time of a failure, for *Resolve*. */
	details?: IDataObject;
	isEarlier: boolean;
}

/** What an accepted request says about its payments. */
export interface ResponseResults {
	/**
	 * The result of each payment, by the name of the payment; with items if it was accepted. A payment without a result
	 * may have been made.
	 */
	payments: ReadonlyMap<string, Partial<SettledPayment>>;
	/** Errors for rows of the response that match no payment. */
	others: Items;
}

export interface BoundHooks {
	operation: Operation;
	hooks: OperationHooks;
}

export function bindHooks<O extends Operation, J extends Job = Job>(
	operation: O,
	hooks: OperationHooks<O, J>,
): BoundHooks {
	return { operation, hooks };
}

/**
 * Whether Preview is on for an item. Any value except a clear "no" counts as on, so that an expression without a result
 * sends nothing.
 */
export function isPreview({ parameters }: Pick<Run, 'parameters'>, item: number): boolean {
	return !/^(false|no|0)$/i.test(parameters.text('preview', item, 'false'));
}
