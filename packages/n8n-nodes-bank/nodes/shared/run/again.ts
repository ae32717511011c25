import { InputError, textOrNumber } from '@bank/core';

import { isOn } from '../parameters.ts';
import { isEverNew } from './everNew.ts';
import type { Run } from './run.ts';
import { writtenOptions } from './settings.ts';

/** Sending on purpose what was sent before. */

/**
 * Whether to send what was sent before: an expression that gives nothing sends nothing.
 * @throws InputError where the items of one request do not agree: the word of one would send again what has none
 */
export function againOf({ parameters }: Run, [first = 0, ...others]: readonly number[]): string | true | undefined {
	const { askAgain, sendAgain } = parameters.options(first);
	const word = textOrNumber(sendAgain);
	const other = others.find((item) => textOrNumber(parameters.value('options.sendAgain', item, '')) !== word);
	if (other !== undefined) throw new InputError([{ path: 'sendAgain', message: disagreed, item: other }]);
	return isOn(askAgain) || word || undefined;
}

const disagreed =
	'must be the same for all items of a package: one word sends the whole package again. Give this node only the items to send again, or ' +
	'switch on One Package per Item';

/** @throws InputError where the word is another one each time: each would send once more */
export async function checkSendAgain(run: Run): Promise<void> {
	const { sendAgain } = writtenOptions(run);
	if (sendAgain === undefined) return;
	if (await isEverNew(run, sendAgain, () => textOrNumber(run.parameters.options().sendAgain)))
		throw new InputError([{ path: 'sendAgain', message: everNew, item: 0 }]);
}

const everNew =
	'must not come from a clock, a random number, a position or the execution: each run would have another word, and would pay once ' +
	'more. Write a word of your own';
