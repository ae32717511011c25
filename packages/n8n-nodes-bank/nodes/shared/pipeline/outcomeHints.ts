import { exactTotal, isRecord, type Operation, textOrNumber } from '@bank/core';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { notProcessed } from '../base/failures.ts';
import { joinNames, moneyText, resolveText } from '../base/messages.ts';
import type { Items } from '../form/run.ts';

/** Texts about the outcomes of a run, for hints above its output and for errors. */

export function countOutcomes(items: Items): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { json } of items) {
		const outcome = textOrNumber(outcomeIn(json));
		if (outcome !== '') counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	return counts;
}

/** Returns a summary such as "2 of 3 accepted, 1 now: 500.50 to Anna; 1 earlier, not sent again: 3,000.00 to Boris; 1 rejected". */
export function summaryOf(counts: ReadonlyMap<string, number>, items: Items): string {
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
	const others = Object.entries(outcomeWords).flatMap(([outcome, words]) =>
		count(outcome) === 0 ? [] : [`${count(outcome)} ${words}`],
	);
	const [now, earlier] = [count('accepted'), count('alreadyAccepted')];
	const accepted = `${now + earlier} of ${total} accepted`;
	const paid =
		now > 0 && earlier > 0
			? [
					`${accepted}, ${now} now${whoWasPaid(items, ['accepted'], now)}`,
					`${earlier} earlier, not sent again${whoWasPaid(items, ['alreadyAccepted'], earlier)}`,
				]
			: [
					`${accepted}${earlier === 0 ? '' : ` (${earlier} earlier, not sent again)`}` +
						whoWasPaid(items, ['accepted', 'alreadyAccepted'], now + earlier),
				];
	return [...paid, ...(others.length === 0 ? [] : [others.join(', ')])].join('; ');
}

/** Amount and recipients of these payments, such as ": 3,500.50 to Anna, Boris". Empty if an amount is not known. */
function whoWasPaid(items: Items, outcomes: readonly string[], count: number): string {
	const paid = items.filter(({ json }) => outcomes.includes(textOrNumber(outcomeIn(json))));
	const amounts = paid.map(({ json }) => json.amount).filter((amount) => typeof amount === 'number');
	if (count === 0 || amounts.length < count) return '';
	const names = paid.map(({ json }) => textOrNumber(json.recipient)).filter((name) => name !== '');
	return `: ${moneyText(exactTotal(amounts) ?? 0)}${names.length < paid.length ? '' : ` to ${joinNames(names, maxNames)}`}`;
}

const outcomeWords: Readonly<Record<string, string>> = {
	rejected: 'rejected',
	notSent: 'not sent',
	conflict: 'in conflict',
	unknown: 'unknown',
};

export function hintsOf(operation: Operation, items: Items, executionId?: string): NodeExecutionHint[] {
	const { effect } = operation;
	const counts = countOutcomes(items);
	const count = (outcome: string) => counts.get(outcome) ?? 0;
	const hint = (type: NonNullable<NodeExecutionHint['type']>, message: string): NodeExecutionHint[] => [
		{ type, location: 'outputPane', message },
	];
	if (effect === 'money') {
		if (counts.size === 0) return [];
		const summary = `${summaryOf(counts, items)}.`;
		if (count('unknown') + count('conflict') > 0)
			return hint('danger', [summary, ...openTexts(operation, items)].join(' '));
		if (count('rejected') + count('notSent') > 0)
			return hint(
				'warning',
				[summary, ...reasonTexts(items), 'When this is solved, run again: nobody is paid twice.'].join(' '),
			);
		// In a loop, the second payment to a person looks like the first one.
		const isRepeated = items.some(
			({ json }) =>
				json.outcome === 'alreadyAccepted' && json.sequenceGiven === false && json.acceptedIn === executionId,
		);
		return isRepeated
			? hint('warning', `${summary} ${repeatedText}`)
			: hint('info', `${summary} No payment needs attention.`);
	}
	if (effect === 'read' || effect === 'none') return [];
	return [
		...(count('unknown') === 0
			? []
			: hint(
					'danger',
					`${itemsText(count('unknown'))}: it is unknown whether the bank carried it out. Ask it before you send again.`,
				)),
		...(count('notSent') === 0 ? [] : hint('warning', `${itemsText(count('notSent'))}: Nothing was sent.`)),
	];
}

const repeatedText =
	'Some were accepted earlier in this execution. If these people should get several payments, map "Sequence": without it, ' +
	'a loop pays each of them once.';
const itemsText = (count: number) => (count === 1 ? '1 item' : `${count} items`);

/** Maximum number of problems, or of recipients, in a hint. */
export const maxNames = 3;

/** Why payments were rejected or not sent. */
function reasonTexts(items: Items): string[] {
	const errors = items.map(({ json }) => textOrNumber(json.error));
	const reasons = new Set(errors.filter((error) => error !== '' && !error.startsWith(notProcessed)));
	return reasons.size === 0 ? [] : [`${joinNames([...reasons], maxNames, '. ')}.`];
}

/** Names the payments that are open, and the next step for them. */
function openTexts(operation: Operation, items: Items): string[] {
	const withOutcome = (outcome: string) => items.filter(({ json }) => outcomeIn(json) === outcome);
	const unknown = Map.groupBy(
		withOutcome('unknown').map(({ json }) => detailsIn(json)),
		({ code }) => (code === 'being_sent' ? 'running' : 'resolvable'),
	);
	const named = (kind: 'running' | 'resolvable', what: string, next: string) => {
		const payments = unknown.get(kind);
		return payments === undefined ? [] : [`${what}: ${namesIn(payments)}. ${next}`];
	};
	const maybePaid = 'May have been paid, so not sent again';
	return [
		...named(
			'running',
			'Another execution is sending',
			'Wait until it has ended (after Stop or a crash: until the time in the error output), then run again.',
		),
		...named('resolvable', maybePaid, resolveText(operation)),
		...conflictTexts(withOutcome('conflict')),
	];
}

/** Conflicts with their reasons, or only their names if there are many. */
function conflictTexts(conflicts: Items): string[] {
	if (conflicts.length === 0) return [];
	const which =
		conflicts.length > maxNames
			? `Not sent, because the row differs from what was sent: ${namesIn(conflicts.map(({ json }) => detailsIn(json)))}`
			: `Not sent: ${conflicts.map(({ json }) => textOrNumber(json.error)).join('. ')}`;
	return [`${which}. Undo the change, or read its error in the error output.`];
}

/** Names every payment, because each needs a person. */
const namesIn = (payments: readonly Record<string, unknown>[]): string =>
	payments
		.map(({ recipient, sequence, transactionId }) => textOrNumber(recipient ?? sequence ?? transactionId))
		.join(', ');

/** The details of an error item, or the item itself. */
const detailsIn = (json: IDataObject): Record<string, unknown> => (isRecord(json.details) ? json.details : json);

/** The outcome of an item, or of the error in it. */
export const outcomeIn = (json: IDataObject) => detailsIn(json).outcome;
