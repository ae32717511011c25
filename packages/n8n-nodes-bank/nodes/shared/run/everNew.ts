import { sleep } from 'n8n-workflow';

import { isExpression } from '../parameters.ts';
import type { Run } from './run.ts';

/** What tells one thing from another must be the same when it is run again: a clock, a random number and an execution identify nothing. */

/** Expressions that give something else each time. */
const neverTheSame = /\$execution\b|\$runIndex\b|\$itemIndex\b|Math\.random/;

/** How an expression asks what time it is. */
const clock =
	/\$now\b|\$today\b|\bDateTime\.(?:now|local|utc)\(\s*\)|\bDate\.now\(\s*\)|\bnew Date(?:\(\s*\)|\b(?!\s*\())/g;

/**
 * Whether what a field gives would be something else when the same is run again.
 * @param written as the user has written it
 * @param read what it gives
 */
export async function isEverNew(run: Run, written: unknown, read: () => unknown): Promise<boolean> {
	if (typeof written === 'string') {
		if (!isExpression(written)) return false;
		if (neverTheSame.test(written) || changesWithinAWeek(run, written.slice(1))) return true;
	}
	// Asked twice, a moment apart: whatever else is another each time, such as a random number in other words, shows then.
	const first = read();
	await sleep(5);
	return read() !== first;
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
