import { type ValidationIssue, InputError } from '@bank/core';

import { refuseNondeterministic } from '../../shared/idempotency/nondeterministic.ts';
import { hintAtToday, refuseUnstable } from '../../shared/idempotency/unstableValues.ts';
import type { Run } from '../../shared/pipeline/run.ts';

/**
 * The payment run names a payout. It is part of the idempotency key of each payment, so it must not change when the
 * payout is run again.
 */

const example = 'such as salary-2026-11';

/** @throws InputError if the payment run does not identify the payout */
export async function checkPaymentRun(run: Run): Promise<void> {
	const { itemCount } = run;
	const { paymentRun } = run.context.getNode().parameters;
	await refuseNondeterministic(run, 'paymentRun', paymentRun, () => run.parameters.text('paymentRun'));
	const faults: ValidationIssue[] = [];
	const checked = new Set<string>();
	for (let item = 0; item < itemCount; item++) {
		const value = run.parameters.value('paymentRun', item, '');
		const message = faultOf(value);
		if (message !== undefined) faults.push({ path: 'paymentRun', message, item });
		else if (!checked.has(String(value))) {
			refuseUnstable(run, 'paymentRun', String(value), item);
			hintAtToday(run, String(value));
			checked.add(String(value));
		}
	}
	if (faults.length === 0) return;
	// Usually all items share one payment run, so its problem is reported once.
	const first = { ...(faults[0] ?? { path: '', message: '' }) };
	delete first.item;
	throw new InputError(faults.length === itemCount ? [first] : faults);
}

/** JavaScript's text for an object, which is the same for all objects of a class. */
const inPlaceOfAnObject = /\[object \w+\]|^\[(?:Array|Date|DateTime|Map|Object|Set): |\bInvalid DateTime\b/;

function faultOf(value: unknown): string | undefined {
	const isObject = typeof value === 'object' && value !== null;
	if (isObject || inPlaceOfAnObject.test(String(value)))
		return `must be text or a number, but its expression returns an object. Choose one of its fields`;
	if (String(value ?? '').trim() !== '') return undefined;
	return `is required: the name of this payout, ${example} or an invoice number. Use the same name when you run it again`;
}
