import { InputError } from '@bank/core';

import { oncePerRun, type Run, showHint } from './run.ts';
import { hasToday, type RunMoment, unstablePart } from './unstablePart.ts';

/**
 * Checks values that identify a payment or a payout and that an earlier node may have computed from the time or the
 * execution. Only the value is known here, so only clear cases are rejected; expressions of the node itself are checked
 * in nondeterministic.ts.
 */

const reasons = {
	execution: 'contains the ID of this execution, which differs in the next run',
	resumeUrl: 'contains a resume URL, which differs in the next run',
	time: 'contains the current time, which differs in the next run',
} as const;

/** Text that JavaScript makes of an object. It is the same for all objects of a class. */
const inPlaceOfAnObject = /\[object \w+\]|^\[(?:Array|Date|DateTime|Map|Object|Set): |\bInvalid DateTime\b/;

/**
 * The reason why a value identifies nothing: it is an object, or a number without its last digits. Undefined if the
 * value may identify a payment.
 */
export function identifierProblem(value: unknown): string | undefined {
	const isObject = typeof value === 'object' && value !== null;
	if (isObject || inPlaceOfAnObject.test(String(value)))
		return 'must be text or a number, but its expression returns an object. Choose one of its fields';
	return Number.isInteger(value) && !Number.isSafeInteger(value)
		? 'is a number with more than 15 digits, which loses its last digits: enter it as text'
		: undefined;
}

/** @throws InputError if the value would differ on the next run or in a file, so that duplicate protection could not work */
export function refuseUnstable(run: Run, path: string, value: string, item: number): void {
	if (shortenedNumber.test(value)) {
		const message = `is a number that a spreadsheet has shortened ("${value.slice(0, 60)}"). Format the column as text`;
		throw new InputError([{ path, message, item }]);
	}
	const part = unstablePart(value, momentOf(run));
	if (part === undefined) return;
	const message = `${reasons[part]} ("${value.slice(0, 60)}"). Use what stays the same, such as salary-2026-11 or an invoice number`;
	throw new InputError([{ path, message, item }]);
}

const shortenedNumber = /^\s*\d{1,40}(?:[.,]\d{1,40})?e[+-]?\d{1,4}\s*$/i;

/**
 * Warns of a payment run that contains today's date: tomorrow it would be another payment run, and everybody would be
 * paid again.
 */
export function hintAtToday(run: Run, value: string): void {
	if (!hasToday(value, momentOf(run))) return;
	const name = value.slice(0, 60);
	showHint(
		run,
		'warning',
		`Payment Run "${name}" contains today's date: a run tomorrow is another payout and pays again.`,
	);
}

/** `$execution`, unless one of its other fields is used. */
const idOfExecution = /\$execution(?!\??\.(?:resumeUrl|resumeFormUrl|mode|customData)\b)/;

const momentOf = oncePerRun(({ context }): RunMoment => {
	const parents = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return {
		now: Date.now(),
		timeZone: context.getTimezone(),
		executionId: context.getExecutionId(),
		usesExecutionId: idOfExecution.test(JSON.stringify(parents)),
	};
});
