import {
	type BankApiError,
	isAway,
	isBankFailure,
	type NoAnswerError,
	notReady,
	stoppedWaiting,
} from '../errors/bankErrors.ts';
import { connectionFault } from '../errors/connection.ts';
import type { NextStep } from '../errors/nextSteps.ts';
import type { Hide } from '../errors/redact.ts';
import { hasContent } from '../json.ts';
import type { Answered, CheckedInput, Operation } from '../operation.ts';
import { valuesAt } from '../path.ts';
import { call, type CallOptions, type CallResult, type Send, type Wait } from './call.ts';
import type { PreparedRequest } from './prepare.ts';

/** When an answer is the result, and no longer "not yet". The description shows neither answers nor states, so the user says it. */
export type Ready =
	/** An answer with content, other than 202 (accepted, not done yet). */
	| { when: 'answered' }
	/** In a field, `[*]` stands for all elements of a list. */
	| { when: 'present'; field: string }
	| { when: 'is' | 'isNot'; field: string; values: readonly string[] };

export interface UntilOptions {
	ready: Ready;
	/** Seconds between two questions. */
	every: number;
	/** Seconds after which it gives up, whatever the bank does. */
	atMost: number;
	/** HTTP statuses that mean "not yet", where the bank answers so. */
	pending?: readonly number[];
	wait: Wait;
}

/** The last question, at the very end, still has this long for its answer. */
const lastQuestionMs = 1000;

/**
 * Asks until the result is there, or the time is over: a bank that hangs, or is out of order for the moment, does not prolong it, nor does
 * it end it.
 * @throws NoAnswerError the result was not ready in time, or the execution was stopped
 * @throws BankApiError the bank refused
 */
export async function callUntil<Output>(
	operation: Operation<CheckedInput, Output>,
	prepared: PreparedRequest,
	send: Send,
	options: UntilOptions,
): Promise<CallResult<Answered<Output>>> {
	const ends = Date.now() + options.atMost * 1000;
	const left = () => ends - Date.now();
	const bounded: CallOptions = { wait: async (ms) => left() > 0 && (await options.wait(Math.min(ms, left()))) };
	let hide: Hide = (words) => words;
	const inTime: Send = async (request) => {
		const answer = await send({ ...request, within: Math.max(left(), lastQuestionMs) });
		if ('hide' in answer && answer.hide !== undefined) hide = answer.hide;
		return answer;
	};
	let seen: string | undefined;
	for (;;) {
		const answered = await call(operation, prepared, inTime, bounded).catch((error: unknown) => {
			if (isPending(error, options) || mayComeBack(error, seen !== undefined)) return error;
			throw error;
		});
		if (!isBankFailure(answered) && isReady(answered, options.ready)) return answered;
		// That the time ran out on the last question says less than the answer before it.
		if (!isBankFailure(answered)) seen = stateOf(answered, options.ready, hide);
		else if (seen === undefined || left() > 0 || answered.details.httpStatus !== undefined) seen = stateAfter(answered);
		if (left() <= 0) throw notReady(operation, options.atMost, seen, adviceAfter(answered, options));
		if (!(await options.wait(Math.min(options.every * 1000, left())))) throw stoppedWaiting(operation, seen);
	}
}

/** "Not yet" in the words of a bank that says so by a status. */
function isPending(error: unknown, { pending = [] }: UntilOptions): error is BankApiError | NoAnswerError {
	return isBankFailure(error) && error.details.httpStatus !== undefined && pending.includes(error.details.httpStatus);
}

/**
 * Out of order for the moment: asking again changes nothing, and to give up would lose what was waited for. A refusal stays one. What
 * cannot be read, and a connection that does not come about, may be of a wrong address as long as the bank has not answered.
 */
function mayComeBack(error: unknown, hasAnswered: boolean): error is BankApiError | NoAnswerError {
	if (!isBankFailure(error)) return false;
	const { kind, httpStatus, code } = error.details;
	if (kind === 'unreadable') return hasAnswered;
	return isAway(error) && (hasAnswered || httpStatus !== undefined || connectionFault(code).mayHaveArrived);
}

/** Of a bank that is out of order to the end, how to mend it. A time-out is one of this end. */
function adviceAfter(answered: CallResult | BankApiError | NoAnswerError, options: UntilOptions): readonly NextStep[] {
	if (!isBankFailure(answered)) return [];
	const { httpStatus, next } = answered.details;
	return httpStatus === undefined || isPending(answered, options) ? [] : next;
}

function isReady({ data, status, file }: CallResult, ready: Ready): boolean {
	if (ready.when === 'answered') return status !== 202 && (file !== undefined || hasContent(data));
	// Of a list, all elements: one of them that is ready is not the result.
	const values = valuesAt(data, ready.field);
	if (ready.when === 'present') return values.length > 0 && values.every(hasContent);
	const among = (value: unknown) => ready.values.includes(String(value));
	// A field that is not there is not another value: the answer says nothing yet.
	const isIt = ready.when === 'is' ? among : (value: unknown) => hasContent(value) && !among(value);
	return values.length > 0 && values.every(isIt);
}

/** What the answer said last, for the message. Only plain values: the rest may hold personal data. */
function stateOf({ data, status }: CallResult, ready: Ready, hide: Hide): string {
	if (ready.when === 'answered') return `HTTP ${status}`;
	const plain = valuesAt(data, ready.field).filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
	const shown = [...new Set(plain.map(String))].map((value) => `"${hide(value)}"`);
	return shown.length === 0 ? `no field ${ready.field}` : `${ready.field} ${shown.join(', ')}`;
}

function stateAfter({ details: { kind, httpStatus, what } }: BankApiError | NoAnswerError): string {
	return httpStatus === undefined || kind === 'unreadable' ? what : `HTTP ${httpStatus}`;
}
