import {
	type ValidationIssue,
	InputError,
	type Operation,
	prepare,
	type PreparedRequest,
	type PrepareOptions,
} from '@bank/core';

import { errorFor, type Failure, failureOf } from '../base/failures.ts';
import { type OperationHooks, isPreview } from './operationHooks.ts';
import { readGenerated } from '../form/readForm.ts';
import { withDetails } from '../form/serviceDetails.ts';
import { requestLimitsOf } from '../http/deadline.ts';
import { isByPhone, type Payment } from '../base/payment.ts';
import { firstItem, type Job, type Run } from '../form/run.ts';
import {
	logNameOf,
	type Paging,
	pagingOf,
	preparingOf,
	type PollSettings,
	waitingOf,
	withOffset,
} from '../form/settings.ts';

/** A request that has passed every check that does not need the bank. */
export interface Planned {
	job: Job;
	/** Position among the jobs of this run: the same items give the same positions. */
	position: number;
	/** The operation with its service details. */
	operation: Operation;
	prepared: PreparedRequest;
	/** Options it was prepared with, needed for the next pages of a list. */
	preparing: PrepareOptions;
	isPreview: boolean;
	/** Payments that must be sent at most once across all executions. */
	payments: readonly Payment[];
	/** Present if the response is a list. */
	paging?: Paging;
	/** Present if the user wants to wait for the result. */
	waiting?: PollSettings;
}

export interface InvalidJob {
	job: Job;
	failure: Failure;
	/** The payments of the job, as far as they can be identified. */
	payments?: readonly Payment[];
}

export type Plan = readonly (Planned | InvalidJob)[];

export const isInvalid = (one: object): one is InvalidJob => 'failure' in one;

export const paymentsIn = (planned: Plan): Payment[] => planned.flatMap(({ payments = [] }) => payments);

/** Turns items into checked jobs. Reads all parameters and reports every problem of every item; sends nothing. */
export async function plan(run: Run, hooks: OperationHooks): Promise<Plan> {
	const duplicatesIn = duplicateFinder();
	return (await readJobs(run, hooks)).map((one, position) => {
		const { job } = one;
		const planned = isInvalid(one) ? one : checkJob(run, hooks, job, position);
		if (isInvalid(planned)) return { payments: identifiedIn(run, hooks, job), ...planned };
		const { payments } = planned;
		const issues = duplicatesIn(payments);
		return issues.length === 0 ? planned : { job, payments, failure: failureOf(run.context, new InputError(issues)) };
	});
}

/** The expression that made the job invalid may fail again. */
function identifiedIn(run: Run, hooks: OperationHooks, job: Job): readonly Payment[] {
	try {
		return hooks.identify?.(run, job) ?? [];
	} catch {
		return [];
	}
}

async function readJobs(run: Run, hooks: OperationHooks): Promise<({ job: Job } | InvalidJob)[]> {
	const items = Array.from({ length: run.itemCount }, (_, item) => item);
	try {
		if (hooks.payments !== undefined) logNameOf(run);
		if (hooks.jobs !== undefined)
			return (await hooks.jobs(run)).map((job) =>
				job.issues === undefined ? { job } : { job, failure: failureOf(run.context, new InputError(job.issues)) },
			);
	} catch (error) {
		return [
			{ job: { items: withoutPassedThrough(run, hooks, items), input: {} }, failure: failureOf(run.context, error) },
		];
	}
	const jobs: ({ job: Job } | InvalidJob)[] = [];
	for (const item of items) {
		try {
			const own = withDetails(run, item);
			const input = await (hooks.read ?? readGenerated)(own, item);
			jobs.push({
				job: { items: [item], input, operation: own.service && { ...run.operation, details: own.service.details } },
			});
		} catch (error) {
			const job = { items: [item], input: {} };
			jobs.push({ job, failure: failureOfJob(run, job, error) });
		}
	}
	return jobs;
}

/** Rows that were already sent are returned with their own result. */
function withoutPassedThrough(run: Run, hooks: OperationHooks, items: number[]): number[] {
	try {
		const passed = new Set(hooks.passThrough?.(run).map(({ payment }) => payment.item));
		const others = items.filter((item) => !passed.has(item));
		return others.length === 0 ? items : others;
	} catch {
		return items;
	}
}

function checkJob(run: Run, hooks: OperationHooks, job: Job, position: number): Planned | InvalidJob {
	const item = firstItem(job);
	const errors: unknown[] = [];
	const attempt = <Value>(read: () => Value): Value | undefined => {
		try {
			return read();
		} catch (error) {
			errors.push(error);
			return undefined;
		}
	};
	attempt(() => requestLimitsOf(run.parameters.options(item)));
	const paging = attempt(() => pagingOf(run, item, hooks.output !== undefined));
	const { operation = run.operation } = job;
	const waiting = attempt(() => waitingOf({ ...run, operation }, item));
	const preparing = attempt(() => preparingOf(run, item)) ?? {};
	const input = attempt(() => withOffset(run, job.input, item)) ?? job.input;
	const prepared = attempt(() => prepare(operation, input, preparing));
	const preview =
		attempt(() => run.operation.effect === 'none' || (hooks.preview === true && isPreview(run, item))) ?? false;
	if (prepared === undefined || errors.length > 0) return { job, failure: failureOfJob(run, job, mergeErrors(errors)) };
	const payments = hooks.payments?.(run, job, prepared.input) ?? [];
	return { job, position, operation, prepared, preparing, isPreview: preview, payments, paging, waiting };
}

/** Returns a function that reports the payments that were already in an earlier call. */
function duplicateFinder(): (payments: readonly Payment[]) => ValidationIssue[] {
	const first = new Map<string, Payment>();
	return (payments) =>
		payments.flatMap((payment) => {
			const { field, name, identity, item } = payment;
			const key = identity.join('\n');
			const earlier = first.get(key);
			first.set(key, earlier ?? payment);
			if (earlier === undefined) return [];
			if (isByPhone(payment)) {
				const message = `is the same as in item ${earlier.item}. Map "Sequence" to tell the payments apart, or remove one of the rows`;
				return [{ path: 'phone', message, value: payment.phone, item }];
			}
			const message =
				earlier.name === name
					? `is the same as in item ${earlier.item}. Remove duplicates before this node`
					: `is the same as "${earlier.name}" in item ${earlier.item} for a person: upper and lower case, spaces, dashes, leading ` +
						'zeros and letters that look alike are ignored. Give each payment its own';
			return [{ path: field, message, value: name, item }];
		});
}

/**
 * Combines all errors of an input into one. An error other than InputError, such as a failed expression, comes first,
 * because it may have caused the issues.
 */
function mergeErrors(errors: readonly unknown[]): unknown {
	const issues = errors.flatMap((error) => (error instanceof InputError ? error.issues : []));
	return errors.find((error) => !(error instanceof InputError)) ?? new InputError(issues);
}

/** Converts an error of a job. Its issues get the item, and the fields of the form as paths. */
export function failureOfJob({ context }: Pick<Run, 'context'>, job: Job, error: unknown): Failure {
	const item = firstItem(job);
	// n8n adds the index to the message, which would be misleading for a package of several items.
	const failure = failureOf(context, error, job.items.length === 1 ? item : undefined);
	if (!(failure instanceof InputError)) return failure;
	const { locate = (issue: ValidationIssue) => ({ ...issue, item: issue.item ?? item }) } = job;
	return new InputError(failure.issues.flatMap((issue) => locate(issue) ?? []));
}

/** @throws NodeOperationError with the failures of all jobs, unless the node continues on failure */
export function stopIfInvalid({ context, itemCount }: Run, planned: Plan): void {
	const merged = context.continueOnFail() ? undefined : mergeFailures(planned);
	if (merged !== undefined) throw errorFor(context, merged.failure, { items: merged.job.items, itemCount });
}

/** The failure of all invalid jobs; undefined if everything may be sent. */
export function mergeFailures(planned: Plan): InvalidJob | undefined {
	const refused = planned.filter(isInvalid);
	const [first] = refused;
	// An error other than InputError, such as a failed expression, is clearer alone than in a list.
	if (first === undefined || !refused.some(({ failure }) => failure instanceof InputError)) return first;
	const issues = refused.flatMap(({ job, failure }): readonly ValidationIssue[] =>
		failure instanceof InputError ? failure.issues : [{ path: '', message: failure.message, item: firstItem(job) }],
	);
	return { job: first.job, failure: new InputError(issues) };
}
