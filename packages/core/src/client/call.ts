import type * as v from 'valibot';

import {
	type Answer,
	type AnswerFile,
	type BankApiError,
	headerOf,
	isBankFailure,
	noAnswer,
	type NoAnswerError,
	refusal,
	type SendFault,
	unreadable,
} from '../errors/bankErrors.ts';
import { hasContent, isRecord, isTooDeep, parseExact } from '../json.ts';
import type { Answered, CheckedInput, Operation } from '../operation.ts';
import { fromResponse, unwrap } from '../schemas/conform.ts';
import type { PreparedRequest } from './prepare.ts';

/**
 * Sends one request and resolves with whatever was answered, of any status, as text; or with the fault when no complete
 * answer came. The network is a parameter: nodes, triggers and tests pass their own.
 */
export type Send = (request: {
	operation: Operation;
	prepared: PreparedRequest;
	/** Milliseconds after which the answer is of no use, where that is sooner than the sender's own bound. */
	within?: number;
}) => Promise<Answer | SendFault>;

/** Waits; resolves false when the execution was cancelled meanwhile. */
export type Wait = (milliseconds: number) => Promise<boolean>;

export interface CallOptions {
	/** Without it nothing is ever tried again. */
	wait?: Wait;
	/** Tries in all, for operations that only read. Default 3. */
	tries?: number;
}

export interface CallResult<Data = unknown> {
	/** The answer in the documented types, as far as it is of them: see `Answered`. */
	data: Data;
	/** The answer as it came, parsed. */
	raw: unknown;
	status: number;
	/** The answer, where it is a file. */
	file?: AnswerFile;
	/** Of a list: it went on changing while it was read, so that rows may be missing. */
	isUnsettled?: boolean;
}

/** Waits of one second, then two, … unless the bank says how long; never more than half a minute. */
const backoffMs = (attempt: number) => 500 * 2 ** attempt;
const longestWaitMs = 30_000;

/**
 * Request -> result.
 * Only operations that read are tried again, on passing faults. Nothing with an effect is ever sent twice: the API shows
 * no idempotency key.
 * @throws BankApiError the bank refused, or its answer cannot be read
 * @throws NoAnswerError no complete answer came
 */
export async function call<Output>(
	operation: Operation<CheckedInput, Output>,
	prepared: PreparedRequest,
	send: Send,
	options: CallOptions = {},
): Promise<CallResult<Answered<Output>>> {
	const tries = operation.effect === 'read' && options.wait ? (options.tries ?? 3) : 1;
	for (let attempt = 0; ; attempt++) {
		let retryAfter: unknown;
		try {
			const answer = await send({ operation, prepared });
			if (!('status' in answer)) throw noAnswer(operation, answer);
			retryAfter = headerOf(answer.headers, 'retry-after');
			// Not checked against the schema, and need not be: the type says nothing of the answer but names.
			return read(operation, answer) as CallResult<Answered<Output>>;
		} catch (error) {
			const again = isPassing(error) && attempt + 1 < tries;
			if (!again || !options.wait) throw error;
			const wait = retryAfterMs(retryAfter) ?? backoffMs(attempt);
			if (wait > longestWaitMs || !(await options.wait(wait))) throw error;
		}
	}
}

/** 500 is retryable by hand, but the bank's own error is not worth an immediate repeat; an answer cut off is. */
export function isPassing(error: unknown): error is BankApiError | NoAnswerError {
	if (!isBankFailure(error) || !error.details.retryable) return false;
	const status = error.details.httpStatus;
	return status === undefined || status < 300 || [429, 502, 503, 504].includes(status);
}

/** `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3). */
function retryAfterMs(value: unknown): number | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = value === '' ? NaN : Number(value);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
	const date = Date.parse(String(value));
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function read(operation: Operation, answer: Answer): CallResult {
	const isDeep = isTooDeep(answer.text);
	const parsed = isDeep ? { ok: false } : parseExact(answer.text);
	if (answer.status < 200 || answer.status > 299) throw refusal(operation, answer, parsed.value);
	if (isDeep) throw unreadable(operation, answer, 'it is nested too deeply');
	// Also where no body is described (P11): the page is a proxy's, not the bank's.
	if (/^\s*</.test(answer.text)) throw unreadable(operation, answer, 'it is a web page, not JSON');
	if (operation.dialect?.refuses?.(parsed.value) === true) throw refusal(operation, answer, parsed.value);
	if (operation.response === undefined || isNotYet(operation, answer)) return readOpen(operation, answer, parsed);
	if (operation.effect === 'delete' && answer.text.trim() === '')
		return { data: parsed.value, raw: parsed.value, status: answer.status };
	if (answer.text.trim() === '') throw unreadable(operation, answer, 'it is empty');
	if (!parsed.ok) throw unreadable(operation, answer, 'it is not whole JSON');
	const wanted = unwrap(operation.response).schema.type === 'array' ? 'list' : 'object';
	if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value) !== (wanted === 'list'))
		throw unreadable(operation, answer, `it is not a JSON ${wanted}`);
	if (operation.effect !== 'read' && saysNothing(operation.response, parsed.value))
		throw unreadable(operation, answer, 'it holds none of the fields that confirm it');
	const data = fromResponse(operation.response, parsed.value);
	const list = operation.list;
	if (list !== undefined && !(isRecord(data) && Array.isArray(data[list.key])))
		throw unreadable(operation, answer, `it holds no list "${list.key}"`);
	return { data, raw: parsed.value, status: answer.status };
}

/** A result that is not there yet has not its shape. */
function isNotYet({ asynchronous }: Operation, { status, text }: Answer): boolean {
	return asynchronous === true && (status === 202 || text.trim() === '');
}

/** An answer of which the description does not show the shape: it passes through whole. */
function readOpen(operation: Operation, answer: Answer, parsed: { ok: boolean; value?: unknown }): CallResult {
	const { status, text, file } = answer;
	if (file !== undefined) return { data: undefined, raw: undefined, status, file };
	if (
		!parsed.ok &&
		(/^\s*[[{]/.test(text) || (text.trim() !== '' && /json/i.test(String(headerOf(answer.headers, 'content-type')))))
	)
		throw unreadable(operation, answer, 'it is not whole JSON');
	if (operation.effect === 'money') {
		const why = doubtful(text, parsed.value);
		if (why !== undefined) throw unreadable(operation, answer, why);
	}
	const data = parsed.ok ? parsed.value : text.trim() === '' ? undefined : text;
	return { data, raw: data, status };
}

/** Why an answer of unknown shape confirms neither that money moved nor that it did not. */
function doubtful(text: string, value: unknown): string | undefined {
	if (text.trim() === '' || (value !== undefined && !hasContent(value))) return 'it is empty';
	if (typeof value !== 'object') return 'it is neither a JSON object nor a list';
	const speaksOfError =
		isRecord(value) &&
		Object.entries(value).some(([key, field]) => /^(?:error|fault|exception)/i.test(key) && hasContent(field));
	return speaksOfError ? 'it speaks of an error' : undefined;
}

/** None of the fields that the description requires is there: `{}` or an error object is no confirmation that money moved. */
function saysNothing(response: v.GenericSchema, value: object): boolean {
	const required = Object.entries(unwrap(response).schema.entries ?? {}).filter(([, entry]) => !unwrap(entry).optional);
	return required.length > 0 && !required.some(([name]) => Object.hasOwn(value, name));
}
