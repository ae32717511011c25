import type * as v from 'valibot';

import {
	type BankFailure,
	isBankFailure,
	createDeniedError,
	createRejectedError,
	createUnreadableError,
	createUnusableError,
} from '../errors/bankErrors.ts';
import { createNoAnswerError, type TransportError } from '../errors/connection.ts';
import { headerOf, type HttpResponse, requestIdOf, type ResponseFile, retryAfterIn } from '../errors/httpResponse.ts';
import { unprovenReason, errorSignIn } from '../errors/errorSigns.ts';
import { hasContent, isRecord, type JsonScan, scanJson, parseLossless } from '../json.ts';
import { excerpt } from '../errors/redact.ts';
import type { Lenient, CheckedInput, Operation } from '../operation.ts';
import { fieldAt } from '../path.ts';
import { fromResponse } from '../schemas/coerceResponse.ts';
import { requiredIn, unwrap } from '../schemas/unwrap.ts';
import { textOrNumber } from '../text.ts';
import type { PreparedRequest } from './prepare.ts';
import type { Throttle } from './throttle.ts';
import { listedWords, verdictOf } from './verdict.ts';

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
	/** The throttle of all parallel requests to the same bank. */
	throttle?: Throttle;
	/**
	 * Called before a response is parsed, with its approximate size in memory. If it throws, the call fails with that
	 * error.
	 */
	spend?: (bytes: number) => void;
}

export type Pace = Required<Pick<CallOptions, 'wait' | 'throttle'>>;

export interface CallResult<Data = unknown> {
	/** The response coerced to the documented types where possible: see `Lenient`. */
	data: Data;
	/** The parsed response, not coerced. */
	raw: unknown;
	status: number;
	requestId?: string;
	/** `location`, and the headers that the service details name, under the names there. */
	headers?: Record<string, string>;
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
	const { wait, throttle, spend } = options;
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
			const scan = scanJson(response.text);
			spend?.(scan.memory);
			const result = read(operation, response, scan) as CallResult<Lenient<Output>>;
			assertEchoes(operation, prepared, response, result.data);
			const headers = namedHeaders(operation, response);
			return { ...result, ...(requestId !== undefined && { requestId }), ...(headers !== undefined && { headers }) };
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

/** Whether the request may be repeated. A truncated response is worth a retry; status 500 is not. */
function isRetryable(error: unknown): error is BankFailure {
	if (!isBankFailure(error) || !error.details.retryable) return false;
	const { httpStatus, kind } = error.details;
	return httpStatus === undefined || kind === 'unreadable' || [429, 502, 503, 504].includes(httpStatus);
}

function read(operation: Operation, response: HttpResponse, scan: JsonScan): CallResult {
	// Only a proxy uses this status (RFC 9110, 15.5.8). Nothing reached the bank.
	if (response.status === 407) throw createNoAnswerError(operation, { code: 'PROXY', message: 'HTTP 407' });
	const parsed = scan.excess === undefined ? parseLossless(response.text, scan) : undefined;
	// A dialect may recognize plain text; a web page is never parsed.
	const body = parsed?.ok === false && !isPage(response) ? response.text : parsed?.value;
	if (response.status < 200 || response.status > 299) throw createRejectedError(operation, response, body);
	if (parsed === undefined) throw createNoAnswerError(operation, { code: 'RESPONSE_TOO_LARGE', message: scan.excess });
	// P11, whose response has no body, also ends up here: a page means that a proxy responded.
	if (isPage(response)) throw createUnreadableError(operation, response, 'it is a web page, not JSON');
	const { effect, asynchronous, details } = operation;
	const verdict = effect === 'read' ? undefined : verdictOf(operation, { ...response, data: body });
	if (verdict === 'no') throw createDeniedError(operation, response, body);
	if (reportsError(operation, body))
		throw effect === 'money'
			? createUnreadableError(operation, response, 'it contains an error')
			: createRejectedError(operation, response, body);
	if (effect === 'money' && verdict === 'unclear' && details?.responses?.yes !== undefined)
		throw createUnreadableError(operation, response, 'its value is not listed under "yes" in the service details');
	const isEmpty = response.text.trim() === '';
	// A response that is still pending does not have the shape of the result.
	const isPending = asynchronous === true && (response.status === 202 || isEmpty);
	if (operation.response === undefined || isPending) return readUndescribed(operation, response, parsed);
	if (effect === 'delete' && isEmpty) return { data: parsed.value, raw: parsed.value, status: response.status };
	if (isEmpty) throw createUnreadableError(operation, response, 'it is empty');
	if (!parsed.ok) throw createUnreadableError(operation, response, 'it is not valid JSON');
	if (!isRecord(parsed.value)) throw createUnreadableError(operation, response, 'it is not a JSON object');
	// P1 shows 200 only. Another success may mean that nothing was decided yet.
	if (effect === 'money' && response.status !== 200)
		throw createUnusableError(
			operation,
			response,
			`the bank responded with ${response.status}, and only 200 confirms payments`,
			'unconfirmed',
		);
	const { entries = {} } = unwrap(operation.response).schema;
	const isOrderWithoutId = effect === 'order' && 'id' in entries && !hasContent(parsed.value.id);
	if (effect !== 'read' && (isOrderWithoutId || lacksConfirmation(operation.response, parsed.value)))
		throw createUnreadableError(operation, response, 'it holds none of the fields that confirm it');
	const data = fromResponse(operation.response, parsed.value);
	const { list } = operation;
	if (list !== undefined && !(isRecord(data) && Array.isArray(data[list.key])))
		throw createUnreadableError(operation, response, `it holds no list "${list.key}"`);
	return { data, raw: parsed.value, status: response.status };
}

function namedHeaders({ details: { responses = {} } = {} }: Operation, response: HttpResponse): CallResult['headers'] {
	const conditions = Object.values(responses).flatMap((one) => (isRecord(one) ? [textOrNumber(one.header)] : []));
	const { headers, redactSecrets = (text) => text } = response;
	const found = ['location', ...(responses.headers ?? []), ...conditions].flatMap((name) => {
		const value = headerOf(headers, name.toLowerCase());
		return typeof value === 'string' && value !== '' ? [[name, redactSecrets(value)] as const] : [];
	});
	return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** @throws BankFailure the response repeats a request field with a different value */
function assertEchoes(operation: Operation, { input }: PreparedRequest, response: HttpResponse, data: unknown): void {
	for (const field of operation.echoes ?? []) {
		const { [field]: place = field } = operation.details?.names ?? {};
		const given = [input.path, input.query, input.body].map((group) => textOrNumber(fieldAt(group, place)));
		const sent = given.find((value) => value !== '') ?? '';
		for (const got of [field, place].map((name) => textOrNumber(fieldAt(data, name)))) {
			if (sent === '' || got === '' || sent.toLowerCase() === got.toLowerCase()) continue;
			const [received, requested] = [got, sent].map((value) => excerpt(value, 60, response.redactSecrets));
			const what = `the bank responded with ${response.status} for ${field} "${received}", and "${requested}" was sent`;
			throw createUnusableError(operation, response, what, 'other_response');
		}
	}
}

const isPage = ({ text }: HttpResponse): boolean => text.trimStart().startsWith('<');

/** A response whose shape is not described is returned unchanged. */
function readUndescribed(
	operation: Operation,
	response: HttpResponse,
	parsed: { ok: boolean; value?: unknown },
): CallResult {
	const { status, text, file } = response;
	if (file !== undefined) return { data: undefined, raw: undefined, status, file };
	if (
		!parsed.ok &&
		(['[', '{'].includes(text.trimStart().slice(0, 1)) ||
			(text.trim() !== '' && /json/i.test(String(headerOf(response.headers, 'content-type')))))
	)
		throw createUnreadableError(operation, response, 'it is not valid JSON');
	if (operation.effect === 'money') {
		const why = unprovenReason(text, parsed.value, listedWords(operation));
		if (why !== undefined) throw createUnreadableError(operation, response, why);
	}
	const data = parsed.ok ? parsed.value : text.trim() === '' ? undefined : text;
	return { data, raw: data, status };
}

/** Whether a response with a success status reports an error: a code of its service, or by one of the common signs. */
function reportsError(operation: Operation, body: unknown): boolean {
	const { effect, dialect, response, returnsState: hasStates } = operation;
	if (dialect?.isRejection?.(body) === true) return true;
	// A debit is judged more strictly: see `unprovenReason`.
	if (effect === 'money' && response === undefined) return false;
	const judging = { hasRows: effect !== 'read', hasStates, accepted: listedWords(operation) };
	return errorSignIn(body, judging) !== undefined;
}

/**
 * Whether all required fields are missing or empty, as in `{}` or an error object. If no field is required, all fields
 * count.
 */
function lacksConfirmation(response: v.GenericSchema, value: object): boolean {
	const required = requiredIn(response);
	const confirming = required.length > 0 ? required : Object.keys(unwrap(response).schema.entries ?? {});
	return (
		confirming.length > 0 &&
		!Object.entries(value).some(([name, field]) => confirming.includes(name) && hasContent(field))
	);
}
