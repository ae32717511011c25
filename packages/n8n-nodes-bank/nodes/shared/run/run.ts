import type { Operation, OperationInput, Fault } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Parameters } from '../parameters.ts';

/**
 * What rooms and forms need of n8n, so that each can be tested without it. The memory of what was sent and the network are not
 * among it: claim.ts and send.ts alone ask for those.
 */
export type RunContext = Pick<
	IExecuteFunctions,
	'continueOnFail' | 'getCredentials' | 'getInputData' | 'getNode' | 'getNodeParameter' | 'getTimezone'
> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryDataBuffer' | 'prepareBinaryData'>;
};

/** One run of a node: an operation over its input items. Handed from room to room. */
export interface Run {
	readonly context: RunContext;
	readonly operation: Operation;
	readonly parameters: Parameters;
	readonly itemCount: number;
}

/** One request to make: from one input item, or from several of them. */
export interface Job {
	/** The input items it comes from; results and failures go back to them. */
	items: number[];
	input: OperationInput;
	/** A fault in the words of the form, at the item that caused it. */
	locate?: (fault: Fault) => Fault;
}

export const firstItem = ({ items }: Pick<Job, 'items'>): number => items[0] ?? 0;

/** What the form adds to the items, beside the answer. */
export type Added = IDataObject;

export type Items = INodeExecutionData[];
