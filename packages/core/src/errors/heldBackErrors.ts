import type { Operation } from '../operation.ts';
import { BankFailure, createFailure } from './bankErrors.ts';
import type { Outcome } from './failureDetails.ts';

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
