import { InputError, textOrNumber } from '@bank/core';

import { isExpression, isOn } from '../parameters.ts';
import { refuseEverNew } from './everNew.ts';
import type { Run } from './run.ts';
import { writtenOptions } from './settings.ts';

/** Sending on purpose what was sent before. */

/**
 * Whether to send what was sent before: an expression that gives nothing sends nothing.
 * @throws InputError where the items of one request do not say the same: it would be sent again for all of them
 */
export function againOf(run: Run, [first = 0, ...others]: readonly number[]): string | true | undefined {
	const wordAt = (item: number) => textOrNumber(run.parameters.options(item).sendAgain);
	const word = wordAt(first);
	// Without an expression it is the same everywhere: of ten thousand items none needs to be asked.
	const mayDiffer = isExpression(writtenOptions(run).sendAgain);
	const faults = (mayDiffer ? others : []).flatMap((item) =>
		wordAt(item) === word ? [] : [{ path: 'sendAgain', message: notTheSame, item }],
	);
	if (faults.length > 0) throw new InputError(faults);
	return isOn(run.parameters.options(first).askAgain) || word || undefined;
}

/** @throws InputError where the word is another one each time: each would send once more */
export async function checkSendAgain(run: Run): Promise<void> {
	const { sendAgain } = writtenOptions(run);
	if (sendAgain === undefined) return;
	await refuseEverNew(run, 'sendAgain', sendAgain, everNew, () => textOrNumber(run.parameters.options().sendAgain));
}

const everNew = 'each run would have another word, and would pay once more. Write a word of your own';

const notTheSame =
	'differs from that of the first item, and what goes in one request is sent again as a whole. Send those items that are to be ' +
	'sent again alone';
