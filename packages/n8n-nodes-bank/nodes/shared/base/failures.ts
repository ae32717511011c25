import {
	type BankFailure,
	changesRecordsOnly,
	type FailureDetails,
	type ValidationIssue,
	InputError,
	isBankFailure,
	isRecord,
	omitUndefined,
	redact,
	textOf,
	verbatim,
} from '@bank/core';
import {
	type IAllExecuteFunctions,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { formLabel } from './formLabel.ts';
import { escapeHtml, inputErrorTexts, itemIssueTexts } from './issueTexts.ts';
import { descriptionOf, type RepeatAction, toFormIssue } from './messages.ts';
import type { Payment } from './payment.ts';

/** A failed job: invalid input, an error of the bank or the connection, or a failed expression. */
export type Failure = InputError | BankFailure | NodeOperationError;

/** The part of n8n that errors need; triggers have it too. */
export type FailureContext = Pick<IAllExecuteFunctions, 'getNode'>;

/** The node for stored errors, without its parameters: they hold accounts and signatures. */
export function nodeForErrors(context: FailureContext): INode {
	const node = context.getNode();
	const { resource, operation } = node.parameters;
	return { ...node, parameters: { resource: resource ?? '', operation: operation ?? '' } };
}

/** Errors whose description is HTML already. */
const withHtml = new WeakSet<Error>();

/**
 * Runs a function that n8n calls. n8n shows the description of an error as HTML, so names and the bank's texts in it are escaped here,
 * where it leaves the package.
 */
export const withEscapedDescription = async <Result>(work: () => Promise<Result>): Promise<Result> =>
	await work().catch((error: unknown) => {
		if (error instanceof Error) escapeDescription(error);
		throw error;
	});

function escapeDescription(error: Error & { description?: unknown }): void {
	if (withHtml.has(error) || typeof error.description !== 'string') return;
	error.description = escapeHtml(error.description);
	withHtml.add(error);
}

export const htmlOf = (error: NodeApiError | NodeOperationError): string =>
	withHtml.has(error) ? (error.description ?? '') : escapeHtml(error.description ?? '');

/**
 * Error raised before anything is sent.
 * @param what what happened, as a sentence without a full stop
 * @param next what to do, in whole sentences
 */
export function notSentError(context: FailureContext, what: string, next: string): NodeOperationError {
	return new NodeOperationError(nodeForErrors(context), what, { description: `${next} Nothing was sent.` });
}

/** The issues with the labels of the form. A field of a JSON document is named by its path. */
export function issuesOf(context: FailureContext, { issues }: InputError): ValidationIssue[] {
	const labelFor = (path: string) => formLabel(context, path) ?? path.replace(/\[\d+\]/g, '');
	return issues.map((issue) => toFormIssue(issue, labelFor));
}

/** Converts anything thrown to a failure that may be shown, with the labels of the form. Triggers have no item. */
export function failureOf(context: FailureContext, error: unknown, itemIndex?: number): Failure {
	if (isBankFailure(error)) return error;
	if (error instanceof InputError) return new InputError(issuesOf(context, error));
	const { message, description } = isRecord(error) ? error : {};
	return new NodeOperationError(nodeForErrors(context), redact(verbatim(message)) || 'The node could not continue', {
		itemIndex,
		...(textOf(description) === '' ? {} : { description: redact(verbatim(description)) }),
	});
}

interface ErrorContext {
	items?: readonly number[];
	itemCount?: number;
	payments?: readonly Payment[];
	details?: IDataObject;
	/** Summary of the requests that succeeded before, as HTML. */
	progress?: string;
	receipts?: readonly IDataObject[];
	again?: RepeatAction;
}

/** The error that stops the workflow. It has an item index only for a single item: n8n shows it after the message. */
export function errorFor(
	context: FailureContext,
	failure: Failure,
	{ items = [], itemCount = 0, payments = [], details = {}, progress = '', receipts = [], again }: ErrorContext = {},
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeOperationError && progress === '') return failure;
	const node = nodeForErrors(context);
	const itemIndex = items.length === 1 ? items[0] : undefined;
	if (failure instanceof NodeOperationError) {
		const description = `${progress} ${htmlOf(failure)}`.trim();
		const error = new NodeOperationError(node, failure.message, { itemIndex, description });
		withHtml.add(error);
		if (receipts.length > 0) error.context.details = { carriedOut: receipts };
		return error;
	}
	if (failure instanceof InputError) {
		const { resource, operation } = node.parameters;
		const { message, description, further } = inputErrorTexts(issuesOf(context, failure), itemCount);
		const done = progress === '' ? `${nothingDone(`${resource}.${operation}`)}.` : progress;
		const error = new NodeOperationError(node, message, { itemIndex, description: `${done}${description}` });
		error.messages.push(...further);
		withHtml.add(error);
		return error;
	}
	const shown = {
		...shownDetails(failure.details, payments, again),
		...details,
		...(receipts.length === 0 ? {} : { carriedOut: receipts }),
	};
	const { message, description, httpStatus, code } = shown;
	const which = items.length > 1 && payments.length === 0 ? `It concerns items ${items[0]} to ${items.at(-1)}.` : '';
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			itemIndex,
			description: [progress, escapeHtml(description), which, payments.length > 1 ? continueText : '']
				.filter((part) => part !== '')
				.join(' '),
			level: 'warning',
			...(httpStatus === undefined ? {} : { httpCode: String(httpStatus) }),
			...(httpStatus === 429 ? { failure: { cause: 'rate-limited' as const } } : {}),
			...(httpStatus === 503 ? { failure: { cause: 'temporarily-unavailable' as const } } : {}),
			...(httpStatus === 401 || code === 'TOKEN' ? { failure: { cause: 'credential-invalid' as const } } : {}),
		},
	);
	// Set afterwards because n8n replaces messages that contain the name of a system error, even inside another word. The
	// word "canceled" makes n8n recognize a stopped execution.
	error.message = code === 'ERR_CANCELED' ? `${message} (canceled)` : message;
	error.context.details = shown;
	withHtml.add(error);
	return error;
}

const continueText =
	'To continue with the other rows, and for an error of each payment, set On Error in the settings to Continue (using error output).';

/** Start of the message for a valid item that was not processed because another one is invalid. */
export const notProcessed = 'Not processed because of item ';

/** Local operations send nothing in any case, so "Nothing was sent" would seem to be about the payment. */
const nothingDone = (operation: string): string =>
	changesRecordsOnly(operation) ? 'Nothing was changed' : 'Nothing was sent';

/**
 * The error item if the node continues on failure. n8n sends an item to the error output, with its details, only if
 * `json` has no other keys than `error`, `message` and `details`.
 */
export const errorItem = (
	operation: string,
	failure: Failure,
	itemIndex: number,
	payments: readonly Payment[] = [],
	more: IDataObject = {},
): INodeExecutionData => ({
	json: failedJson(operation, failure, payments, more),
	pairedItem: { item: itemIndex },
});

function failedJson(operation: string, failure: Failure, payments: readonly Payment[], more: IDataObject): IDataObject {
	if (isBankFailure(failure)) {
		// Fields of the bank's response, such as `message` or `outcome`, never replace fields of the node.
		const details = { ...more, ...shownDetails(failure.details, payments) };
		return { error: details.message, message: details.description, details };
	}
	const issues = failure instanceof InputError ? failure.issues : [];
	const texts = itemIssueTexts(issues);
	const text = texts[0] ?? failure.message;
	const isOfOther = text.startsWith(notProcessed);
	const next = isOfOther ? 'Correct the other item, then run again' : `To correct: ${texts.join('; ')}`;
	const description =
		failure instanceof InputError ? `${nothingDone(operation)} for this item. ${next}.` : (failure.description ?? '');
	const shown = issues.map(({ path, label = path, message, value, row }) =>
		omitUndefined({ path, label, message, value, row }),
	);
	const details = {
		operation,
		code: failure instanceof InputError ? 'invalid_input' : 'node_error',
		message: text,
		description,
		retryable: false,
		outcome: changesRecordsOnly(operation) ? 'nothingChanged' : 'notSent',
		...(shown.length === 0 ? {} : { issues: shown }),
	};
	return { error: text, message: description, details };
}

/**
 * Adds the input row to the details of an error item. If `pairedItem` is an object, n8n merges the error item into the
 * input item, whose own `outcome` would remain. If it is a number, n8n does not merge.
 */
export function withInputRow(item: INodeExecutionData, inputs: readonly INodeExecutionData[]): INodeExecutionData {
	const { json, pairedItem } = item;
	const index = isRecord(pairedItem) ? Number(pairedItem.item) : Number.NaN;
	const input = inputs[index]?.json;
	if (!isRecord(json.details) || input?.outcome === undefined) return item;
	const row = Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'outcome' && name !== 'toSign'));
	return { ...item, json: { ...json, details: { ...json.details, input: row } }, pairedItem: index };
}

/** `sequence`, or `sequences` if there are several. */
function namesIn(payments: readonly Payment[]): IDataObject {
	const [first, ...others] = payments;
	if (first === undefined) return {};
	const paymentRun = first.payout?.paymentRun ?? '';
	return {
		...(paymentRun === '' ? {} : { paymentRun }),
		...(others.length === 0
			? { [first.field]: first.name }
			: { [`${first.field}s`]: payments.map(({ name }) => name) }),
	};
}

/** Details for workflows: a stable interface, unlike the details of core. */
function shownDetails(details: FailureDetails, payments: readonly Payment[], again?: RepeatAction) {
	const { operation, httpStatus, code, message, retryable, retryAfter, outcome, requestId } = details;
	return omitUndefined({
		operation,
		httpStatus,
		code,
		message,
		description: descriptionOf(details, again),
		retryable,
		retryAfter,
		outcome,
		requestId,
		// The time from which to look for payments that may have been sent.
		at: outcome === 'unknown' ? new Date().toISOString() : undefined,
		...namesIn(payments),
	});
}
