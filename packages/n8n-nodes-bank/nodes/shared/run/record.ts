import { isBankFailure } from '@bank/core';

import type { Form } from '../form.ts';
import { type JournalContext, readJournal, writeJournal } from '../journal.ts';
import { inOrder, type Outcome } from './present.ts';
import type { Run } from './run.ts';
import { journalOf } from './settings.ts';

/**
 * What became of a job goes into the journal, where there is one. What was not sent because it was sent before stands there already: that
 * is told with the refusal, and no row says of it that it is unknown. That the journal fails is told with what was carried out, and
 * changes nothing of it.
 */
export async function recorded(run: Run, form: Form, context: JournalContext, outcome: Outcome): Promise<Outcome> {
	const table = journalOf(run);
	if (table === undefined || form.journal === undefined) return outcome;
	const items = inOrder(run, [outcome]);
	const rows = form.journal(outcome.job, items);
	const before = rows.filter(({ sequence }) => sentBefore(outcome).includes(sequence));
	const earlier = before.length === 0 ? new Map() : await readJournal(context, table, before);
	const fault = await writeJournal(
		context,
		table,
		rows.filter(({ sequence }) => !earlier.has(sequence)),
	);
	if (fault !== undefined) for (const { json } of items) json.journal = `not written: ${fault}`;
	return 'failure' in outcome && earlier.size > 0 ? { ...outcome, earlier } : outcome;
}

function sentBefore(outcome: Outcome): readonly string[] {
	if (!('failure' in outcome) || !isBankFailure(outcome.failure)) return [];
	const { code, names = [] } = outcome.failure.details;
	return code === 'already_claimed' ? names : [];
}
