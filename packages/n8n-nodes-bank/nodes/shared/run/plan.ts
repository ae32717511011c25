import { type Fault, InputError, prepare, type PreparedRequest, type PrepareOptions } from '@bank/core';

import { type Failure, failureOf } from '../failures.ts';
import { type Form, isPreview } from '../form.ts';
import { readGenerated } from '../readForm.ts';
import { paymentsOf, repeatedFaults } from './payments.ts';
import { firstItem, type Job, type Payment, type Run } from './run.ts';
import {
	boundsOf,
	checkSharedWorkflow,
	type Paging,
	pagingOf,
	preparingOf,
	startingAt,
	type Waiting,
	waitingOf,
} from './settings.ts';

/** A request that has passed every check that needs no bank. */
export interface Planned {
	job: Job;
	/** Its place among the jobs of this run: the same items give the same places. */
	position: number;
	prepared: PreparedRequest;
	/** How it was prepared, for the further pages of a list. */
	preparing: PrepareOptions;
	/** To be shown, not sent. */
	isPreview: boolean;
	/** What it carries that must happen once, over all executions. */
	payments: readonly Payment[];
	/** Where the answer is a list. */
	paging?: Paging;
	/** Where the user wants the result and not the first answer. */
	waiting?: Waiting;
}

/** A job of which it is known that it cannot be sent. */
export interface Refused {
	job: Job;
	failure: Failure;
}

export type Plan = readonly (Planned | Refused)[];

export const isRefused = (one: object): one is Refused => 'failure' in one;

/**
 * Items -> checked jobs. Reads whatever decides about a request, and finds every fault of every item; nothing is sent here, and nothing
 * but n8n is asked.
 */
export async function plan(run: Run, form: Form): Promise<Plan> {
	const jobs = await jobsOf(run, form);
	const checked = jobs.map((one, position) => ('failure' in one ? one : checkedJob(run, form, one.job, position)));
	const repeated = repeatedFaults();
	return checked.map((one) => {
		if (isRefused(one)) return one;
		const payments = paymentsOf(run, form, one.job, one.prepared);
		const faults = repeated(payments);
		return faults.length === 0 ? { ...one, payments } : { job: one.job, failure: new InputError(faults) };
	});
}

async function jobsOf(run: Run, form: Form): Promise<({ job: Job } | Refused)[]> {
	const items = Array.from({ length: run.itemCount }, (_, item) => item);
	try {
		await checkSharedWorkflow(run);
	} catch (error) {
		return [{ job: { items, input: {} }, failure: failureOf(run.context, error, 0) }];
	}
	if (form.jobs !== undefined) {
		try {
			return (await form.jobs(run)).map((job) => ({ job }));
		} catch (error) {
			return [{ job: { items, input: {} }, failure: failureOf(run.context, error, 0) }];
		}
	}
	const jobs: ({ job: Job } | Refused)[] = [];
	for (const item of items) {
		try {
			jobs.push({ job: { items: [item], input: await (form.read ?? readGenerated)(run, item) } });
		} catch (error) {
			const job = { items: [item], input: {} };
			jobs.push({ job, failure: located(failureOf(run.context, error, item), job) });
		}
	}
	return jobs;
}

function checkedJob(run: Run, form: Form, job: Job, position: number): Omit<Planned, 'payments'> | Refused {
	const item = firstItem(job);
	const errors: unknown[] = [];
	const tried = <Value>(read: () => Value): Value | undefined => {
		try {
			return read();
		} catch (error) {
			errors.push(error);
			return undefined;
		}
	};
	tried(() => boundsOf(run.parameters.options(item)));
	const paging = tried(() => pagingOf(run, item, form.output !== undefined));
	const waiting = tried(() => waitingOf(run, item));
	const preparing = tried(() => preparingOf(run, item)) ?? {};
	const input = tried(() => startingAt(run, job.input, item)) ?? job.input;
	const prepared = tried(() => prepare(run.operation, input, preparing));
	const preview =
		tried(() => run.operation.effect === 'none' || (form.preview === true && isPreview(run, item))) ?? false;
	if (prepared === undefined || errors.length > 0)
		return { job, failure: located(failureOfAll(run, errors, item), job) };
	return {
		job,
		position,
		prepared,
		preparing,
		isPreview: preview,
		...(paging === undefined ? {} : { paging }),
		...(waiting === undefined ? {} : { waiting }),
	};
}

/** All faults of an input in one. What is none, such as an expression that fails, comes first: the faults may follow from it. */
function failureOfAll(run: Run, errors: readonly unknown[], item: number): Failure {
	const faults = errors.flatMap((error) => (error instanceof InputError ? error.faults : []));
	const other = errors.find((error) => !(error instanceof InputError));
	return failureOf(run.context, other ?? new InputError(faults), item);
}

/** Faults in the words of the form, each with its item. */
export function located(failure: Failure, job: Job): Failure {
	if (!(failure instanceof InputError)) return failure;
	const item = firstItem(job);
	const { locate = (fault: Fault) => ({ ...fault, item }) } = job;
	return new InputError(failure.faults.flatMap((fault) => locate(fault) ?? []));
}

/** Every fault of the plan in one; undefined where everything may be sent. */
export function whyNot(planned: Plan): Refused | undefined {
	const refused = planned.filter(isRefused);
	const [first] = refused;
	// What is no fault of the input, such as an expression that fails, says more for itself than as one of many.
	if (first === undefined || !refused.some(({ failure }) => failure instanceof InputError)) return first;
	const faults = refused.flatMap(({ job, failure }): readonly Fault[] =>
		failure instanceof InputError ? failure.faults : [{ path: '', message: failure.message, item: firstItem(job) }],
	);
	return { job: first.job, failure: new InputError(faults) };
}
