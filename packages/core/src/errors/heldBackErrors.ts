import type { Operation } from '../operation.ts';
import { BankFailure, createFailure } from './bankErrors.ts';
import type { Outcome } from './failureDetails.ts';

/**
 * For a request that may be sent only once, or that this execution has already sent without learning the result.
 * @param names names of its subject, for the message
 */
export function createAlreadySentError(operation: Operation, names: readonly string[]): BankFailure {
	return createFailure(operation, 'unknown', 'it was already sent, and is not sent again', {
		kind: 'heldBack',
		code: 'already_sent',
		names,
		next: [],
	});
}

/** Codes of payments that the node does not send. */
export const heldBackCodes = [
	'already_sent',
	'being_sent',
	'daily_limit',
	'log_unavailable',
	'no_record',
	'not_claimed',
	'other_identification',
	'prepared_package_outdated',
	'run_refused',
	'sent_with_other_content',
	'too_late',
] as const;
export type HeldBackCode = (typeof heldBackCodes)[number];

/**
 * A payment was not sent because of an earlier attempt, or because its package was not sent.
 * @param message what happened, as a sentence without the final period
 * @param words meaning and advice, in whole sentences
 */
export function createHeldBackError(
	operation: Operation,
	outcome: Extract<Outcome, 'unknown' | 'conflict' | 'notSent'>,
	code: HeldBackCode,
	message: string,
	words: string,
): BankFailure {
	const { details } = createFailure(operation, outcome, message, { kind: 'heldBack', code, words });
	return new BankFailure({ ...details, message });
}
