import { type Fault, InputError } from '@bank/core';

import { refuseEverNew } from '../../shared/run/everNew.ts';
import type { Run } from '../../shared/run/run.ts';

/** What a payout is called. A payment is known by it again, so that it must not be another name when the payout is run again. */

const example = 'such as salary-2026-11';

const ever =
	'it would be another one each time, and nobody would be kept from being paid twice. ' +
	`Use what stays the same when this payout is run again, ${example}. Of a clock, a month or a week is ` +
	"one: {{ $now.format('yyyy-MM') }}";

/** @throws InputError where it does not say which payout this is */
export async function checkPaymentRun(run: Run): Promise<void> {
	const { itemCount } = run;
	const { paymentRun } = run.context.getNode().parameters;
	await refuseEverNew(run, 'paymentRun', paymentRun, ever, () => run.parameters.text('paymentRun'));
	const faults: Fault[] = [];
	for (let item = 0; item < itemCount; item++) {
		const message = faultOf(run.parameters.value('paymentRun', item, ''));
		if (message !== undefined) faults.push({ path: 'paymentRun', message, item });
	}
	if (faults.length > 0) throw new InputError(faults);
}

/** What stands in a text in place of an object: all of a kind look the same there. */
const inPlaceOfAnObject = /\[object \w+\]|^\[(?:Array|Date|DateTime|Map|Object|Set): |\bInvalid DateTime\b/;

function faultOf(value: unknown): string | undefined {
	const isObject = typeof value === 'object' && value !== null;
	if (isObject || inPlaceOfAnObject.test(String(value)))
		return `must be a text or a number, and its expression gives an object. Choose one of its fields, ${example}`;
	if (String(value ?? '').trim() !== '') return undefined;
	return `is required: what you call this payout, ${example} or the number of an invoice`;
}
