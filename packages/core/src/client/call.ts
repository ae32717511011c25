import type * as v from 'valibot';

import {
	type BankFailure,
	isBankFailure,
	createNoAnswerError,
	type TransportError,
	createUnreadableError,
	createUnusableError,
} from '../errors/bankErrors.ts';
import { headerOf, type HttpResponse, requestIdOf, type ResponseFile, retryAfterIn } from '../errors/httpResponse.ts';
import { createDeniedError, createRejectedError } from '../errors/rejection.ts';
import { hasContent, isRecord, scanJson, parseLossless } from '../json.ts';
import { excerpt } from '../errors/redact.ts';
import { rest } from '../errors/rest.ts';
import type { Lenient, CheckedInput, Operation } from '../operation.ts';
import { fromResponse } from '../schemas/coerceResponse.ts';
import { requiredIn, unwrap } from '../schemas/unwrap.ts';
import { textOrNumber } from '../text.ts';
import { doubtful, holdsBareCode, mentionsError, noError, reportsFailure } from './errorSigns.ts';
import type { PreparedRequest } from './prepare.ts';
import type { Throttle } from './throttle.ts';
import { saysNo } from './verdict.ts';

/**
 * Sends one request. Resolves with the response of any status as text, or with the error if no complete response
 * arrived. Nodes, triggers and tests pass their own.
 */
export type Send = (request: {
	operation: Operation;
	prepared: PreparedRequest;
	/** Timeout in milliseconds, if shorter than the sender's own. */
	within?: number;
}) => Promise<HttpResponse | TransportError>;

/** Resolves false if the execution was cancelled meanwhile. */
export type Wait = (milliseconds: number) => Promise<boolean>;

export interface CallOptions {
	/** Required for retries. */
	wait?: Wait;
	/** Shared by all parallel requests to the same bank. */
	throttle?: Throttle;
}

export type Pace = Required<Pick<CallOptions, 'wait' | 'throttle'>>;

export interface CallResult<Data = unknown> {
	/** The response coerced to the documented types where possible: see `Lenient`. */
	data: Data;
	/** The parsed response, not coerced. */
	raw: unknown;
	status: number;
	requestId?: string;
	file?: ResponseFile;
	/** The list kept changing while it was read, so rows may be missing. */
	isUnsettled?: boolean;
}

const maxAttempts = 3;

/** Exponential backoff with jitter: 0.5 to 1 s, then 1 to 2 s. */
const backoffMs = (attempt: number) => 1000 * 2 ** attempt * (1 - Math.random() / 2);
const longestWaitMs = 30_000;

/**
 * Sends a request and reads the response. Only reads are retried, on temporary failures; anything with an effect is
 * sent once, because the API shows no idempotency key.
 * @throws BankFailure the bank rejected the request, the response cannot be read, or it did not arrive completely
 */
export async function call<Output>(
	operation: Operation<CheckedInput, Output>,
	prepared: PreparedRequest,
	send: Send,
	options: CallOptions = {},
): Promise<CallResult<Lenient<Output>>> {
	const { wait, throttle } = options;
	const attempts = operation.effect === 'read' ? maxAttempts : 1;
	/** `shared` is absent if this request already has exclusive access to the throttle. */
	const attemptCall = async (attempt: number, shared?: Throttle): Promise<CallResult<Lenient<Output>>> => {
		let retryAfter: number | undefined;
		try {
			const response = await send({ operation, prepared });
			if (!('status' in response)) throw createNoAnswerError(operation, response);
			retryAfter = retryAfterIn(response.headers);
			const requestId = requestIdOf(response.headers, response.redactSecrets);
			// `Lenient` only promises field names, so no schema check is needed.
			const result = read(operation, response) as CallResult<Lenient<Output>>;
			assertEchoes(operation, prepared, response, result.data);
			return requestId === undefined ? result : { ...result, requestId };
		} catch (error) {
			if (!isRetryable(error) || attempt + 1 >= attempts || wait === undefined) throw error;
			const milliseconds = retryAfter === undefined ? backoffMs(attempt) : retryAfter * 1000;
			if (milliseconds > longestWaitMs) throw error;
			const again = async (stillShared?: Throttle) => {
				if (!(await wait(milliseconds))) throw error;
				return await attemptCall(attempt + 1, stillShared);
			};
			const isTooMany = error.details.httpStatus === 429 || shared?.isThrottled === true;
			return isTooMany && shared !== undefined ? await shared.runExclusively(again) : await again(shared);
		}
	};
	return throttle?.isThrottled === true
		? await throttle.runExclusively(async () => await attemptCall(0))
		: await attemptCall(0, throttle);
}

/** A truncated response is worth an immediate retry; status 500 is not. */
function isRetryable(error: unknown): error is BankFailure {
	if (!isBankFailure(error) || !error.details.retryable) return false;
	const { httpStatus, kind } = error.details;
	return httpStatus === undefined || kind === 'unreadable' || [429, 502, 503, 504].includes(httpStatus);
}

function read(operation: Operation, response: HttpResponse): CallResult {
	const scan = scanJson(response.text);
	const parsed = scan.isTooDeep ? undefined : parseLossless(response.text, scan);
	// A dialect may recognize plain text; a web page is never parsed.
	const body = parsed?.ok === false && !isPage(response) ? response.text : parsed?.value;
	if (response.status < 200 || response.status > 299) throw createRejectedError(operation, response, body);
	if (parsed === undefined) throw createUnreadableError(operation, response, 'it is nested too deeply');
	// P11, whose response has no body, also ends up here: a page means that a proxy responded.
	if (isPage(response)) throw createUnreadableError(operation, response, 'it is a web page, not JSON');
	if (isRejectedWithSuccessStatus(operation, body)) throw createRejectedError(operation, response, body);
	if (operation.effect !== 'read' && saysNo(operation, body)) throw createDeniedError(operation, response, body);
	const isEmpty = response.text.trim() === '';
	// A response that is still pending does not have the shape of the result.
	const isPending = operation.asynchronous === true && (response.status === 202 || isEmpty);
	if (operation.response === undefined || isPending) return readOpen(operation, response, parsed);
	if (operation.effect === 'delete' && isEmpty)
		return { data: parsed.value, raw: parsed.value, status: response.status };
	if (isEmpty) throw createUnreadableError(operation, response, 'it is empty');
	if (!parsed.ok) throw createUnreadableError(operation, response, 'it is not valid JSON');
	if (!isRecord(parsed.value)) throw createUnreadableError(operation, response, 'it is not a JSON object');
	if (operation.effect !== 'read' && lacksConfirmation(operation.response, parsed.value))
		throw createUnreadableError(operation, response, 'it holds none of the fields that confirm it');
	// Failures of single payments inside the response are evaluated by the caller.
	if (operation.effect === 'money' && reportsFailure(parsed.value))
		throw createUnreadableError(operation, response, 'it contains an error');
	const data = fromResponse(operation.response, parsed.value);
	const { list } = operation;
	if (list !== undefined && !(isRecord(data) && Array.isArray(data[list.key])))
		throw createUnreadableError(operation, response, `it holds no list "${list.key}"`);
	return { data, raw: parsed.value, status: response.status };
}

/** @throws BankFailure the response repeats a request field with a different value */
function assertEchoes(operation: Operation, { input }: PreparedRequest, response: HttpResponse, data: unknown): void {
	for (const field of operation.echoes ?? []) {
		const given = [input.path, input.query, input.body].find((group) => isRecord(group) && Object.hasOwn(group, field));
		const [sent, got] = [given, data].map((from) => (isRecord(from) ? textOrNumber(from[field]) : ''));
		if (sent === undefined || got === undefined || sent === '' || got === '') continue;
		if (sent.toLowerCase() === got.toLowerCase()) continue;
		const [received, requested] = [got, sent].map((value) => excerpt(value, 60, response.redactSecrets));
		const what = `the bank responded with ${response.status} for ${field} "${received}", and "${requested}" was sent`;
		throw createUnusableError(operation, response, what, 'other_response');
	}
}

const isPage = ({ text }: HttpResponse): boolean => /^\s*</.test(text);

/** A response whose shape is not described is returned unchanged. */
function readOpen(operation: Operation, response: HttpResponse, parsed: { ok: boolean; value?: unknown }): CallResult {
	const { status, text, file } = response;
	if (file !== undefined) return { data: undefined, raw: undefined, status, file };
	if (
		!parsed.ok &&
		(/^\s*[[{]/.test(text) || (text.trim() !== '' && /json/i.test(String(headerOf(response.headers, 'content-type')))))
	)
		throw createUnreadableError(operation, response, 'it is not valid JSON');
	if (operation.effect === 'money') {
		const why = doubtful(text, parsed.value);
		if (why !== undefined) throw createUnreadableError(operation, response, why);
	}
	const data = parsed.ok ? parsed.value : text.trim() === '' ? undefined : text;
	return { data, raw: data, status };
}

/**
 * Whether a response with a success status is a rejection, according to the dialect or to any sign of an error. Such signs
 * prove nothing for payments, count for reads only if the described fields are missing, and do not count if the service
 * details say that it is one.
 */
function isRejectedWithSuccessStatus({ effect, dialect, response, details }: Operation, body: unknown): boolean {
	const isMoney = effect === 'money';
	if ((dialect ?? (isMoney ? undefined : rest))?.isRejection?.(body) === true) return true;
	const isConcerned =
		effect === 'read' ? response !== undefined && isRecord(body) && lacksConfirmation(response, body) : !isMoney;
	if (effect !== 'read' && saysNo({ details }, body)) return false;
	if (!isConcerned || (response !== undefined && isRecord(body) && hasAllRequired(response, body))) return false;
	return mentionsError(body, noError, dialect?.rejectsWithSuccessStatus) || holdsBareCode(body);
}

/** Whether all required fields are present. The values may still report a failure (3.1). */
function hasAllRequired(response: v.GenericSchema, value: object): boolean {
	const required = requiredIn(response);
	return required.length > 0 && required.every((name) => Object.hasOwn(value, name));
}

/** Whether all required fields (or, if there are none, all fields) are missing or empty, as in `{}` or an error object. */
function lacksConfirmation(response: v.GenericSchema, value: object): boolean {
	const required = requiredIn(response);
	const confirming = required.length > 0 ? required : Object.keys(unwrap(response).schema.entries ?? {});
	return (
		confirming.length > 0 &&
		!Object.entries(value).some(([name, field]) => confirming.includes(name) && hasContent(field))
	);
}
