import type { CheckedInput, Fault, Operation, OperationInput } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { PaymentName } from '../idempotency/keys.ts';
import type { Parameters } from '../parameters.ts';

/**
 * All that the pipeline and the forms need of n8n, so that each can be tested without it. Duplicate protection and the HTTP client need
 * more: see idempotency/protection.ts and send.ts.
 */
export type RunContext = Pick<
	IExecuteFunctions,
	| 'continueOnFail'
	| 'evaluateExpression'
	| 'getCredentials'
	| 'getExecutionId'
	| 'getInputData'
	| 'getMode'
	| 'getNode'
	| 'getNodeParameter'
	| 'getParentNodes'
	| 'getTimezone'
> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryDataBuffer' | 'prepareBinaryData'>;
	/** A hint shown above the node's output. */
	addExecutionHints?: IExecuteFunctions['addExecutionHints'];
	/** What is kept of the run beside its data. */
	setMetadata?: IExecuteFunctions['setMetadata'];
	getWorkflowDataProxy?: IExecuteFunctions['getWorkflowDataProxy'];
};

/** One run of a node: an operation over its input items. Handed from room to room. */
export interface Run {
	readonly context: RunContext;
	readonly operation: Operation;
	readonly parameters: Parameters;
	readonly itemCount: number;
}

/** Something that must happen once: a payment, a debit, a request that the bank allows once. */
export interface Payment extends PaymentName {
	/** The field of the form that a person knows it by, such as `sequence`. */
	field: string;
	/** The value of that field. */
	name: string;
	/** The input item it comes from. */
	item: number;
	/** Its fields without the name, to notice that one of them has changed. */
	content: Readonly<Record<string, string>>;
	/** What the payment log says of it; absent where there is no log. */
	logged?: { paymentRun: string; amount: string; phone: string };
}

/** One request to make: from one input item, or from several of them. */
export interface Job<Input extends CheckedInput = CheckedInput> {
	/** The input items it comes from; results and failures go back to them. */
	items: number[];
	input: OperationInput;
	/** A fault in the words of the form, at the item that caused it; nothing where another fault says as much. */
	locate?: (fault: Fault) => Fault | undefined;
	/** The payments of the checked request, in its order: see `Form.payments`. */
	payments?(sent: Input): readonly Payment[];
	/** Whether it is sent whole or not at all, such as a prepared package. */
	isWhole?: boolean;
}

/** What is asked for again and again in a run, and is the same each time, such as what a credential holds. */
export function oncePerRun<Value>(read: (run: Run) => Promise<Value>): (run: Run) => Promise<Value> {
	const known = new WeakMap<Run, Promise<Value>>();
	return async (run) => {
		const value = known.get(run) ?? read(run);
		known.set(run, value);
		return await value;
	};
}

export const firstItem = ({ items }: Pick<Job, 'items'>): number => items[0] ?? 0;

/** What the form adds to the items, beside the answer. */
export type Added = IDataObject;

export type Items = INodeExecutionData[];
