import { type CallResult, heldBackWith, InputError, isBankFailure, isRecord, type Operation } from '@bank/core';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { itemJson } from '../itemJson.ts';
import { type BankFailure, errorItem, type Failure } from '../failures.ts';
import type { Done, Form } from '../form.ts';
import type { Earlier } from '../journal.ts';
import { secretsText, unsettledText } from '../words.ts';
import { type Added, firstItem, type Identity, type Items, type Job, type Run } from './run.ts';
import type { Sealed } from './seal.ts';

/** A job that came to nothing, or of which nobody knows what it came to. */
export interface Failed {
	job: Job;
	failure: Failure;
	/** What it is about, each with its item; absent where the job was refused before that was known. */
	identities?: readonly Identity[];
	/** Of those that were sent before: what the journal says they came to, by name. */
	earlier?: ReadonlyMap<string, Earlier>;
}

/** What became of a job. */
export type Outcome = { job: Job; items: Items; requestId?: string } | Failed;

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

/** Results and failures in the order of the jobs. A failure of several items is told to each of them. */
export function inOrder({ operation }: Run, outcomes: readonly (Outcome | undefined)[]): Items {
	return outcomes.flatMap((outcome) => {
		if (outcome === undefined) return [];
		if ('items' in outcome) return outcome.items;
		const { job, failure, identities = [], earlier } = outcome;
		if (!isBankFailure(failure) || identities.length === 0)
			return job.items.map((item) => errorItem(operation.id, ownFaults(failure, item), item));
		// One for each recipient of a package, as where it succeeds.
		return identities.map((identity) =>
			errorItem(operation.id, ownShare(operation, failure, identity), identity.item, [identity], earlier),
		);
	});
}

/** Of a package that was held back, those that were sent before are unknown; the others were not sent. */
function ownShare(operation: Operation, failure: BankFailure, { name }: Identity): Failure {
	const { code, names = [] } = failure.details;
	return code === 'already_claimed' && !names.includes(name) ? heldBackWith(operation, names) : failure;
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

/** What must not be overlooked among many items: shown above the output. */
export function hintsOf({ effect }: Operation, items: Items): NodeExecutionHint[] {
	const count = (outcome: string) => items.filter(({ json }) => outcomeIn(json) === outcome).length;
	const [unknown, notSent] = [count('unknown'), count('notSent')];
	const what = effect === 'money' ? 'whether the payment was made' : 'whether the bank carried it out';
	return [
		...hint('danger', unknown, `It is unknown ${what}: check with the bank before sending it again.`),
		...hint('warning', notSent, 'Nothing was sent.'),
	];
}

/** What became of an item, where that may be something else than what was asked for. */
export const outcomeIn = ({ outcome, details }: IDataObject) => (isRecord(details) ? details.outcome : outcome);

const hint = (type: 'danger' | 'warning', count: number, message: string): NodeExecutionHint[] =>
	count === 0
		? []
		: [{ type, location: 'outputPane', message: `${count} ${count === 1 ? 'item' : 'items'}: ${message}` }];
