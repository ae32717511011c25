import { type BankFailure, isBankFailure, createFailure } from '../errors/bankErrors.ts';
import { connectionErrorInfo, isTemporarilyUnavailable } from '../errors/connection.ts';
import { excerpt, type Redact } from '../errors/redact.ts';
import type { Lenient, CheckedInput, Operation } from '../operation.ts';
import { valuesAt } from '../path.ts';
import type { Condition } from '../serviceDetails/details.ts';
import { call, type CallOptions, type CallResult, type Send, type Wait } from './call.ts';
import type { PreparedRequest } from './prepare.ts';
import { isFinal, verdictsOf } from './verdict.ts';

export interface PollOptions {
	intervalSeconds: number;
	timeoutSeconds: number;
	wait: Wait;
}

/** Minimum timeout of the last request, in milliseconds. */
const lastQuestionMs = 1000;

/**
 * Repeats a read until the result is ready or the timeout is reached. A bank that hangs or is temporarily unavailable
 * neither extends nor ends the wait.
 * @throws BankFailure the result was not ready in time, the execution was stopped, or the bank rejected the request
 */
export async function pollUntil<Output>(
	operation: Operation<CheckedInput, Output>,
	prepared: PreparedRequest,
	send: Send,
	options: PollOptions,
): Promise<CallResult<Lenient<Output>>> {
	const deadline = Date.now() + options.timeoutSeconds * 1000;
	const remainingMs = () => deadline - Date.now();
	const bounded: CallOptions = {
		wait: async (ms) => remainingMs() > 0 && (await options.wait(Math.min(ms, remainingMs()))),
	};
	let redactSecrets: Redact = (words) => words;
	const inTime: Send = async (request) => {
		const response = await send({ ...request, within: Math.max(remainingMs(), lastQuestionMs) });
		if ('redactSecrets' in response && response.redactSecrets !== undefined) redactSecrets = response.redactSecrets;
		return response;
	};
	let seen: string | undefined;
	for (;;) {
		const result = await call(operation, prepared, inTime, bounded).catch((error: unknown) => {
			if (isPending(error, operation) || mayRecover(error, seen !== undefined)) return error;
			throw error;
		});
		if (!isBankFailure(result) && isFinal(operation, result)) return result;
		// If only the last request timed out, the state before it is more useful to the user.
		if (!isBankFailure(result)) seen = stateOf(result, operation, redactSecrets);
		else if (seen === undefined || remainingMs() > 0 || result.details.httpStatus !== undefined)
			seen = stateAfter(result);
		const retryAfter = isBankFailure(result) ? result.details.retryAfter : undefined;
		const common = { kind: 'notReady', words: excerpt(seen, 120) } as const;
		if (remainingMs() <= 0) {
			const what = `the result was not ready after ${options.timeoutSeconds} seconds`;
			const details = { ...common, code: 'not_ready', next: ['waitLonger'] as const, retryable: true, retryAfter };
			throw createFailure(operation, 'nothingChanged', what, details);
		}
		const seconds = Math.max(options.intervalSeconds, retryAfter ?? 0);
		if (!(await options.wait(Math.min(seconds * 1000, remainingMs())))) {
			const what = 'the execution was stopped while it waited for the result';
			throw createFailure(operation, 'nothingChanged', what, { ...common, code: 'ERR_CANCELED' });
		}
	}
}

function isPending(error: unknown, { details }: Pick<Operation, 'details'>): error is BankFailure {
	const status = isBankFailure(error) ? error.details.httpStatus : undefined;
	return status !== undefined && details?.responses?.notReadyStatuses?.includes(status) === true;
}

/**
 * Whether the wait goes on after an error. Temporary failures don't end it. Before the first response, unreadable
 * responses and failed connections do, because the address may be wrong.
 */
function mayRecover(error: unknown, hasResponded: boolean): error is BankFailure {
	if (!isBankFailure(error)) return false;
	const { kind, httpStatus, code } = error.details;
	if (kind === 'unreadable') return hasResponded;
	return (
		isTemporarilyUnavailable(error) &&
		(hasResponded || httpStatus !== undefined || connectionErrorInfo(code).mayHaveArrived)
	);
}

/** For the error message. Only plain values, because others may contain personal data. */
function stateOf({ data, status }: CallResult, operation: Operation, redactSecrets: Redact): string {
	const responses = operation.details?.responses ?? {};
	const names = ['ready', 'notReady', ...verdictsOf(operation).names] as const;
	const conditions = names.flatMap(
		(name) => (responses as Readonly<Record<string, Condition | undefined>>)[name] ?? [],
	);
	const field = conditions.find((condition) => condition.field !== undefined)?.field;
	if (field === undefined) return `HTTP ${status}`;
	const plain = valuesAt(data, field).filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
	const shown = [...new Set(plain.map(String))].map((value) => `"${redactSecrets(value)}"`);
	return shown.length === 0 ? `no field ${field}` : `${field} ${shown.join(', ')}`;
}

function stateAfter({ details: { kind, httpStatus, what } }: BankFailure): string {
	return httpStatus === undefined || kind === 'unreadable' ? what : `HTTP ${httpStatus}`;
}
