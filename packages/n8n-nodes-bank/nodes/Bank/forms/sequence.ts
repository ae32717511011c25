import { InputError, isRecord, readRecipients, textOrNumber } from '@bank/core';

import {
	changesElsewhere,
	nondeterministicFault,
	refuseNondeterministic,
} from '../../shared/idempotency/nondeterministic.ts';
import type { Run } from '../../shared/pipeline/run.ts';

/** The user's own sequence identifies a payment, so it must be the same when the payout is run again. */

/** @throws InputError if an expression returns another sequence on each run */
export async function checkSequences(run: Run): Promise<void> {
	const { parameters, context } = run;
	const written = context.getNode().parameters;
	const from = parameters.value('recipientsFrom', 0);
	if (from === 'list') {
		if (changesElsewhere(run, written.payments, sequencesIn)) throw new InputError([nondeterministicFault('sequence')]);
		return;
	}
	if (from !== 'columns')
		return await refuseNondeterministic(run, 'sequence', written.sequence, () =>
			textOrNumber(parameters.value('sequence', 0, '')),
		);
	// n8n keeps a manual mapping after the user switches to matching columns by name.
	const columns: unknown = written.columns;
	if (!isRecord(columns) || columns.mappingMode !== 'defineBelow') return;
	const mapped = isRecord(columns.value) ? columns.value.sequence : undefined;
	const name = 'columns.value["sequence"]';
	await refuseNondeterministic(run, 'sequence', mapped, () => textOrNumber(parameters.value(name, 0, '')));
}

const sequencesIn = (list: unknown): unknown => readRecipients(list)?.map(({ sequence }) => sequence);
