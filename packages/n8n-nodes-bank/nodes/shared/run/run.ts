import type { Operation, OperationInput, Fault } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * What rooms and forms need of n8n, so that each can be tested without it. The memory of what was sent and the network are not
 * among it: claim.ts and send.ts alone ask for those.
 */
export type RunContext = Pick<
	IExecuteFunctions,
	'continueOnFail' | 'getInputData' | 'getNode' | 'getNodeParameter' | 'getTimezone'
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

/** What the user filled in. An expression may give anything at all, so that each reading says what it wants. */
export class Parameters {
	readonly #context: Pick<RunContext, 'getNodeParameter'>;

	constructor(context: Pick<RunContext, 'getNodeParameter'>) {
		this.#context = context;
	}

	/** As it is. Without a fallback n8n throws where the field is hidden. */
	value(name: string, item: number, fallback?: unknown): unknown {
		// n8n types a fallback by the answer it expects.
		return this.#context.getNodeParameter(name, item, fallback as never);
	}

	/** Without the spaces at its ends; empty where there is nothing. */
	text(name: string, item: number, fallback = ''): string {
		return String(this.value(name, item, fallback) ?? '').trim();
	}

	/** Only a plain yes is one: an expression that gives nothing switches nothing on. */
	flag(name: string, item: number, fallback = false): boolean {
		return isOn(this.value(name, item, fallback));
	}

	/** The members of a collection; those that the user has not added are absent. */
	group(name: string, item: number): IDataObject {
		const group = this.value(name, item, {});
		return isObject(group) ? group : {};
	}

	/** The members of *Options*. */
	options(item: number): IDataObject {
		return this.group('options', item);
	}
}

export const isOn = (value: unknown): boolean => value === true || value === 'true';

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the form adds to the items, beside the answer. */
export type Added = IDataObject;

export type Items = INodeExecutionData[];
