import type { ValidationIssue, Operation, OperationDetails, OperationInput } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { Parameters } from '../form/parameters.ts';
import { escapeHtml } from '../issueTexts.ts';

/**
 * The part of n8n that the pipeline and the operation hooks use. Duplicate protection and the HTTP client need more:
 * see idempotency/protection.ts and http/bankHttpClient.ts.
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
	/** The body that the node gives instead of fields. */
	payload?: unknown;
	/** Headers that the credential sends itself. */
	ownHeaders: readonly string[];
	isRestricted: boolean;
	/** The operation with the fields that the details name. */
	operation: Operation;
}

/**
 * Something that must happen at most once: a payment, a debit, or a request that the bank allows once. `own` or `recipient`
 * identifies it, normalized and the same on every run. Its content does not, so that a corrected payment has the idempotency
 * key of the one that was sent.
 */
export interface Payment {
	/** The user's own identifier: payment run and sequence, or a transaction ID. */
	own?: readonly string[];
	/** Payment run and recipient, for payments without an identifier. Several to one recipient are counted. */
	recipient?: readonly string[];
	/** Parameter that identifies it to the user, such as `sequence`. */
	field: string;
	/** The value of that field. */
	name: string;
	/** The input item it comes from. */
	item: number;
	/** Name of the recipient in the user's columns. */
	rowName?: string | undefined;
	/** Its fields, normalized: to detect changes, for limits and for the payment log. */
	content: Readonly<Record<string, string>>;
	/** As the user entered it. */
	paymentRun?: string;
	/** Masked. */
	phone?: string;
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
	/** Issues because of which it is not carried out. */
	issues?: readonly ValidationIssue[];
	/** Whether it is sent completely or not at all, such as a prepared package. */
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
