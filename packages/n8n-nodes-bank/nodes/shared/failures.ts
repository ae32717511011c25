import {
	type BankApiError,
	type FailureDetails,
	faultText,
	type Fault,
	InputError,
	isBankFailure,
	isRecord,
	type NoAnswerError,
	offeredOf,
	type Operation,
	redact,
	resources,
	textOf,
	textOrNumber,
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

import { isOldN8n } from './oldN8n.ts';
import type { Payment } from './run/run.ts';
import { descriptionOf, inWordsOfTheForm, listed } from './words.ts';

/** What goes wrong in a job: the input, the bank, the connection, or an expression of the user's. */
export type BankFailure = BankApiError | NoAnswerError;
export type Failure = InputError | BankFailure | NodeOperationError;

/** All that a failure needs of n8n, so that triggers report theirs in the same words. */
export type FailureContext = Pick<IAllExecuteFunctions, 'getNode'>;

/** The node as it stands in stored errors: without its parameters, which hold accounts and signatures. */
export function nodeForErrors(context: FailureContext): INode {
	const node = context.getNode();
	const { resource, operation } = node.parameters;
	return { ...node, parameters: { resource: resource ?? '', operation: operation ?? '' } };
}

/** What stops a node before anything is sent: what is wrong, and what to do, in whole sentences. */
export function unsent(context: FailureContext, what: string, next: string): NodeOperationError {
	return new NodeOperationError(nodeForErrors(context), what, { description: `${next} Nothing was sent.` });
}

/** Absent in triggers. */
function chosenOperation(context: FailureContext): Operation | undefined {
	const { resource, operation } = context.getNode().parameters;
	return resources.flatMap(offeredOf).find(({ id }) => id === `${String(resource)}.${String(operation)}`);
}

/** Anything thrown while a job ran, as a failure that may be shown, in the words of the form. Triggers have no item. */
export function failureOf(context: FailureContext, error: unknown, itemIndex?: number): Failure {
	if (isBankFailure(error)) return error;
	if (error instanceof InputError) {
		const operation = chosenOperation(context);
		return new InputError(error.faults.map((fault) => inWordsOfTheForm(fault, operation)));
	}
	const { message, description } = isRecord(error) ? error : {};
	return new NodeOperationError(nodeForErrors(context), redact(verbatim(message)) || 'The node could not go on', {
		...(itemIndex === undefined ? {} : { itemIndex }),
		...(textOf(description) === '' ? {} : { description: redact(verbatim(description)) }),
	});
}

/** Faults that read alike, with the items that have them. */
function alike(faults: readonly Fault[]): [text: string, items: readonly number[]][] {
	const found = new Map<string, number[]>();
	for (const fault of faults) {
		const items = found.get(faultText(fault)) ?? [];
		found.set(faultText(fault), fault.item === undefined ? items : [...items, fault.item]);
	}
	return [...found];
}

/** Where it is the same everywhere, no list of numbers says more. n8n counts items from 0 where it shows an error. */
function placed(text: string, items: readonly number[], itemCount: number, most: number): string {
	if (items.length === 0) return text;
	if (items.length > 1 && items.length === itemCount) return `All ${itemCount} items: ${text}`;
	return `${items.length > 1 ? 'Items' : 'Item'} ${listed(items.map(String), most)}: ${text}`;
}

/** How many different faults a person reads at once. */
const mostFaults = 20;

function faultsText(faults: readonly Fault[], itemCount: number): { headline: string; lines: readonly string[] } {
	const groups = alike(faults);
	const [[text, items] = ['The input cannot be sent', []]] = groups;
	const others = faults.length - Math.max(items.length, 1);
	const lines = groups.map(([line, own]) => `- ${placed(line, own, itemCount, mostFaults)}`);
	const headline = `${placed(text, items, itemCount, 3)}${others > 0 ? ` (and ${others} more)` : ''}`;
	if (lines.length === 1 && lines[0] === `- ${headline}`) return { headline, lines: [] };
	return {
		headline,
		lines: [
			'To correct:',
			...lines.slice(0, mostFaults),
			...(lines.length > mostFaults ? [`- and ${lines.length - mostFaults} more`] : []),
		],
	};
}

/** What an error that stops the workflow says besides the failure itself. */
interface Told {
	/** The items of the request that failed. */
	items?: readonly number[];
	/** How many items the run has. */
	itemCount?: number;
	/** The payments of the request. */
	payments?: readonly Payment[];
	/** What was carried out before. */
	progress?: string;
	/** The same, for machines. */
	receipts?: readonly IDataObject[];
}

/**
 * The error that stops the workflow. n8n shows one item's number behind the message, which would mislead where a package holds several.
 */
export function errorFor(
	context: FailureContext,
	failure: Failure,
	{ items = [], itemCount = 0, payments = [], progress = '', receipts = [] }: Told = {},
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeOperationError) return failure;
	const node = nodeForErrors(context);
	const itemIndex = items.length === 1 ? items[0] : undefined;
	if (failure instanceof InputError) {
		const { headline, lines } = faultsText(failure.faults, itemCount);
		return new NodeOperationError(node, headline, {
			...(itemIndex === undefined ? {} : { itemIndex }),
			description: [progress === '' ? 'Nothing was sent.' : progress, ...lines].join('\n'),
		});
	}
	const shown = {
		...shownDetails(failure.details, payments),
		...(receipts.length === 0 ? {} : { carriedOut: receipts }),
	};
	const { message, description, httpStatus, code } = shown;
	const which = items.length > 1 && payments.length === 0 ? `It concerns items ${items[0]} to ${items.at(-1)}.` : '';
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			...(itemIndex === undefined ? {} : { itemIndex }),
			description: [progress, description, which, payments.length > 1 ? continueText : '']
				.filter((part) => part !== '')
				.join(' '),
			level: 'warning',
			...(httpStatus === undefined ? {} : { httpCode: String(httpStatus) }),
			...(httpStatus === 429 ? { failure: { cause: 'rate-limited' as const } } : {}),
			...(httpStatus === 503 ? { failure: { cause: 'temporarily-unavailable' as const } } : {}),
			...(httpStatus === 401 || code === 'TOKEN' ? { failure: { cause: 'credential-invalid' as const } } : {}),
		},
	);
	// n8n replaces messages in which it finds the name of a system error, even inside another word.
	// It takes an execution for stopped, and not for failed, by the word "canceled" in the message.
	error.message = code === 'ERR_CANCELED' ? `${message} (canceled)` : message;
	error.context.details = shown;
	return error;
}

/** n8n drops the items of a node that stops. */
const continueText = 'To go on with the other rows, set On Error in the settings of the node to Continue (using error output).';

interface FailedJson extends IDataObject {
	error: string;
	message: string;
	details: IDataObject;
}

/**
 * The item for a failure when the node goes on. n8n sends an item to the error output, with its details, only when `json`
 * holds nothing but `error`, `message` and `details`; an old one only when it holds no details and has a message.
 */
export function errorItem(
	operation: string,
	failure: Failure,
	itemIndex: number,
	payments: readonly Payment[] = [],
	more: IDataObject = {},
): INodeExecutionData {
	const json = failedJson(operation, failure, payments, more);
	const { error, message } = json;
	return { json: isOldN8n ? { error, message: message || error } : json, pairedItem: { item: itemIndex } };
}

function failedJson(
	operation: string,
	failure: Failure,
	payments: readonly Payment[],
	more: IDataObject,
): FailedJson {
	if (failure instanceof InputError) {
		const texts = failure.faults.map(faultText);
		const description = `Nothing was sent for this item. To correct: ${texts.join('; ')}.`;
		const details = {
			operation,
			code: 'invalid_input',
			message: texts[0] ?? '',
			description,
			retryable: false,
			outcome: 'notSent',
			faults: failure.faults.map(({ path, message }) => ({ path, message })),
		};
		return { error: texts[0] ?? 'The input cannot be sent', message: description, details };
	}
	if (failure instanceof NodeOperationError) {
		const description = failure.description ?? '';
		const details = {
			operation,
			code: 'invalid_input',
			message: failure.message,
			description,
			retryable: false,
			outcome: 'notSent',
		};
		return { error: failure.message, message: description, details };
	}
	const details = { ...shownDetails(failure.details, payments), ...more };
	return { error: details.message, message: details.description, details };
}

/**
 * n8n lays what goes to the error output over the input item that an object names. Where that item has an outcome of its own, such as a
 * prepared payment, it would go on saying it: a number names it as well, and its other columns stand in the details.
 */
export function besideItsInput(item: INodeExecutionData, inputs: readonly INodeExecutionData[]): INodeExecutionData {
	const { json, pairedItem } = item;
	const index = isRecord(pairedItem) ? Number(pairedItem.item) : Number.NaN;
	const input = inputs[index]?.json;
	if (!isRecord(json.details) || input?.outcome === undefined) return item;
	const row = Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'outcome' && name !== 'toSign'));
	return { ...item, json: { ...json, details: { ...json.details, input: row } }, pairedItem: index };
}

/** By the field of the form: `sequence`, or `sequences` where there are several. */
function namesIn(payments: readonly Payment[]): IDataObject {
	const [first, ...others] = payments;
	if (first === undefined) return {};
	const { paymentRun } = first.logged ?? {};
	return {
		...(paymentRun === undefined || paymentRun === '' ? {} : { paymentRun }),
		...(others.length === 0 ? { [first.field]: first.name } : { [`${first.field}s`]: payments.map(({ name }) => name) }),
	};
}

/** What workflows read of a failure: a promise, other than what core tells of it. */
function shownDetails(details: FailureDetails, payments: readonly Payment[]) {
	const { operation, httpStatus, code, message, retryable, retryAfter, outcome, requestId } = details;
	return {
		operation,
		...(httpStatus === undefined ? {} : { httpStatus }),
		...(code === undefined ? {} : { code }),
		message,
		description: descriptionOf(details),
		retryable,
		...(retryAfter === undefined ? {} : { retryAfter }),
		outcome,
		...(requestId === undefined ? {} : { requestId }),
		// Around when to look for what may have been carried out.
		...(outcome === 'unknown' ? { at: new Date().toISOString() } : {}),
		...namesIn(payments),
	};
}
