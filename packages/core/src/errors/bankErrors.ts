import { isAddressOpen, type Operation } from '../operation.ts';
import { explainNoAnswer, isPassing, wasNeverSent } from './noAnswer.ts';
import { excerpt } from './redact.ts';
import { rest } from './rest.ts';

/**
 * What is known about a request that did not succeed:
 * `nothingChanged` it only read; `notSent` it never reached the bank; `rejected` the bank said no, safe to correct
 * and send again; `unknown` it may have been carried out: check before sending again.
 */
export type Outcome = 'nothingChanged' | 'notSent' | 'rejected' | 'unknown';

/** Everything a person or a workflow needs to know about a failure. Holds no token and no full account number. */
export interface FailureDetails {
	operation: string;
	httpStatus?: number;
	code?: string;
	/** What happened. */
	message: string;
	/** What to do next, and the bank's own words. */
	description: string;
	retryable: boolean;
	outcome: Outcome;
	requestId?: string;
}

abstract class BankFailure extends Error {
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.message);
		this.details = details;
	}
}

/** The bank answered, and it was not a success. */
export class BankApiError extends BankFailure {
	override readonly name = 'BankApiError';
}

/** No complete answer came back. */
export class NoAnswerError extends BankFailure {
	override readonly name = 'NoAnswerError';
}

export function isBankFailure(error: unknown): error is BankApiError | NoAnswerError {
	return error instanceof BankFailure;
}

/** Whether the bank, or the way to it, was out of order for the moment: such a failure says nothing of what was asked. */
export function isAway({ details: { httpStatus, code } }: BankFailure): boolean {
	return httpStatus === undefined ? isPassing(code) : isPassingStatus(httpStatus);
}

/** An answer that is not text, such as a print form. */
export interface AnswerFile {
	data: Uint8Array;
	mimeType: string;
	fileName?: string;
}

export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/** Empty where there is a file. */
	text: string;
	file?: AnswerFile;
}

/** Headers seen to carry the bank's identifier of a call; the description names none. */
const traceHeaders = ['x-traceid', 'x-trace-id', 'x-request-id', 'x-correlation-id', 'traceparent'];

/** A header, in whatever case its name came (RFC 9110, 5.1). `name` in lower case. */
export function headerOf(headers: Record<string, unknown>, name: string): unknown {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	return key === undefined ? undefined : headers[key];
}

export function requestIdOf(headers: Record<string, unknown>): string | undefined {
	for (const wanted of traceHeaders) {
		const value = headerOf(headers, wanted);
		if (typeof value === 'string' && value !== '') return excerpt(value, 100);
	}
	return undefined;
}

/** Statuses that say nothing sure about whether a request was carried out. */
function outcomeOf({ effect, dialect = rest }: Operation, status: number): Outcome {
	if (effect === 'read') return 'nothingChanged';
	// Only a body that refuses makes an error of a success (7.2).
	if (status >= 200 && status < 300) return 'rejected';
	if (status === 409 && dialect.listed.some((listed) => listed.status === 409)) return 'rejected';
	// Elsewhere 408 and 409 may follow a request that was in fact carried out; 3xx comes from something before the bank.
	return status >= 400 && status < 500 && status !== 408 && status !== 409 ? 'rejected' : 'unknown';
}

function isPassingStatus(status: number): boolean {
	return [408, 429].includes(status) || status >= 500;
}

function consequence(operation: Operation, outcome: Outcome): string {
	const money = operation.effect === 'money';
	switch (outcome) {
		case 'nothingChanged':
			return '';
		case 'notSent':
			return money ? 'Nothing was sent, so no money moved. ' : 'Nothing was sent, so nothing changed at the bank. ';
		case 'rejected':
			return money ? 'The bank rejected it, so no money moved. ' : 'Nothing changed at the bank. ';
		case 'unknown':
			if (operation.ifUnclear !== undefined) return `${operation.ifUnclear} `;
			return money
				? 'It is UNKNOWN whether the payments were made: check with the bank before sending them again. '
				: 'It is unknown whether the bank carried this out: check before repeating it. ';
	}
}

function sentences(...parts: (string | undefined)[]): string {
	return parts
		.filter((part) => part !== undefined && part !== '')
		.join(' ')
		.replace(/ {2,}/g, ' ')
		.trim();
}

/** The bank's refusal, in the dialect of its service, as an error. The answer may be JSON, HTML, anything or nothing. */
export function refusal(operation: Operation, answer: Answer, body: unknown): BankApiError {
	const dialect = operation.dialect ?? rest;
	const { code, text } = dialect.read(body);
	const { what, next } = dialect.explain({
		status: answer.status,
		...(code === undefined ? {} : { code }),
		...(text === undefined ? {} : { text }),
	});
	const outcome = outcomeOf(operation, answer.status);
	const words = text ?? (answer.text.trim() === '' ? '' : excerpt(answer.text));
	const requestId = requestIdOf(answer.headers);
	const scope = code === 'insufficient_scope' ? scopeAdvice(operation) : undefined;
	const expired = [401, operation.tokenExpiredStatus].includes(answer.status);
	const address =
		[404, 405].includes(answer.status) && isAddressOpen(operation)
			? 'Check Method and Path, which the bank gives you.'
			: undefined;
	const hasToken = operation.auth === 'clientCredentials' || operation.auth === 'authorizationCode';
	const renewed =
		hasToken && expired && operation.effect !== 'read'
			? 'A new token was asked for, but the request was not repeated: run again. If it is refused again:'
			: undefined;
	return new BankApiError({
		operation: operation.id,
		httpStatus: answer.status,
		...(code === undefined ? {} : { code: excerpt(code, 80) }),
		message: `${operation.action}: ${what} (${sentences(String(answer.status), code === undefined ? undefined : excerpt(code, 80))})`,
		description: sentences(
			consequence(operation, outcome),
			words === '' ? 'The bank gave no explanation.' : `The bank says: "${excerpt(words)}".`,
			scope,
			renewed,
			outcome === 'unknown' ? undefined : address,
			outcome === 'unknown' ? undefined : next,
			turnOf(operation, answer.status),
			requestId === undefined ? undefined : `Request ID: ${requestId}.`,
		),
		retryable: operation.effect === 'read' && isPassingStatus(answer.status),
		outcome,
		...(requestId === undefined ? {} : { requestId }),
	});
}

/** 403 and 409 may mean a step out of turn (7.5): the operation tells its turn, so that nobody must look it up. */
function turnOf({ order }: Operation, status: number): string | undefined {
	return order !== undefined && (status === 403 || status === 409)
		? `Its place in the calling order: ${order}.`
		: undefined;
}

function scopeAdvice(operation: Operation): string {
	return operation.scope === undefined
		? 'It needs the scope of the subscribed event, which the bank tells you.'
		: `It needs the scope "${operation.scope}".`;
}

/** A status of success with a body that cannot be read: cut off, HTML, not JSON. */
export function unreadable(operation: Operation, answer: Answer, why: string): BankApiError {
	const outcome: Outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	const requestId = requestIdOf(answer.headers);
	return new BankApiError({
		operation: operation.id,
		httpStatus: answer.status,
		code: 'unreadable_answer',
		message: `${operation.action}: the bank answered ${answer.status}, but the answer cannot be read (${why})`,
		description: sentences(
			consequence(operation, outcome),
			answer.text.trim() === '' ? undefined : `It begins: "${excerpt(answer.text, 120)}".`,
			outcome === 'unknown'
				? undefined
				: 'Check the base URL of the credential and whether a proxy stands between n8n and the bank, then run again.',
			requestId === undefined ? undefined : `Request ID: ${requestId}.`,
		),
		retryable: operation.effect === 'read',
		outcome,
		...(requestId === undefined ? {} : { requestId }),
	});
}

/** What a `Send` gives when no answer came back. `code` is Node's or axios's, or `TOKEN`. */
export interface SendFault {
	code?: string;
	message?: string;
}

export function noAnswer(operation: Operation, fault: SendFault): NoAnswerError {
	const { what, next } = explainNoAnswer(fault.code);
	const outcome: Outcome =
		operation.effect === 'read' ? 'nothingChanged' : wasNeverSent(fault.code) ? 'notSent' : 'unknown';
	const words =
		fault.message === undefined || fault.message === '' ? undefined : `Details: ${excerpt(fault.message, 200)}.`;
	return new NoAnswerError({
		operation: operation.id,
		...(fault.code === undefined ? {} : { code: fault.code }),
		message: `${operation.action}: ${what}`,
		description: sentences(consequence(operation, outcome), outcome === 'unknown' ? undefined : next, words),
		retryable: operation.effect === 'read' && isPassing(fault.code),
		outcome,
	});
}

/**
 * The failure of a read that was made for another operation before it was sent, as a failure of that operation.
 * `advice` says how to do without the read.
 */
export function readForAnother(
	operation: Operation,
	{ details }: BankFailure,
	advice: string,
): BankApiError | NoAnswerError {
	const what = details.message.slice(details.message.indexOf(': ') + 2);
	const own: FailureDetails = {
		...details,
		operation: operation.id,
		message: `${operation.action}: ${what}`,
		description: sentences(consequence(operation, 'notSent'), details.description, advice),
		outcome: 'notSent',
	};
	return details.httpStatus === undefined ? new NoAnswerError(own) : new BankApiError(own);
}

/** A result that was waited for and did not come; it can still be read later. */
export function notReady(
	operation: Operation,
	seconds: number,
	state: string | undefined,
	stopped = false,
): NoAnswerError {
	const what = stopped
		? 'the execution was stopped while it waited for the result'
		: `the result was not ready after ${seconds} seconds`;
	return new NoAnswerError({
		operation: operation.id,
		code: stopped ? 'ERR_CANCELED' : 'not_ready',
		message: `${operation.action}: ${what}`,
		description: sentences(
			state === undefined ? undefined : `The last answer said ${excerpt(state, 120)}.`,
			stopped
				? undefined
				: 'Nothing is lost: run again to go on waiting, or let it wait longer. If it never becomes ready, check the condition of the wait.',
		),
		retryable: !stopped,
		outcome: 'nothingChanged',
	});
}
