import type { Operation } from '../operation.ts';
import { connectionErrorInfo } from './connection.ts';
import { type FailureDetails, failureDetails, isTemporaryStatus, type Outcome, stepsAt } from './failureDetails.ts';
import { type HttpResponse, requestIdOf } from './httpResponse.ts';
import type { NextStep } from './nextSteps.ts';
import { excerpt } from './redact.ts';

/** The bank responded with an error or, if `details.httpStatus` is absent, sent no complete response. */
export class BankFailure extends Error {
	override readonly name = 'BankFailure';
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.message);
		this.details = details;
	}
}

const failure = (...details: Parameters<typeof failureDetails>) => new BankFailure(failureDetails(...details));

export function isBankFailure(error: unknown): error is BankFailure {
	return error instanceof BankFailure;
}

/** Whether the bank or the network was temporarily unavailable, which says nothing about the request itself. */
export function isTemporarilyUnavailable({ details: { httpStatus, code } }: BankFailure): boolean {
	return httpStatus === undefined ? connectionErrorInfo(code).isTemporary : isTemporaryStatus(httpStatus);
}

/** A success status with an unreadable body: truncated, HTML, or not JSON. */
export function createUnreadableError(operation: Operation, response: HttpResponse, why: string): BankFailure {
	const what = `the bank responded with ${response.status}, but the response cannot be read (${why})`;
	return unusableResponse(operation, response, what, 'unreadable_response');
}

function unusableResponse(operation: Operation, response: HttpResponse, what: string, code: string): BankFailure {
	const outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	return failure(operation, outcome, what, {
		kind: 'unreadable',
		httpStatus: response.status,
		code,
		// It may contain a new token.
		words: operation.returnsSecrets === true ? '' : excerpt(response.text, 120, response.redactSecrets),
		next: stepsAt(outcome, ['checkProxy']),
		retryable: operation.effect === 'read',
		requestId: requestIdOf(response.headers, response.redactSecrets),
	});
}

/** A success response that belongs to a different request, so the outcome is unknown. */
export function createMismatchError(
	operation: Operation,
	response: HttpResponse,
	field: string,
	sent: string,
	got: string,
): BankFailure {
	const [received, requested] = [got, sent].map((value) => excerpt(value, 60, response.redactSecrets));
	const what = `the bank responded with ${response.status} for ${field} "${received}", and "${requested}" was sent`;
	return unusableResponse(operation, response, what, 'other_response');
}

/** The result of `Send` if no response arrived. `code` is one of `connectionCode`, or `TOKEN`. */
export interface TransportError {
	code?: string;
	message?: string;
	/** The message already contains advice. */
	isAdvised?: boolean;
	/** The reason why there is no token: one of `connectionCode`. */
	reason?: string;
}

/** Replacement steps if the token server cannot be reached. */
const tokenSteps: Partial<Record<NextStep, NextStep>> = {
	trustAuthority: 'trustTokenServer',
	useGivenHostName: 'useGivenTokenHost',
};

function stepsAfter({ isAdvised = false, reason }: TransportError, next: readonly NextStep[]): readonly NextStep[] {
	if (isAdvised) return [];
	const [first] = reason === undefined ? [] : connectionErrorInfo(reason).next;
	const step = first === undefined ? undefined : tokenSteps[first];
	return step === undefined ? next : [step];
}

export function createNoAnswerError(operation: Operation, error: TransportError): BankFailure {
	const { what, next, mayHaveArrived, isTemporary } = connectionErrorInfo(error.code);
	const outcome = operation.effect === 'read' ? 'nothingChanged' : mayHaveArrived ? 'unknown' : 'notSent';
	return failure(operation, outcome, what, {
		kind: 'noAnswer',
		code: error.code,
		// Long enough for messages of token requests, which end with advice.
		words: excerpt(error.message ?? '', 1000),
		next: stepsAt(outcome, stepsAfter(error, next)),
		retryable: operation.effect === 'read' && isTemporary,
	});
}

/**
 * A list exceeded the limit of the run.
 * @param most the limit, such as "100000 rows"
 */
export function createListTooLargeError(operation: Operation, most: string): BankFailure {
	return failure(operation, 'nothingChanged', `the list is larger than ${most}`, {
		kind: 'noAnswer',
		code: 'LIST_TOO_LARGE',
		next: ['narrowList'],
	});
}

/**
 * The request is allowed only once, or was already sent by this execution with an unknown outcome.
 * @param names names of its subject, for the message
 */
export function createAlreadySentError(operation: Operation, names: readonly string[]): BankFailure {
	return failure(operation, 'unknown', 'it was already sent, and is not sent again', {
		kind: 'heldBack',
		code: 'already_sent',
		names,
		next: operation.oncePerPath === true ? ['readInstead', 'askAgain'] : [],
	});
}

/** Codes of payments that the node does not send. */
export const heldBackCodes = [
	'already_sent',
	'being_sent',
	'daily_limit',
	'mode_changed',
	'not_released',
	'prepared_package_outdated',
	'run_refused',
	'run_unchecked',
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
	return new BankFailure({
		...failureDetails(operation, outcome, message, { kind: 'heldBack', code, words }),
		message,
	});
}

/** Ways in which the response to an accepted package can fail to confirm a payment. */
const shortfalls = {
	missing: 'does not name this payment',
	noTransaction: 'gives this payment no transaction ID',
	otherAmount: 'names another amount for this payment',
	otherPhone: 'names another phone for this payment',
	otherBank: 'names another recipient bank for this payment',
	otherSender: 'names another account or partner',
	sameTransaction: 'gives this payment and another one the same transaction ID',
	reportsError: 'reports an error for this payment',
	otherStatus: 'gives this payment a status that is not known to mean accepted',
	notAsked: 'names a payment that was not in it, or one a second time',
} as const;

export type Shortfall = keyof typeof shortfalls;

/** Part of an accepted request is not confirmed, so its outcome is unknown. */
export function createUnconfirmedError(
	operation: Operation,
	name: string,
	shortfall: Shortfall = 'missing',
): BankFailure {
	const what = `the bank accepted the package, but its response ${shortfalls[shortfall]}`;
	return failure(operation, 'unknown', what, { kind: 'unconfirmed', code: 'unconfirmed', names: [name] });
}

/**
 * Converts the failure of a read that an operation needs first into a failure of the operation, which was not sent.
 * @param advice how to avoid the read
 */
export function createPrerequisiteReadError(
	operation: Operation,
	{ details }: BankFailure,
	advice: NextStep,
): BankFailure {
	return failure(operation, 'notSent', details.what, { ...details, next: [...details.next, advice] });
}

/**
 * The awaited result was not ready in time; it can still be read later.
 * @param steps additional steps after the last response
 * @param retryAfter what the last response said
 */
export function createNotReadyError(
	operation: Operation,
	seconds: number,
	state: string,
	retryAfter: number | undefined,
): BankFailure {
	return failure(operation, 'nothingChanged', `the result was not ready after ${seconds} seconds`, {
		kind: 'notReady',
		code: 'not_ready',
		words: excerpt(state, 120),
		next: ['waitLonger'],
		retryable: true,
		retryAfter,
	});
}

export function createWaitCanceledError(operation: Operation, state: string): BankFailure {
	return failure(operation, 'nothingChanged', 'the execution was stopped while it waited for the result', {
		kind: 'notReady',
		code: 'ERR_CANCELED',
		words: excerpt(state, 120),
	});
}
