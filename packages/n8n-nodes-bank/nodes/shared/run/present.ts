import { type CallResult, InputError, isRecord, type Operation, textOrNumber } from '@bank/core';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { itemJson } from '../itemJson.ts';
import { errorItem, type Failure } from '../failures.ts';
import type { Done, Form } from '../form.ts';
import { secretsText, unsettledText } from '../words.ts';
import { type Added, firstItem, type Items, type Job, type Payment, type Run } from './run.ts';
import type { Sealed } from './seal.ts';

/** A job that came to nothing, or of which nobody knows what it came to. */
export interface Failed {
	job: Job;
	failure: Failure;
}

/** A job whose payments each came to something of their own. */
export interface SentPayments {
	job: Job;
	/** Those that `failure` is about. */
	payments: readonly Payment[];
	/** Results and errors, in the order of the payments. */
	items: Items;
	/** The first one, where not all payments are accepted: what stops the node, where it does not go on. */
	failure?: Failure;
	/** Whether a payment failed in this run, so that no other request is begun where the node does not go on. */
	stops: boolean;
	requestId?: string;
}

/** The result of a job. */
export type JobResult = { job: Job; items: Items; requestId?: string } | SentPayments | Failed;

/** An answer -> items. What the description shows is one item; what it does not show passes through whole. */
export async function present(run: Run, form: Form, done: Done): Promise<Items> {
	const items = itemsOf(run, form, done);
	// Whatever was asked for has been done, and must not look as if it had not: what cannot be presented is shown as it came.
	return run.operation.effect === 'read' ? await items : await items.catch(() => asItCame(done));
}

function asItCame({ job, result }: Done): Items {
	return job.items.map((item) => ({ json: itemJson({ answer: result.data ?? null }), pairedItem: { item } }));
}

async function itemsOf(run: Run, form: Form, done: Done): Promise<Items> {
	if (run.operation.givesSecrets === true) warn(run, secretsText);
	if (form.output !== undefined) return await form.output(run, done);
	const { job, result } = done;
	const pairedItem = { item: firstItem(job) };
	if (run.operation.list !== undefined) {
		if (result.isUnsettled === true) warn(run, unsettledText);
		// They were made when their pages came.
		return rowsOf(result.data).map((row) => ({ json: itemJson(Object(row)), pairedItem }));
	}
	if (run.operation.effect === 'delete') {
		const { path, query } = done.sent;
		return [{ json: itemJson({ deleted: true, ...path, ...query }), pairedItem }];
	}
	const more: Added = { ...deadlineOf(run.operation, done), ...(form.more?.(done) ?? {}) };
	if (result.file !== undefined) return [{ ...(await fileItem(run, result.file, more)), pairedItem }];
	return valuesOf(result.data).map((value) => ({ json: { ...value, ...more }, pairedItem }));
}

/** Not in every context. */
const warn = ({ context }: Run, message: string) =>
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });

const rowsOf = (data: unknown): unknown[] => (Array.isArray(data) ? data : []);

/** One value for an object or a text, one for each element of a list. Every field keeps its name. */
function valuesOf(data: unknown): IDataObject[] {
	const named = (value: unknown): IDataObject => itemJson(isRecord(value) ? value : { answer: value });
	if (Array.isArray(data)) return data.length === 0 ? [{ answer: [] }] : data.map(named);
	return [data === undefined ? {} : named(data)];
}

/** When a window of part 8 ends, counted from this answer: the bank may have begun to count a little earlier. */
function deadlineOf({ deadline }: Operation, { result, at }: Done): Added {
	// Not done yet, so nothing has begun.
	if (deadline === undefined || result.status === 202) return {};
	return { [deadline.field]: new Date(at + deadline.hours * 3_600_000).toISOString() };
}

async function fileItem({ context }: Run, file: NonNullable<CallResult['file']>, json: Added) {
	const { data, mimeType, fileName } = file;
	return { json, binary: { data: await context.helpers.prepareBinaryData(Buffer.from(data), fileName, mimeType) } };
}

/** The exact request and nothing sent. */
export function presentPreview({ planned: { job }, prepared, added }: Sealed): Items {
	const { method, url, headers, body, input } = prepared;
	const request = { method, url, headers, body: input.body };
	return [
		{
			json: itemJson({ preview: true, ...added, request, bodyText: body ?? '' }),
			pairedItem: job.items.map((item) => ({ item })),
		},
	];
}

/** Results and failures in the order of the jobs. A failure of several items goes to each of them. */
export function inOrder({ operation }: Run, results: readonly (JobResult | undefined)[]): Items {
	return results.flatMap((result) => {
		if (result === undefined) return [];
		if ('items' in result) return result.items;
		const { job, failure } = result;
		return job.items.map((item) => errorItem(operation.id, ownFaults(failure, item), item));
	});
}

/** Of the faults of a package, those of one item; where it has none, because of which items it was not sent. */
function ownFaults(failure: Failure, item: number): Failure {
	if (!(failure instanceof InputError)) return failure;
	const own = failure.faults.filter((fault) => fault.item === undefined || fault.item === item);
	if (own.length > 0) return new InputError(own);
	const others = [...new Set(failure.faults.map((fault) => fault.item))].join(', ');
	return new InputError([
		{ path: '', message: `was not sent because of item ${others}, which stands in the same package`, item },
	]);
}

/** How many items have each outcome. */
export function countOutcomes(items: Items): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { json } of items) {
		const outcome = textOrNumber(outcomeIn(json));
		if (outcome !== '') counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	return counts;
}

/** One sentence on what a run of payments did: "1 of 20 sent, 19 already accepted." */
export function summaryOf(counts: ReadonlyMap<string, number>): string {
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
	const others = Object.entries(outcomeWords).flatMap(([outcome, words]) =>
		count(outcome) === 0 ? [] : [`${count(outcome)} ${words}`],
	);
	const sent = count('accepted');
	return [sent === 0 ? `0 of ${total} sent` : `${sent} of ${total} sent`, ...others].join(', ');
}

const outcomeWords: Readonly<Record<string, string>> = {
	alreadyAccepted: 'already accepted',
	rejected: 'rejected',
	notSent: 'not sent',
	conflict: 'in conflict',
	unknown: 'unknown',
};

/** What must not be overlooked among many items: shown above the output. */
export function hintsOf({ effect }: Operation, items: Items): NodeExecutionHint[] {
	const counts = countOutcomes(items);
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const hint = (type: NonNullable<NodeExecutionHint['type']>, message: string): NodeExecutionHint[] => [
		{ type, location: 'outputPane', message },
	];
	if (effect === 'money') {
		if (counts.size === 0) return [];
		const summary = `${summaryOf(counts)}.`;
		if (count('unknown') + count('conflict') > 0) return hint('danger', `${summary} Not sent again: ${firstProblems(items)}`);
		return hint(count('rejected') + count('notSent') > 0 ? 'warning' : 'info', summary);
	}
	return [
		...(count('unknown') === 0 ? [] : hint('danger', `${itemsText(count('unknown'))}: ${unknownText}`)),
		...(count('notSent') === 0 ? [] : hint('warning', `${itemsText(count('notSent'))}: Nothing was sent.`)),
	];
}

const itemsText = (count: number) => (count === 1 ? '1 item' : `${count} items`);
const unknownText = 'it is unknown whether the bank carried it out. Check with the bank before you send it again.';

/** How many problems a person reads at once. */
const mostProblems = 3;

function firstProblems(items: Items): string {
	const problems = items.filter(({ json }) => ['unknown', 'conflict'].includes(textOrNumber(outcomeIn(json))));
	const more = problems.length - mostProblems;
	const shown = problems.slice(0, mostProblems).map(({ json }) => textOrNumber(json.error));
	return `${shown.join('. ')}${more > 0 ? `. And ${more} more` : ''}.`;
}

/** What became of an item, where that may be something else than what was asked for. */
export const outcomeIn = ({ outcome, details }: IDataObject) => (isRecord(details) ? details.outcome : outcome);
