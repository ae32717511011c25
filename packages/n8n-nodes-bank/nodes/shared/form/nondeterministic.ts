import { type ValidationIssue, InputError } from '@bank/core';
import { isExpression, sleep } from 'n8n-workflow';

import type { Run } from './run.ts';

/** Expressions with a different value on each call or after a change of the workflow, and unusual ways to read the time. */
const neverTheSame =
	/\$(?:execution|runIndex|itemIndex|workflow|prevNode)\b|Math\.random|\bDate(?:Time)?\s*(?:\?\.)?\s*\[/;

/** Ways to get the current time in an expression. */
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

export const nondeterministicIssue = (path: string): ValidationIssue => ({
	path,
	message:
		"must be the same on every run. Don't use the current time, random values, item positions, the execution ID or the " +
		"workflow's name",
	item: 0,
});

/**
 * @param written the parameter as entered by the user
 * @param read returns its value
 * @throws InputError if its value would differ on the next run, because an idempotency key must not
 */
export async function refuseNondeterministic(
	run: Run,
	path: string,
	written: unknown,
	read: () => unknown,
): Promise<void> {
	if (await isNondeterministic(run, written, read)) throw new InputError([nondeterministicIssue(path)]);
}

async function isNondeterministic(run: Run, written: unknown, read: () => unknown): Promise<boolean> {
	if (typeof written === 'string') {
		if (!isExpression(written)) return false;
		if (neverTheSame.test(written) || changesElsewhere(run, written)) return true;
	}
	// The value is read twice, because random values differ between the two reads.
	const first = read();
	await sleep(5);
	return read() !== first;
}

/** Two points in time in one week. A value that differs between them would also differ when a payout is run again. */
const moments = ['2020-06-09T01:02:03.004Z', '2020-06-11T05:06:07.008Z'];

const executionOrChance = /\$execution\s*\??\.\s*id\b|\bMath\.random\(\s*\)/g;

/** Whether a value, or the part of it that `pick` returns, would differ in another execution on another day. */
export function changesElsewhere(
	{ context }: Run,
	written: unknown,
	pick = (value: unknown): unknown => value,
): boolean {
	if (!isExpression(written)) return false;
	const expression = String(written).slice(1);
	if (expression.search(clock) < 0 && expression.search(executionOrChance) < 0) return false;
	const [here, elsewhere] = moments.map((moment, index) => {
		const changed = expression
			.replace(executionOrChance, (asked) => (asked.startsWith('$') ? `'${index}'` : `0.${index + 1}`))
			.replace(clock, (asked) => readAs(asked, moment));
		return JSON.stringify(pick(context.evaluateExpression(changed, 0)));
	});
	return here !== elsewhere;
}

function readAs(asked: string, moment: string): string {
	if (asked.startsWith('new')) return `new Date('${moment}')`;
	if (/^Date\(/.test(asked)) return `String(new Date('${moment}'))`;
	return asked.startsWith('Date.') ? `new Date('${moment}').getTime()` : `DateTime.fromISO('${moment}')`;
}
