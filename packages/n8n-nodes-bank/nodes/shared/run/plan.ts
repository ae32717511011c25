import { type Fault, InputError, prepare, type PreparedRequest } from '@bank/core';

import { type Failure, failureOf } from '../failures.ts';
import { type Form } from '../form.ts';
import { readGenerated } from '../readForm.ts';
import { repeatedFault } from './identity.ts';
import { firstItem, type Job, type Run } from './run.ts';
import { arrayFormatOf, type Paging, pagingOf, type Waiting, waitingOf } from './settings.ts';

/** A request that has passed every check that needs no bank. */
export interface Planned {
	job: Job;
	/** Its place among the jobs of this run: the same items give the same places. */
	position: number;
	prepared: PreparedRequest;
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

export const isRefused = (one: Planned | Refused): one is Refused => 'failure' in one;

/**
 * Items -> checked jobs. Reads every parameter once and finds every fault of every item; nothing is sent here, and nothing
 * but n8n is asked.
 */
export async function plan(run: Run, form: Form): Promise<Plan> {
	const jobs = await jobsOf(run, form);
	const checked = jobs.map((one, position) => ('failure' in one ? one : checkedJob(run, one.job, position)));
	const repeated = repeatedFault(run.operation);
	return checked.map((one) => {
		if (isRefused(one)) return one;
		const fault = repeated(one.prepared, firstItem(one.job));
		return fault === undefined ? one : { job: one.job, failure: new InputError([fault]) };
	});
}

async function jobsOf(run: Run, form: Form): Promise<({ job: Job } | Refused)[]> {
	const items = Array.from({ length: run.itemCount }, (_, item) => item);
	if (form.jobs !== undefined) {
		try {
			return form.jobs(run).map((job) => ({ job }));
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

function checkedJob(run: Run, job: Job, position: number): Planned | Refused {
	const item = firstItem(job);
	try {
		const paging = pagingOf(run, item);
		const waiting = waitingOf(run, item);
		const arrayFormat = arrayFormatOf(run, item);
		const prepared = prepare(run.operation, job.input, {
			timeZone: run.context.getTimezone(),
			...(arrayFormat === undefined ? {} : { arrayFormat }),
		});
		return {
			job,
			position,
			prepared,
			...(paging === undefined ? {} : { paging }),
			...(waiting === undefined ? {} : { waiting }),
		};
	} catch (error) {
		return { job, failure: located(failureOf(run.context, error, item), job) };
	}
}

/** Faults in the words of the form, each with its item. */
export function located(failure: Failure, job: Job): Failure {
	if (!(failure instanceof InputError)) return failure;
	const item = firstItem(job);
	return new InputError(failure.faults.map((fault) => job.locate?.(fault) ?? { ...fault, item }));
}

/** Every fault of the plan in one, or what else is wrong first; undefined where everything may be sent. */
export function whyNot(planned: Plan): Refused | undefined {
	const refused = planned.filter(isRefused);
	const [first] = refused;
	if (first === undefined) return undefined;
	const faults = refused.flatMap(({ failure }): readonly Fault[] =>
		failure instanceof InputError ? failure.faults : [],
	);
	return faults.length === 0 ? first : { job: first.job, failure: new InputError(faults) };
}
