import type { ValidationIssue, Operation, OperationDetails, OperationInput } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { Parameters } from './parameters.ts';
import { escapeHtml } from '../base/issueTexts.ts';

/**
 * The part of n8n that the pipeline and the operation hooks use. Duplicate protection and the HTTP client need more:
 * see idempotency/protect.ts and http/bankHttpClient.ts.
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
> &
	Partial<
		Pick<
			IExecuteFunctions,
			'addExecutionHints' | 'getChildNodes' | 'getWorkflowDataProxy' | 'sendResponse' | 'setMetadata'
		>
	> & {
		helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryDataBuffer' | 'prepareBinaryData'>;
	};

/** One run of a node: an operation over its input items. */
export interface Run {
	readonly context: RunContext;
	readonly operation: Operation;
	readonly parameters: Parameters;
	readonly itemCount: number;
	/** Service details of the operation, for what the API description does not show. */
	readonly service?: ServiceOfRun;
}

interface ServiceOfRun {
	credentialType: string;
	details: OperationDetails;
	/** The body that a field of the node gives as JSON, in place of single fields. */
	payload?: unknown;
	/** Headers that the credential sends itself. */
	ownHeaders: readonly string[];
	isRestricted: boolean;
}

/** One request, from one or several input items. */
export interface Job {
	/** Input items that results and failures belong to. */
	items: number[];
	input: OperationInput;
	/** The operation with its service details. Default: that of the run. */
	operation?: Operation;
	/** Translates an issue to the field and item of the form; undefined if another issue covers it. */
	locate?: (issue: ValidationIssue) => ValidationIssue | undefined;
	/** Issues because of which the job is not carried out. */
	issues?: readonly ValidationIssue[];
	/** Whether the job is sent completely or not at all, such as a prepared package. */
	isWhole?: boolean;
}

/** Shows a hint above the output of the node. n8n shows it as HTML, so it is escaped. Triggers have no execution hints. */
export const showHint = (
	{ context }: Pick<Run, 'context'>,
	type: NonNullable<NodeExecutionHint['type']>,
	message: string,
): void => context.addExecutionHints?.({ message: escapeHtml(message), type, location: 'outputPane' });

/** Caches a value for a run, such as the data of a credential. */
export function oncePerRun<Value extends object>(read: (run: Run) => Value): (run: Run) => Value {
	// Keyed by the context, because items with service details have separate runs.
	const known = new WeakMap<RunContext, Value>();
	return (run) => {
		const value = known.get(run.context) ?? read(run);
		known.set(run.context, value);
		return value;
	};
}

export const firstItem = ({ items }: Pick<Job, 'items'>): number => items[0] ?? 0;

export type ExtraFields = IDataObject;

export type Items = INodeExecutionData[];
