import { omitUndefined } from '../omitUndefined.ts';
import type { Operation } from '../operation.ts';
import { connectionErrorInfo } from './connection.ts';
import { type FailureDetails, isTemporaryStatus, type Outcome, stepsAt } from './failureDetails.ts';
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

type OtherDetails = Pick<FailureDetails, 'kind'> &
	Partial<Omit<FailureDetails, 'operation' | 'effect' | 'outcome' | 'what' | 'message' | 'verifyWith'>>;

export function createFailure(
	{ id, action, effect, verifyWith }: Operation,
	outcome: Outcome,
	what: string,
	{ words, next = [], retryable = false, ...details }: OtherDetails,
): BankFailure {
	return new BankFailure(
		omitUndefined({
			...details,
			next,
			retryable,
			operation: id,
			effect,
			outcome,
			what,
			message: `${action}: ${what}`,
			words: words === '' ? undefined : words,
			verifyWith: outcome === 'unknown' ? verifyWith : undefined,
		}),
	);
}

/** The list moved each time that it was read, so rows may be missing. */
export const listChanged = (operation: Operation, reads: number, next: NextStep): BankFailure =>
	createFailure(operation, 'nothingChanged', `the list changed each of the ${reads} times that it was read`, {
		kind: 'noAnswer',
		code: 'LIST_CHANGED',
		next: [next],
		retryable: true,
	});

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
	return createUnusableError(operation, response, what, 'unreadable_response');
}

/** The response does not tell whether a request with an effect was carried out. */
export function createUnusableError(
	operation: Operation,
	response: HttpResponse,
	what: string,
	code: string,
): BankFailure {
	const outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	return createFailure(operation, outcome, what, {
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
	const instead = connectionErrorInfo(reason).next.flatMap((step) => tokenSteps[step] ?? []);
	return instead.length === 0 ? next : instead;
}

export function createNoAnswerError(operation: Operation, error: TransportError): BankFailure {
	const { what, next, mayHaveArrived, isTemporary } = connectionErrorInfo(error.code);
	const outcome = operation.effect === 'read' ? 'nothingChanged' : mayHaveArrived ? 'unknown' : 'notSent';
	return createFailure(operation, outcome, what, {
		kind: 'noAnswer',
		code: error.code,
		// Long enough for messages of token requests, which end with advice.
		words: excerpt(error.message ?? '', 1000),
		next: stepsAt(outcome, stepsAfter(error, next)),
		retryable: operation.effect === 'read' && isTemporary,
	});
}

/**
 * The request is allowed only once, or was already sent by this execution with an unknown outcome.
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

/** Ways in which the response to an accepted package can fail to confirm a payment. */
const shortfalls = {
	missing: 'does not name this payment',
	noTransaction: 'gives this payment no transaction ID',
	otherAmount: 'names another amount for this payment',
	otherPhone: 'names another phone for this payment',
	otherBank: 'names another recipient bank for this payment',
	otherSender: 'names another account or partner',
	sameTransaction: 'gives this payment and another one the same transaction ID',
	otherStatus: 'has a field for this payment that is not known to mean accepted',
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
	return createFailure(operation, 'unknown', what, { kind: 'unconfirmed', code: 'unconfirmed', names: [name] });
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
	return createFailure(operation, 'notSent', details.what, { ...details, next: [...details.next, advice] });
}
