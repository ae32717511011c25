import { type Fault, InputError } from '@bank/core';
import { sleep } from 'n8n-workflow';

import type { Run } from '../../shared/run/run.ts';

/** What a payout is called. A payment is known by it again, so that it must not be another name when the payout is run again. */

const example = 'such as salary-2026-11';

const ever =
	'must not come from a clock, a random number, a position or the execution: it would be another one each time, and nobody would be ' +
	`kept from being paid twice. Use what stays the same when this payout is run again, ${example}. Of a clock, a month or a week is ` +
	"one: {{ $now.format('yyyy-MM') }}";

/** @throws InputError where it does not say which payout this is */
export async function checkPaymentRun(run: Run): Promise<void> {
	const { itemCount } = run;
	if (await isEverNew(run)) throw new InputError([{ path: 'paymentRun', message: ever, item: 0 }]);
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

/** Expressions that give something else each time: they identify nothing. */
const neverTheSame = /\$execution\b|\$runIndex\b|\$itemIndex\b|Math\.random/;

/** How an expression asks what time it is. */
const clock =
	/\$now\b|\$today\b|\bDateTime\.(?:now|local|utc)\(\s*\)|\bDate\.now\(\s*\)|\bnew Date(?:\(\s*\)|\b(?!\s*\())/g;

/** Asked twice, a moment apart: whatever else is another each time, such as a random number in other words, shows then. */
async function isEverNew(run: Run): Promise<boolean> {
	const { paymentRun } = run.context.getNode().parameters;
	if (typeof paymentRun === 'string') {
		if (!paymentRun.startsWith('=')) return false;
		if (neverTheSame.test(paymentRun) || changesWithinAWeek(run, paymentRun.slice(1))) return true;
	}
	const first = run.parameters.text('paymentRun');
	await sleep(5);
	return run.parameters.text('paymentRun') !== first;
}

/** Two moments of one week, as each clock would tell them: what differs between them would differ between a payout and its repetition. */
const moments = ['2020-06-09T01:02:03.004Z', '2020-06-11T05:06:07.008Z'];

function changesWithinAWeek({ context }: Run, expression: string): boolean {
	if (expression.search(clock) < 0) return false;
	const [tuesday, thursday] = moments.map((moment) =>
		String(
			context.evaluateExpression(
				expression.replace(clock, (asked) => toldAs(asked, moment)),
				0,
			),
		),
	);
	return tuesday !== thursday;
}

function toldAs(asked: string, moment: string): string {
	if (asked.startsWith('new')) return `new Date('${moment}')`;
	return asked.startsWith('Date.') ? `new Date('${moment}').getTime()` : `DateTime.fromISO('${moment}')`;
}
