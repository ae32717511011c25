import { InputError } from '@bank/core';

import type { Run } from '../pipeline/run.ts';
import { hasToday, type RunMoment, unstablePart } from './unstableValues.ts';

/** Checks values that identify a payment or a payout, including values that an earlier node computed. */

const reasons = {
	execution: 'contains the ID of this execution, and the next run has another',
	resumeUrl: 'contains a resume URL, and the next run has another',
	time: 'contains the current time, and the next run has another',
} as const;

/** @throws InputError if the value would differ on the next run, so that duplicate protection could not work */
export function refuseUnstable(run: Run, path: string, value: string, item: number): void {
	const part = unstablePart(value, momentOf(run));
	if (part === undefined) return;
	const message = `${reasons[part]} ("${value.slice(0, 60)}"). Use what stays the same, such as salary-2026-11 or an invoice number`;
	throw new InputError([{ path, message, item }]);
}

/** Hint for payment runs that contain today's date: run again tomorrow, they would pay again. */
export function hintAtToday(run: Run, value: string): void {
	if (!hasToday(value, momentOf(run))) return;
	const message = `Payment Run "${value.slice(0, 60)}" contains today's date: a run tomorrow is another payout and pays again.`;
	run.context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}

/** `$execution`, unless one of its other fields is used. */
const idOfExecution = /\$execution(?!\??\.(?:resumeUrl|resumeFormUrl|mode|customData)\b)/;

const moments = new WeakMap<Run, RunMoment>();

function momentOf(run: Run): RunMoment {
	const known = moments.get(run);
	if (known !== undefined) return known;
	const { context } = run;
	const parents = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	const moment = {
		now: Date.now(),
		timeZone: context.getTimezone(),
		executionId: context.getExecutionId(),
		usesExecutionId: idOfExecution.test(JSON.stringify(parents)),
	};
	moments.set(run, moment);
	return moment;
}
