import {
	type ValidationIssue,
	InputError,
	ListBudget,
	namesSuccess,
	type Operation,
	type OperationInput,
	type PageOptions,
	type PrepareOptions,
	textOrNumber,
	type PollOptions,
	wholeNumbers,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { isItemJson } from '../form/itemJson.ts';
import { chosenIn, isExpression } from '../form/parameters.ts';
import { refuseNondeterministic } from '../idempotency/nondeterministic.ts';
import type { ProtectionSettings } from '../idempotency/protection.ts';
import type { RequestLimits } from '../http/deadline.ts';
import { outputFieldsOf } from './outputFields.ts';
import { oncePerRun, type Run } from './run.ts';

/** Paging options, and the mapping of a row. */
export interface Paging extends Pick<PageOptions, 'limit' | 'pageSize' | 'prefetch' | 'budget'> {
	mapRow: (row: unknown) => object;
}

export type PollSettings = Omit<PollOptions, 'wait'>;

export function arrayFormatIn(options: IDataObject): Pick<PrepareOptions, 'arrayFormat'> {
	const arrayFormat = textOrNumber(options.arrayFormat);
	return arrayFormat === '' ? {} : { arrayFormat };
}

export function preparingOf({ context, parameters }: Run, item: number): PrepareOptions {
	return { timeZone: context.getTimezone(), ...arrayFormatIn(parameters.options(item)) };
}

/** Maximum number of parallel requests; at least 1. */
export function concurrencyOf({ operation, parameters }: Run): number {
	if (operation.effect !== 'read') return 1;
	return Math.max(1, Math.trunc(Number(parameters.options(0).concurrency ?? 5)) || 1);
}

/** @throws InputError if an expression does not return a number: without a limit the outcome might stay unknown */
export function requestLimitsOf(options: IDataObject, seconds = 60): RequestLimits {
	const { timeout, maxResponseSize } = wholeNumbers({
		timeout: { value: options.timeout ?? seconds, min: 1 },
		maxResponseSize: { value: options.maxResponseSize ?? 16, min: 1 },
	});
	return { seconds: timeout, bytes: maxResponseSize * 1024 * 1024 };
}

/**
 * @param hasOwnOutput whether the form builds items itself from unchanged rows
 * @throws InputError if an expression does not return a number
 */
export function pagingOf(run: Run, item: number, hasOwnOutput: boolean): Paging | undefined {
	const { operation, parameters } = run;
	const { list } = operation;
	if (list === undefined) return undefined;
	const size = { value: parameters.options(item).pageSize ?? 50, min: 1 };
	const numbers = parameters.flag('returnAll', item)
		? wholeNumbers({ pageSize: size })
		: wholeNumbers({ pageSize: size, limit: { value: parameters.value('limit', item, 50), min: 1 } });
	// Items are read in parallel, so they share the limit of parallel requests.
	const prefetch = Math.max(1, Math.floor(concurrencyOf(run) / run.itemCount));
	const mapRow = outputFieldsOf(run, item, (row) => list.simplify(row));
	return { ...numbers, prefetch, budget: budgetOf(run), mapRow: hasOwnOutput ? Object : mapRow };
}

/** Shared by all lists of a run, because together they must fit into memory. */
const budgetOf = oncePerRun(({ parameters }) => listBudgetOf(parameters.options()));

/** @throws InputError if an expression does not return a number */
export function listBudgetOf(options: IDataObject): ListBudget {
	const { maxRows, maxMegabytes } = wholeNumbers({
		maxRows: { value: options.maxRows ?? 100_000, min: 1 },
		maxMegabytes: { value: options.maxMegabytes ?? 256, min: 1 },
	});
	return new ListBudget(maxRows, maxMegabytes);
}

export function withOffset({ operation, parameters }: Run, input: OperationInput, item: number): OperationInput {
	const field = operation.list?.offset;
	const { offset } = parameters.options(item);
	return field === undefined || !offset ? input : { ...input, query: { ...input.query, [field]: offset } };
}

/** @throws InputError if an expression does not return a number */
export function waitingOf({ operation, parameters }: Run, item: number): PollSettings | undefined {
	if (operation.asynchronous !== true || !parameters.flag('waitForResult', item)) return undefined;
	const { waitAtMost = 600, waitEvery = 10 } = parameters.options(item);
	const [every, atMost] = [Number(waitEvery), Number(waitAtMost)];
	const issues: ValidationIssue[] = [];
	const seconds = 'must be a number of seconds above 0';
	if (!(every > 0)) issues.push({ path: 'waitEvery', message: seconds });
	if (!(atMost > 0)) issues.push({ path: 'waitAtMost', message: seconds });
	if (!namesSuccess(operation))
		issues.push({
			path: 'waitForResult',
			message:
				'would never end with a success: the Service Details list no value for it. Add responses.yes or responses.ready',
		});
	if (issues.length > 0) throw new InputError(issues);
	return { intervalSeconds: every, timeoutSeconds: atMost };
}

export const defaultLogName = 'Bank Payment Log';

export function protectionOf(run: Run): ProtectionSettings {
	const { parameters, operation } = run;
	const logName = logNameOf(run);
	return {
		timeout: requestLimitsOf(parameters.options()).seconds,
		sharedWorkflowId: sharedWorkflowOf(run),
		// Operations that the bank allows once are not payments.
		logName: isPaying(operation) && logName !== '' ? logName : undefined,
	};
}

/** Whether the operation makes or prepares payments. */
const isPaying = ({ effect }: Operation): boolean => effect === 'money' || effect === 'none';

/** Empty if the log is off. */
export const logNameOf = ({ parameters }: Run): string =>
	textOrNumber(parameters.options().logToDataTable ?? defaultLogName).trim();

/** @throws InputError if an expression returns no workflow: its payments would not be protected */
function sharedWorkflowOf(run: Run): string | undefined {
	const found = sharedWorkflowAt(run, 0);
	if (found === '' && isExpression(writtenSharedWorkflow(run)))
		throw new InputError([
			{ path: 'shareProtectionWith', message: 'returns no workflow. Choose one, or remove the option', item: 0 },
		]);
	return found || undefined;
}

/** @throws InputError unless it is the same workflow for all items and on every run */
export async function checkSharedWorkflow(run: Run): Promise<void> {
	const found = sharedWorkflowOf(run);
	const written = writtenSharedWorkflow(run);
	if (!isExpression(written)) return;
	await refuseNondeterministic(run, 'shareProtectionWith', written, () => sharedWorkflowAt(run, 0));
	const items = Array.from({ length: run.itemCount }, (_, item) => item);
	const others = items.filter((item) => sharedWorkflowAt(run, item) !== found);
	const message = 'differs from the first item. Choose one workflow for all items';
	if (others.length > 0) throw new InputError(others.map((item) => ({ path: 'shareProtectionWith', message, item })));
}

const sharedWorkflowAt = ({ parameters }: Run, item: number): string =>
	textOrNumber(chosenIn(parameters.options(item).shareProtectionWith));

/** As entered by the user, with an unevaluated expression. */
function writtenSharedWorkflow({ context }: Run): unknown {
	const options: unknown = context.getNode().parameters.options;
	return isItemJson(options) ? chosenIn(options.shareProtectionWith) : undefined;
}
