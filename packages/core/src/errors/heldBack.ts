import type { Operation } from '../operation.ts';
import { factsOf, NoAnswerError, type Outcome } from './bankErrors.ts';

/**
 * A payment that was not sent because of an earlier attempt at it, or because it belongs to a package that was not sent.
 * @param what happened, as a whole sentence without its full stop
 * @param words what it means and what to do, in whole sentences
 */
export function createHeldBack(
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
