import { type CallResult, hasContent, InputError, isRecord, type Operation, verdictOf, verdictsOf } from '@bank/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { itemJson } from '../form/itemJson.ts';
import { errorItem, type Failure, notProcessed } from '../base/failures.ts';
import type { BankAccess, CompletedRequest, OperationHooks, SettledPayment } from './operationHooks.ts';
import { joinNames, secretsText, unsettledText } from '../base/messages.ts';
import { type Payment, shownName } from '../base/payment.ts';
import { maxNames } from './outcomeHints.ts';
import { type ExtraFields, firstItem, type Items, type Job, type Run, showHint } from '../form/run.ts';
import type { EncodedRequest } from './encodeRequest.ts';

export interface JobResult {
	job: Job;
	/** Results and errors, in the order of the payments. Absent if the job failed as a whole. */
	items?: Items;
	/** The failure of the job, or of some of its payments. Stops the node unless it continues on failure. */
	failure?: Failure | undefined;
	/** The payments that failed; absent if the job has none. */
	failed?: readonly SettledPayment[];
	/** Whether the failure is from an earlier run, so that the other jobs are carried out. */
	isEarlier?: boolean;
	requestId?: string | undefined;
	/** Payments that are not in `items`, because the run stopped before them. */
	notBegun?: number;
}

/** The failure to report, of this run if there is one, and all payments that failed. */
export function failureOfPayments(all: readonly SettledPayment[]): Pick<JobResult, 'failure' | 'failed' | 'isEarlier'> {
	const failed = all.filter(({ failure }) => failure !== undefined);
	const first = failed.find(({ isEarlier }) => !isEarlier) ?? failed[0];
	return first === undefined ? {} : { failure: first.failure, failed, isEarlier: first.isEarlier };
}

export const failedPayment = (
	{ id }: Operation,
	payment: Payment,
	failure: Failure,
	details: IDataObject,
	isEarlier: boolean,
): SettledPayment => ({
	payment,
	items: [errorItem(id, failure, payment.item, [payment], { ...recipientIn(payment), ...details })],
	failure,
	details,
	isEarlier,
});

/** The position alone does not name the recipient of a payment without a sequence. */
const recipientIn = (payment: Payment) => (payment.field === 'sequence' ? { recipient: shownName(payment) } : {});

/** Turns a response into items. Responses without a known schema are returned unchanged. */
export async function present(
	run: Run,
	hooks: OperationHooks,
	done: CompletedRequest,
	bank: BankAccess,
): Promise<Items> {
	const items = itemsOf(run, hooks, done, bank);
	if (run.operation.effect === 'read') return await items;
	// The bank has processed the request, so a response that cannot be presented must not cause a failure.
	return await items.catch(() =>
		done.job.items.map((item) => ({
			json: itemJson({ response: done.result.data ?? null }),
			pairedItem: { item },
		})),
	);
}

async function itemsOf(run: Run, hooks: OperationHooks, done: CompletedRequest, bank: BankAccess): Promise<Items> {
	if (run.operation.returnsSecrets === true) showHint(run, 'warning', secretsText);
	if (hooks.output !== undefined) return await hooks.output(run, done, bank);
	const { job, result } = done;
	const pairedItem = { item: firstItem(job) };
	if (run.operation.list !== undefined) {
		if (result.isUnsettled === true) showHint(run, 'warning', unsettledText);
		// Rows were already mapped while the pages were read.
		const rows: unknown[] = Array.isArray(result.data) ? result.data : [];
		return rows.map((row) => ({ json: itemJson(Object(row)), pairedItem }));
	}
	if (run.operation.effect === 'delete') {
		const { path, query } = done.sent;
		return [{ json: itemJson({ deleted: true, ...path, ...query }), pairedItem }];
	}
	const operation = job.operation ?? run.operation;
	const verdict = verdictOf(operation, result);
	const more: ExtraFields = {
		...(verdict === undefined ? {} : { [verdictsOf(operation).field]: verdict }),
		...deadlineOf(operation, done, verdict),
		...headerFields(operation, result),
		...done.added,
	};
	if (result.file !== undefined) return [{ ...(await fileItem(run, result.file, more)), pairedItem }];
	return valuesOf(result.data).map((value) => ({ json: withFields(value, more), pairedItem }));
}

/** Adds fields of the node. If the bank uses one of their names for something else, `response` has the bank's fields. */
export function withFields(value: IDataObject, more: ExtraFields): IDataObject {
	const isTaken = Object.entries(more).some(([name, field]) => Object.hasOwn(value, name) && value[name] !== field);
	return { ...value, ...more, ...(isTaken ? { response: value } : {}) };
}

/** The user's own columns stay on the output, in front, as n8n keeps them on the error output. Fields of the node replace them. */
export function withColumns({ columns }: Payment, item: INodeExecutionData): INodeExecutionData {
	const { outcome } = item.json;
	return { ...item, json: { ...(outcome === undefined ? {} : { outcome }), ...columns, ...item.json } };
}

function valuesOf(data: unknown): IDataObject[] {
	const named = (value: unknown): IDataObject => itemJson(isRecord(value) ? value : { response: value });
	if (Array.isArray(data)) return data.length === 0 ? [{ response: [] }] : data.map(named);
	return [data === undefined ? {} : named(data)];
}

/**
 * End of a time limit of part 8. The time starts with the result, or slightly earlier at the bank. Only the service details tell the
 * result of an asynchronous operation from an error.
 */
function deadlineOf({ deadline, effect, asynchronous }: Operation, { result, at }: CompletedRequest, verdict?: string) {
	const isResult =
		verdict === undefined
			? asynchronous !== true &&
				result.status !== 202 &&
				(effect !== 'read' || (typeof result.data === 'object' && hasContent(result.data)))
			: verdict === 'yes' || verdict === 'ready';
	if (deadline === undefined || !isResult) return {};
	return { [deadline.field]: new Date(at + deadline.hours * 3_600_000).toISOString() };
}

/** The URL of what was created, which may contain its ID, and the headers that the service details name. */
function headerFields({ details: { responses } = {} }: Operation, { headers = {} }: CallResult): ExtraFields {
	const { location } = headers;
	const named = (responses?.headers ?? []).flatMap((name) =>
		headers[name] === undefined ? [] : [[name, headers[name]]],
	);
	return {
		...(location === undefined ? {} : { location }),
		...(named.length === 0 ? {} : { headers: itemJson(Object.fromEntries(named)) }),
	};
}

async function fileItem({ context }: Run, file: NonNullable<CallResult['file']>, json: ExtraFields) {
	const { data, mimeType, fileName } = file;
	return { json, binary: { data: await context.helpers.prepareBinaryData(Buffer.from(data), fileName, mimeType) } };
}

/** The request that would be sent. */
export function presentPreview({ planned: { job }, prepared, added }: EncodedRequest): Items {
	const { method, url, headers, body, input } = prepared;
	const request = { method, url, headers, body: input.body };
	const json = itemJson({ preview: true, ...added, request, bodyText: body ?? '' });
	return [{ json, pairedItem: job.items.map((item) => ({ item })) }];
}

/** Items in the order of the jobs. A failure is returned once for each of its items. */
export function inJobOrder({ operation }: Run, results: readonly (JobResult | undefined)[]): Items {
	return results.flatMap((result) => {
		if (result?.items !== undefined) return result.items;
		const { job, failure } = result ?? {};
		if (job === undefined || failure === undefined) return [];
		return job.items.map((item) => errorItem(operation.id, issuesOfItem(failure, item), item));
	});
}

/** The issues of one item of a package or, if it has none, the items that prevented sending. */
export function issuesOfItem(failure: Failure, item: number): Failure {
	if (!(failure instanceof InputError)) return failure;
	const own = failure.issues.filter((issue) => issue.item === undefined || issue.item === item);
	if (own.length > 0) return new InputError(own);
	const others = joinNames([...new Set(failure.issues.map((issue) => String(issue.item)))], maxNames);
	return new InputError([{ path: '', message: `${notProcessed}${others}`, item }]);
}
