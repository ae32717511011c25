import type { CheckedInput, Fault, Operation, OperationInput } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Parameters } from '../parameters.ts';

/**
 * What rooms and forms need of n8n, so that each can be tested without it. The memory of what was sent and the network are not
 * among it: claim.ts and send.ts alone ask for those.
 */
export type RunContext = Pick<
	IExecuteFunctions,
	| 'continueOnFail'
	| 'evaluateExpression'
	| 'getCredentials'
	| 'getInputData'
	| 'getNode'
	| 'getNodeParameter'
	| 'getTimezone'
> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryDataBuffer' | 'prepareBinaryData'>;
	/** A word above the output. */
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

/** Something that happens once: a payment, a debit, a request that the bank allows once. */
export interface Identity {
	/** The field of the form that a person knows it by, such as `sequence`. */
	field: string;
	/** What stands in that field. */
	name: string;
	/** All that tells it from another, at one bank. Never a place in a run, nor a time. */
	value: unknown;
	/** The input item it comes from. */
	item: number;
	/** Several that are equal are meant as several: nothing that the user gave tells them apart. */
	countsEquals?: boolean;
}

/** One request to make: from one input item, or from several of them. */
export interface Job<Input extends CheckedInput = CheckedInput> {
	/** The input items it comes from; results and failures go back to them. */
	items: number[];
	input: OperationInput;
	/** A fault in the words of the form, at the item that caused it; nothing where another fault says as much. */
	locate?: (fault: Fault) => Fault | undefined;
	/** What of the checked request must not be sent twice, over all executions: see `Form.identities`. */
	identities?(sent: Input): readonly Identity[];
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
