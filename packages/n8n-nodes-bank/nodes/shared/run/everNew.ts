import { type Fault, InputError } from '@bank/core';
import { sleep } from 'n8n-workflow';

import { isExpression } from '../parameters.ts';
import type { Run } from './run.ts';

/** What tells one thing from another must be the same when it is run again: a clock, a random number and an execution identify nothing. */

/** Expressions that give something else each time, and clocks that are asked in a way nobody needs. */
const neverTheSame = /\$execution\b|\$runIndex\b|\$itemIndex\b|Math\.random|\bDate(?:Time)?\s*(?:\?\.)?\s*\[/;

/** How an expression asks what time it is. */
const clock = new RegExp(
	[
		/\$now\b|\$today\b/,
		/\bDateTime\.(?:now|local|utc)\(\s*(?:\{[^}]*\}\s*)?\)|\bDate\.now\(\s*\)/,
		/\bnew\s+Date(?:\(\s*\)|\b(?!\s*\())/,
		/(?<![\w$.]|new\s+)Date\(\s*\)/,
	]
		.map(({ source }) => source)
		.join('|'),
	'g',
);

/** @throws InputError where the field that names something would name it anew each time; `why` is what that would do */
export async function refuseEverNew(
	run: Run,
	path: string,
	written: unknown,
	why: string,
	read: () => unknown,
): Promise<void> {
	if (await isEverNew(run, written, read)) throw new InputError([everNewFault(path, why)]);
}

export const everNewFault = (path: string, why: string): Fault => ({
	path,
	message: `must not come from a clock, a random number, a position or the execution: ${why}`,
	item: 0,
});

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

function changesWithinAWeek(run: Run, expression: string): boolean {
	if (expression.search(clock) < 0) return false;
	const [tuesday, thursday] = moments.map((moment) => String(evaluatedAt(run, expression, moment)));
	return tuesday !== thursday;
}

const evaluatedAt = ({ context }: Run, expression: string, moment: string): unknown =>
	context.evaluateExpression(
		expression.replace(clock, (asked) => toldAs(asked, moment)),
		0,
	);

/** How an expression asks which execution this is, and for a random number. */
const chance = /\$execution\s*\??\.\s*id\b|\bMath\.random\(\s*\)/g;

/** Whether what is `picked` of a value, which may hold a clock elsewhere, would be something else in another execution on another day. */
export function changesElsewhere(run: Run, written: unknown, picked: (value: unknown) => unknown): boolean {
	if (!isExpression(written)) return false;
	const expression = String(written).slice(1);
	if (expression.search(clock) < 0 && expression.search(chance) < 0) return false;
	const [here, elsewhere] = moments.map((moment, index) =>
		JSON.stringify(
			picked(
				evaluatedAt(
					run,
					expression.replace(chance, (asked) => (asked.startsWith('$') ? `'${index}'` : `0.${index + 1}`)),
					moment,
				),
			),
		),
	);
	return here !== elsewhere;
}

function toldAs(asked: string, moment: string): string {
	if (asked.startsWith('new')) return `new Date('${moment}')`;
	if (/^Date\(/.test(asked)) return `String(new Date('${moment}'))`;
	return asked.startsWith('Date.') ? `new Date('${moment}').getTime()` : `DateTime.fromISO('${moment}')`;
}
