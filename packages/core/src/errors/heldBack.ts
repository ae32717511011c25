import type { Operation } from '../operation.ts';
import { factsOf, NoAnswerError, type Outcome } from './bankErrors.ts';

/**
 * The error for a payment that was not sent because of an earlier attempt, or because its package was not sent.
 * @param what what happened, as a sentence without the final period
 * @param words meaning and advice, in whole sentences
 */
export function createHeldBackError(
	operation: Operation,
	outcome: Extract<Outcome, 'unknown' | 'conflict' | 'notSent'>,
	code: string,
	what: string,
	words: string,
): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, outcome),
		kind: 'heldBack',
		code,
		what,
		message: what,
		words,
		next: [],
		retryable: false,
	});
}
