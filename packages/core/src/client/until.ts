import { isBankFailure, notReady } from '../errors/bankErrors.ts';
import type { Hide } from '../errors/redact.ts';
import { hasContent } from '../json.ts';
import type { Answered, CheckedInput, Operation } from '../operation.ts';
import { fieldAt } from '../path.ts';
import { call, type CallResult, type Send, type Wait } from './call.ts';
import type { PreparedRequest } from './prepare.ts';

/** When an answer is the result, and no longer "not yet". The description shows neither answers nor states, so the user says it. */
export type Ready =
	/** An answer with content, other than 202 (accepted, not done yet). */
	| { when: 'answered' }
	| { when: 'present'; field: string }
	| { when: 'is' | 'isNot'; field: string; values: readonly string[] };

export interface UntilOptions {
	ready: Ready;
	/** Seconds between two questions. */
	every: number;
	/** Seconds after which it gives up. */
	atMost: number;
	/** HTTP statuses that mean "not yet", where the bank answers so. */
	pending?: readonly number[];
	wait: Wait;
}

/**
 * Asks until the result is there.
 * @throws NoAnswerError the result was not ready in time, or the execution was stopped
 * @throws BankApiError the bank refused
 */
export async function callUntil<Output>(
	operation: Operation<CheckedInput, Output>,
	prepared: PreparedRequest,
	send: Send,
	options: UntilOptions,
): Promise<CallResult<Answered<Output>>> {
	const started = Date.now();
	let hide: Hide = (words) => words;
	const noting: Send = async (request) => {
		const answer = await send(request);
		if ('hide' in answer && answer.hide !== undefined) hide = answer.hide;
		return answer;
	};
	for (;;) {
		let state: string;
		const answered = await call(operation, prepared, noting, options).catch((error: unknown) => {
			if (
				isBankFailure(error) &&
				error.details.httpStatus !== undefined &&
				options.pending?.includes(error.details.httpStatus) === true
			)
				return error;
			throw error;
		});
		if (isBankFailure(answered)) state = `HTTP ${answered.details.httpStatus}`;
		else if (isReady(answered, options.ready)) return answered;
		else state = stateOf(answered, options.ready, hide);
		const left = options.atMost * 1000 - (Date.now() - started);
		if (left <= 0) throw notReady(operation, options.atMost, state);
		if (!(await options.wait(Math.min(options.every * 1000, left))))
			throw notReady(operation, options.atMost, state, true);
	}
}

function isReady({ data, status, file }: CallResult, ready: Ready): boolean {
	if (ready.when === 'answered') return status !== 202 && (file !== undefined || hasContent(data));
	const value = fieldAt(data, ready.field);
	if (ready.when === 'present') return hasContent(value);
	const among = ready.values.includes(String(value));
	// A field that is not there is not another value: the answer says nothing yet.
	return ready.when === 'is' ? among : hasContent(value) && !among;
}

/** What the answer said last, for the message. Only a plain value: the rest may hold personal data. */
function stateOf({ data, status }: CallResult, ready: Ready, hide: Hide): string {
	const value = ready.when === 'answered' ? undefined : fieldAt(data, ready.field);
	if (ready.when !== 'answered' && ['string', 'number', 'boolean'].includes(typeof value))
		return `${ready.field} "${hide(String(value))}"`;
	return ready.when === 'answered' ? `HTTP ${status}` : `no field ${ready.field}`;
}
