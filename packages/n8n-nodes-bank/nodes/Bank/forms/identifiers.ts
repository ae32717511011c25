import { InputError, readRecipients, textOrNumber, type ValidationIssue } from '@bank/core';

import { changesElsewhere, nondeterministicIssue, refuseNondeterministic } from '../../shared/form/nondeterministic.ts';
import { hintAtToday, identifierProblem, refuseUnstable } from '../../shared/form/unstableValues.ts';
import { normalizeText } from '../../shared/idempotency/keys.ts';
import type { Run } from '../../shared/form/run.ts';

/**
 * Payment run and sequence are the idempotency key of a payment, so they must not change when the payout is run again.
 * @throws InputError if the payment run does not identify the payout
 */
export async function checkPaymentRun(run: Run): Promise<void> {
	const { itemCount } = run;
	const { paymentRun } = run.context.getNode().parameters;
	await refuseNondeterministic(run, 'paymentRun', paymentRun, () => run.parameters.text('paymentRun'));
	const issues: ValidationIssue[] = [];
	const checked = new Set<string>();
	for (let item = 0; item < itemCount; item++) {
		const value = run.parameters.value('paymentRun', item, '');
		const message = paymentRunProblem(value);
		if (message !== undefined) issues.push({ path: 'paymentRun', message, item });
		else if (!checked.has(String(value))) {
			refuseUnstable(run, 'paymentRun', String(value), item);
			hintAtToday(run, String(value));
			checked.add(String(value));
		}
	}
	if (issues.length === 0) return;
	// Usually all items share one payment run, so its problem is reported once.
	const shared = issues.slice(0, 1).map(({ path, message }) => ({ path, message }));
	throw new InputError(issues.length === itemCount ? shared : issues);
}

function paymentRunProblem(value: unknown): string | undefined {
	const message = identifierProblem(value);
	if (message !== undefined || normalizeText(String(value ?? '')) !== '') return message;
	return `is required: the name of this payout, such as salary-2026-11 or an invoice number. Use the same name when you run it again`;
}

/** @throws InputError if an expression returns another sequence on each run */
export async function checkSequences(run: Run): Promise<void> {
	const { parameters, context } = run;
	const written = context.getNode().parameters;
	const from = parameters.value('recipientsFrom', 0);
	if (from === 'list') {
		if (changesElsewhere(run, written.payments, sequencesIn)) throw new InputError([nondeterministicIssue('sequence')]);
		return;
	}
	await refuseNondeterministic(run, 'sequence', written.sequence, () =>
		textOrNumber(parameters.value('sequence', 0, '')),
	);
}

const sequencesIn = (list: unknown): unknown => readRecipients(list)?.map(({ sequence }) => sequence);
