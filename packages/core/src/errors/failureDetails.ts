import type { Effect, Verification } from '../operation.ts';
import { type NextStep, stepsInDoubt } from './nextSteps.ts';

/**
 * What is known about a request that did not succeed. `nothingChanged`: it only read. `notSent`: it did not reach the
 * bank. `rejected`: it can be corrected and sent again. `unknown`: it may have been carried out. `conflict`: it was
 * already sent with other content.
 */
export type Outcome = 'nothingChanged' | 'notSent' | 'rejected' | 'unknown' | 'conflict';

/** The kind of failure, and what `words` contains then. */
export type FailureKind =
	/** The bank rejected the request; `words` is the bank's text. */
	| 'refused'
	/** The response cannot be understood; `words` is its beginning. */
	| 'unreadable'
	/** No complete response arrived; `words` is the message of the platform, library or token request. */
	| 'noAnswer'
	/** The awaited result was not ready; `words` is its last state. */
	| 'notReady'
	/** Nothing was sent because of an earlier attempt; `words` is an explanation with advice. */
	| 'heldBack'
	/** The bank accepted the request, but its response does not confirm `names`. */
	| 'unconfirmed';

/**
 * Everything needed to show a failure, as plain JSON, without tokens and full account numbers. Advice is given as
 * codes, which the caller turns into sentences.
 */
export interface FailureDetails {
	operation: string;
	effect: Effect;
	kind: FailureKind;
	httpStatus?: number;
	code?: string;
	/** Completes the sentence "<Operation>: …". */
	what: string;
	message: string;
	/** Text from the bank or a library, redacted and shortened. */
	words?: string;
	/** The affected parts of the request: sequences, identifiers. */
	names?: readonly string[];
	/** Advice, in the order of the list. If the outcome is unknown, only steps that are safe then. */
	next: readonly NextStep[];
	retryable: boolean;
	/** Seconds to wait before the next request, if the bank says so. */
	retryAfter?: number;
	outcome: Outcome;
	requestId?: string;
	scope?: string;
	/** The operation's place in the calling order, present if the bank may have rejected the call as out of order. */
	callOrder?: string;
	/** How to find out whether the request was processed; present if the outcome is unknown. */
	verifyWith?: Verification;
}

export const isTemporaryStatus = (status: number): boolean => [408, 429].includes(status) || status >= 500;

export const repeatsRequest = (step: NextStep): boolean => step === 'tryLater' || step === 'tryAgain';

export const safeSteps = (outcome: Outcome, steps: readonly NextStep[]): readonly NextStep[] =>
	outcome === 'unknown' ? steps.filter((step) => stepsInDoubt.includes(step)) : steps;
