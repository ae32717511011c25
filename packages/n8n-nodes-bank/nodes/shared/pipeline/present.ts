import {
	type CallResult,
	exactTotal,
	hasContent,
	InputError,
	isRecord,
	type Operation,
	textOrNumber,
	verdictOf,
	verdictsOf,
} from '@bank/core';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { itemJson } from '../form/itemJson.ts';
import { errorItem, type Failure, notProcessed } from '../failures.ts';
import type { BankAccess, CompletedRequest, OperationHooks, SettledPayment } from '../form/operationHooks.ts';
import { joinNames, moneyText, resolveText, secretsText, unsettledText } from '../messages.ts';
import { type Payment, shownName } from '../payment.ts';
import { type ExtraFields, firstItem, type Items, type Job, type Run, showHint } from './run.ts';
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

/** The failure to report (one of this run, if there is any) and all payments that failed. */
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

/** A position alone would not say whom a payment without a sequence goes to. */
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
		// Mapped while the pages were read.
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
		...hooks.extraFields?.(done),
	};
	if (result.file !== undefined) return [{ ...(await fileItem(run, result.file, more)), pairedItem }];
	return valuesOf(result.data).map((value) => ({ json: withFields(value, more), pairedItem }));
}

/** Adds fields of the node. If the bank uses one of their names for something else, `response` has the bank's fields. */
export function withFields(value: IDataObject, more: ExtraFields): IDataObject {
	const isTaken = Object.entries(more).some(([name, field]) => Object.hasOwn(value, name) && value[name] !== field);
	return { ...value, ...more, ...(isTaken ? { response: value } : {}) };
}

function valuesOf(data: unknown): IDataObject[] {
	const named = (value: unknown): IDataObject => itemJson(isRecord(value) ? value : { response: value });
	if (Array.isArray(data)) return data.length === 0 ? [{ response: [] }] : data.map(named);
	return [data === undefined ? {} : named(data)];
}

/**
 * End of a time limit of part 8. The bank may have started counting slightly earlier. It starts with a result, and only the service details
 * tell the result of an asynchronous operation from an error.
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

/** The address of what was created, which may hold its ID, and the headers that the service details name. */
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

export function countOutcomes(items: Items): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { json } of items) {
		const outcome = textOrNumber(outcomeIn(json));
		if (outcome !== '') counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	return counts;
}

/** Returns a summary such as "2 of 3 accepted, 1 now: 500.50 to Anna; 1 earlier, not sent again: 3,000.00 to Boris; 1 rejected". */
export function summaryOf(counts: ReadonlyMap<string, number>, items: Items): string {
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
	const others = Object.entries(outcomeWords).flatMap(([outcome, words]) =>
		count(outcome) === 0 ? [] : [`${count(outcome)} ${words}`],
	);
	const [now, earlier] = [count('accepted'), count('alreadyAccepted')];
	const accepted = `${now + earlier} of ${total} accepted`;
	const paid =
		now > 0 && earlier > 0
			? [
					`${accepted}, ${now} now${whoWasPaid(items, ['accepted'], now)}`,
					`${earlier} earlier, not sent again${whoWasPaid(items, ['alreadyAccepted'], earlier)}`,
				]
			: [
					`${accepted}${earlier === 0 ? '' : ` (${earlier} earlier, not sent again)`}` +
						whoWasPaid(items, ['accepted', 'alreadyAccepted'], now + earlier),
				];
	return [...paid, ...(others.length === 0 ? [] : [others.join(', ')])].join('; ');
}

/** Amount and recipients of these payments, such as ": 3,500.50 to Anna, Boris". Empty if an amount is not known. */
function whoWasPaid(items: Items, outcomes: readonly string[], count: number): string {
	const paid = items.filter(({ json }) => outcomes.includes(textOrNumber(outcomeIn(json))));
	const amounts = paid.map(({ json }) => json.amount).filter((amount) => typeof amount === 'number');
	if (count === 0 || amounts.length < count) return '';
	const names = paid.map(({ json }) => textOrNumber(json.recipient)).filter((name) => name !== '');
	return `: ${moneyText(exactTotal(amounts) ?? 0)}${names.length < paid.length ? '' : ` to ${joinNames(names, maxNames)}`}`;
}

const outcomeWords: Readonly<Record<string, string>> = {
	rejected: 'rejected',
	notSent: 'not sent',
	conflict: 'in conflict',
	unknown: 'unknown',
};

/** @param executionId of this execution */
export function hintsOf(operation: Operation, items: Items, executionId?: string): NodeExecutionHint[] {
	const { effect } = operation;
	const counts = countOutcomes(items);
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const hint = (type: NonNullable<NodeExecutionHint['type']>, message: string): NodeExecutionHint[] => [
		{ type, location: 'outputPane', message },
	];
	if (effect === 'money') {
		if (counts.size === 0) return [];
		const summary = `${summaryOf(counts, items)}.`;
		if (count('unknown') + count('conflict') > 0)
			return hint('danger', [summary, ...openTexts(operation, items)].join(' '));
		if (count('rejected') + count('notSent') > 0)
			return hint(
				'warning',
				[summary, ...reasonTexts(items), 'When this is solved, run again: nobody is paid twice.'].join(' '),
			);
		// In a loop, the second payment to a person looks like the first one.
		const isRepeated = items.some(
			({ json }) =>
				json.outcome === 'alreadyAccepted' && json.sequenceGiven === false && json.acceptedIn === executionId,
		);
		return isRepeated
			? hint('warning', `${summary} ${repeatedText}`)
			: hint('info', `${summary} No payment needs attention.`);
	}
	if (effect === 'read' || effect === 'none') return [];
	return [
		...(count('unknown') === 0 ? [] : hint('danger', `${itemsText(count('unknown'))}: ${unknownText}`)),
		...(count('notSent') === 0 ? [] : hint('warning', `${itemsText(count('notSent'))}: Nothing was sent.`)),
	];
}

const repeatedText =
	'Some were accepted earlier in this execution. If these people are to get several payments, map Sequence: without it, ' +
	'a loop pays each of them once.';
const itemsText = (count: number) => (count === 1 ? '1 item' : `${count} items`);
const unknownText = 'it is unknown whether the bank carried it out. Ask the bank before you send it again.';

/** Maximum number of problems, or of recipients, in a hint. */
export const maxNames = 3;

/** Why payments were rejected or not sent. */
function reasonTexts(items: Items): string[] {
	const errors = items.map(({ json }) => textOrNumber(json.error));
	const reasons = new Set(errors.filter((error) => error !== '' && !error.startsWith(notProcessed)));
	return reasons.size === 0 ? [] : [`${joinNames([...reasons], maxNames, '. ')}.`];
}

/** Which payments are open, and the next step for them. */
function openTexts(operation: Operation, items: Items): string[] {
	const withOutcome = (outcome: string) => items.filter(({ json }) => outcomeIn(json) === outcome);
	const unknown = Map.groupBy(
		withOutcome('unknown').map(({ json }) => detailsIn(json)),
		({ code }) => (code === 'being_sent' ? 'running' : 'resolvable'),
	);
	const conflicts = withOutcome('conflict').map(({ json }) => textOrNumber(json.error));
	const named = (kind: 'running' | 'resolvable', what: string, next: string) => {
		const payments = unknown.get(kind);
		return payments === undefined ? [] : [`${what}: ${joinNames(payments.map(paymentIn), maxNames)}. ${next}`];
	};
	const maybePaid = 'May have been paid, so not sent again';
	return [
		...named(
			'running',
			'Another execution is sending',
			'Wait until it has ended (after Stop or a crash: until the time in the error output), then run again.',
		),
		...named('resolvable', maybePaid, resolveText(operation)),
		...(conflicts.length === 0
			? []
			: [`Not sent: ${joinNames(conflicts, maxNames, '. ')}. Undo the change, or read its error in the error output.`]),
	];
}

/** The recipient or identifier of the payment of an error. */
const paymentIn = ({ recipient, sequence, transactionId }: Record<string, unknown>): string =>
	textOrNumber(recipient ?? sequence ?? transactionId);

/** The details of an error item, or the item itself. */
const detailsIn = (json: IDataObject): Record<string, unknown> => (isRecord(json.details) ? json.details : json);

/** The outcome of an item, or of the error in it. */
export const outcomeIn = (json: IDataObject) => detailsIn(json).outcome;
