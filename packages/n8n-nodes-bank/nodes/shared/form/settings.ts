import {
	type ValidationIssue,
	InputError,
	ListBudget,
	listLimits,
	namesSuccess,
	type OperationInput,
	type PageOptions,
	type PrepareOptions,
	textOrNumber,
	type PollOptions,
	wholeNumbers,
} from '@bank/core';
import { type IDataObject, isExpression } from 'n8n-workflow';

import { isItemJson } from './itemJson.ts';
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

/**
 * @param hasOwnOutput whether hooks of the operation build the items from unchanged rows
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

/** The limits of all lists of a run together, because together they must fit into memory. */
const budgetOf = oncePerRun(({ parameters }) => listBudgetOf(parameters.options()));

/** @throws InputError if an expression does not return a number */
export function listBudgetOf(options: IDataObject): ListBudget {
	const { maxRows, maxMegabytes } = wholeNumbers({
		maxRows: { value: options.maxRows ?? listLimits.rows, min: 1 },
		maxMegabytes: { value: options.maxMegabytes ?? listLimits.megabytes, min: 1 },
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

const defaultLogName = 'Bank Payment Log';

/** @throws InputError unless the payment log has a fixed name: payments are recognized by it on every run */
export function logNameOf({ context, parameters }: Run): string {
	const options: unknown = context.getNode().parameters.options;
	const name = textOrNumber(parameters.options().logToDataTable ?? defaultLogName).trim();
	if (isItemJson(options) && isExpression(options.logToDataTable))
		throw new InputError([{ path: 'logToDataTable', message: 'must be a name, not an expression', item: 0 }]);
	if (name === '')
		throw new InputError([{ path: 'logToDataTable', message: 'is required: the name of the payment log', item: 0 }]);
	return name;
}
