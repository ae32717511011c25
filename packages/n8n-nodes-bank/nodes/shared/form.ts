import { type CallResult, type Fault, type Operation, type OperationInput, type PreparedRequest, unwrap } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** One request to make: from one input item, or from several of them. */
export interface Job {
	/** The input items it comes from; results and failures go back to them. */
	items: number[];
	input: OperationInput;
	/** A fault in the words of the form, at the item that caused it. */
	locate?: (fault: Fault) => Fault;
}

export type Parameter = (name: string, item: number, fallback?: unknown) => unknown;

export interface FormContext {
	context: IExecuteFunctions;
	operation: Operation;
	parameter: Parameter;
	itemCount: number;
}

/** What happens around the request, for operations whose form says more than their schema. */
export interface Form {
	/** The jobs of all items. Default: one per item. */
	jobs?: (form: FormContext) => Job[];
	/** The input of one item. Default: `readGenerated`. */
	read?: (form: FormContext, item: number) => OperationInput;
	/** Runs right before sending, and may refuse with an InputError. What it resolves with goes to `output` and `preview`. */
	before?: (form: FormContext, job: Job, prepared: PreparedRequest, read: (id: string, input: OperationInput, advice: string) => Promise<CallResult>) => Promise<IDataObject>;
	/** Turns the answer into items. Default: see `itemsOf` in execute.ts. */
	output?: (form: FormContext, job: Job, result: CallResult, extra: IDataObject) => INodeExecutionData[];
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
}

/** Whether the Preview switch is on for an item. An expression may say so in words, and in doubt nothing must be sent. */
export function isPreview(parameter: Parameter, item: number): boolean {
	return !/^(false|no|0|)$/i.test(String(parameter('preview', item, false) ?? '').trim());
}

/** Reads a generated form: required fields stand alone, optional ones under a collection (see scripts/forms.ts). */
export function readGenerated({ operation, parameter }: FormContext, item: number): OperationInput {
	const collection = parameter(operation.effect === 'read' ? 'filters' : 'additionalFields', item, {}) as IDataObject;
	const group = (schema: Operation['body']) =>
		schema === undefined
			? undefined
			: Object.fromEntries(
					Object.entries(schema.entries).map(([name, entry]) => [name, unwrap(entry).optional ? collection[name] : parameter(name, item)]),
				);
	const { list } = operation;
	const query = group(operation.query);
	if (query !== undefined && list !== undefined) for (const paging of [list.offset, list.limit]) if (paging !== undefined) delete query[paging];
	const path = group(operation.pathFields);
	const body = group(operation.body);
	return { ...(path === undefined ? {} : { path }), ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) };
}
