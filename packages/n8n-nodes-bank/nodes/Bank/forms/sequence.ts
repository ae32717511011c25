import { InputError, isRecord, readRecipients, textOrNumber } from '@bank/core';

import { changesElsewhere, everNewFault, refuseEverNew } from '../../shared/run/everNew.ts';
import type { Run } from '../../shared/run/run.ts';

/**
 * A sequence of the user's own tells two payments apart, so that it must be the same when the payout is run again. What is only a
 * position is left to the node, which knows that it says nothing.
 */

const why =
	'it would be another one each time, and nobody would be kept from being paid twice. Drag a column onto it that the row has, such as ' +
	'the number of an invoice, or leave it empty: the position is sent then';

/** @throws InputError where an expression names the payments anew each time */
export async function checkSequences(run: Run): Promise<void> {
	const { parameters, context } = run;
	const written = context.getNode().parameters;
	const from = parameters.value('recipientsFrom', 0);
	if (from === 'list') {
		if (changesElsewhere(run, written.payments, sequencesIn)) throw new InputError([everNewFault('sequence', why)]);
		return;
	}
	if (from !== 'columns')
		return await refuseEverNew(run, 'sequence', written.sequence, why, () =>
			textOrNumber(parameters.value('sequence', 0, '')),
		);
	// As n8n keeps what was mapped by hand; it stays there where columns are matched by name.
	const columns: unknown = written.columns;
	if (!isRecord(columns) || columns.mappingMode !== 'defineBelow') return;
	const mapped = isRecord(columns.value) ? columns.value.sequence : undefined;
	const name = 'columns.value["sequence"]';
	await refuseEverNew(run, 'sequence', mapped, why, () => textOrNumber(parameters.value(name, 0, '')));
}

const sequencesIn = (list: unknown): unknown => readRecipients(list)?.map(({ sequence }) => sequence);
