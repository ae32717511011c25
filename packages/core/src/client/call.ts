import type * as v from 'valibot';

import {
	type Answer,
	type AnswerFile,
	type BankApiError,
	headerOf,
	isBankFailure,
	noAnswer,
	type NoAnswerError,
	otherAnswer,
	refusal,
	retryAfterIn,
	type SendFault,
	unreadable,
	requestIdOf,
} from '../errors/bankErrors.ts';
import { hasContent, isRecord, outlineOf, parseExact } from '../json.ts';
import { rest } from '../errors/rest.ts';
import type { Answered, CheckedInput, Operation } from '../operation.ts';
import { fromResponse } from '../schemas/coerceResponse.ts';
import { requiredIn, unwrap } from '../schemas/unwrap.ts';
import { textOrNumber } from '../text.ts';
import type { PreparedRequest } from './prepare.ts';
import type { Throttle } from './throttle.ts';

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
	/** What it shares with others that go to the same bank at the same time. */
	throttle?: Throttle;
}

/** How the reads of a run wait: all the same way. */
export type Pace = Required<Pick<CallOptions, 'wait' | 'throttle'>>;

export interface CallResult<Data = unknown> {
	/** The answer in the documented types, as far as it is of them: see `Answered`. */
	data: Data;
	/** The answer as it came, parsed. */
	raw: unknown;
	status: number;
	/** By what the bank finds the request in its own records, where it says so. */
	requestId?: string;
	/** The answer, where it is a file. */
	file?: AnswerFile;
	/** Of a list: it went on changing while it was read, so that rows may be missing. */
	isUnsettled?: boolean;
}

/**
 * Waits of half a second to one, then of one to two, … unless the bank says how long; never more than half a minute. By chance, so that
 * those whom one fault has hit at the same moment do not all come back at the same moment.
 */
const backoffMs = (attempt: number) => 1000 * 2 ** attempt * (1 - Math.random() / 2);
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
	const tries = operation.effect === 'read' ? (options.tries ?? 3) : 1;
	const { wait, throttle } = options;
	/** `shared` is absent where it is its turn already. */
	const tried = async (attempt: number, shared?: Throttle): Promise<CallResult<Answered<Output>>> => {
		let retryAfter: number | undefined;
		try {
			const answer = await send({ operation, prepared });
			if (!('status' in answer)) throw noAnswer(operation, answer);
			retryAfter = retryAfterIn(answer.headers);
			// Not checked against the schema, and need not be: the type says nothing of the answer but names.
			const requestId = requestIdOf(answer.headers, answer.hide);
			const result = read(operation, answer) as CallResult<Answered<Output>>;
			refuseOther(operation, prepared, answer, result.data);
			return requestId === undefined ? result : { ...result, requestId };
		} catch (error) {
			if (!isPassing(error) || attempt + 1 >= tries || wait === undefined) throw error;
			const milliseconds = retryAfter === undefined ? backoffMs(attempt) : retryAfter * 1000;
			if (milliseconds > longestWaitMs) throw error;
			const again = async (stillShared?: Throttle) => {
				if (!(await wait(milliseconds))) throw error;
				return await tried(attempt + 1, stillShared);
			};
			const isTooMany = error.details.httpStatus === 429 || shared?.isThrottled === true;
			return isTooMany && shared !== undefined ? await shared.inTurn(again) : await again(shared);
		}
	};
	return throttle?.isThrottled === true ? await throttle.inTurn(async () => await tried(0)) : await tried(0, throttle);
}

/** The bank's own error is retryable by hand, but not worth an immediate repeat; an answer cut off is. */
function isPassing(error: unknown): error is BankApiError | NoAnswerError {
	if (!isBankFailure(error) || !error.details.retryable) return false;
	const { httpStatus, kind } = error.details;
	return httpStatus === undefined || kind === 'unreadable' || [429, 502, 503, 504].includes(httpStatus);
}

function read(operation: Operation, answer: Answer): CallResult {
	const outline = outlineOf(answer.text);
	const parsed = outline.isTooDeep ? undefined : parseExact(answer.text, outline);
	// What is no JSON may still be words of a dialect; a web page holds anything.
	const body = parsed?.ok === false && !isPage(answer) ? answer.text : parsed?.value;
	if (answer.status < 200 || answer.status > 299) throw refusal(operation, answer, body);
	if (parsed === undefined) throw unreadable(operation, answer, 'it is nested too deeply');
	// Also where no body is described (P11): the page is a proxy's, not the bank's.
	if (isPage(answer)) throw unreadable(operation, answer, 'it is a web page, not JSON');
	if (refusesInSuccess(operation, body)) throw refusal(operation, answer, body);
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
	// What it says of each of several things is for whoever knows them.
	if (operation.effect === 'money' && isRecord(parsed.value) && denied(parsed.value))
		throw unreadable(operation, answer, 'it speaks of an error');
	const data = fromResponse(operation.response, parsed.value);
	const list = operation.list;
	if (list !== undefined && !(isRecord(data) && Array.isArray(data[list.key])))
		throw unreadable(operation, answer, `it holds no list "${list.key}"`);
	return { data, raw: parsed.value, status: answer.status };
}

/** @throws BankApiError the answer repeats a field of the request with another value */
function refuseOther(operation: Operation, { input }: PreparedRequest, answer: Answer, data: unknown): void {
	for (const field of operation.echoes ?? []) {
		const given = [input.path, input.query, input.body].find((group) => isRecord(group) && Object.hasOwn(group, field));
		const [sent, got] = [given, data].map((from) => (isRecord(from) ? textOrNumber(from[field]) : ''));
		if (sent === undefined || got === undefined || sent === '' || got === '') continue;
		if (sent.toLowerCase() !== got.toLowerCase()) throw otherAnswer(operation, answer, field, sent, got);
	}
}

const isPage = ({ text }: Answer): boolean => /^\s*</.test(text);

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
	const inside = isRecord(value) ? enveloped(value) : [];
	const isDenied = [value, ...inside].flat().some((one) => isRecord(one) && denied(one));
	return isDenied || speaksOfError(value) || [value, ...inside].some(holdsBareCode)
		? 'it speaks of an error'
		: undefined;
}

/** Whether an object says that the money it tells of did not move, or leaves room for it: its own fields, not those within them. */
export function denied(body: Record<string, unknown>): boolean {
	return (
		Object.entries(body).some((field) => isOfError(field, noError) || denies(field) || isStateOfFailure(field)) ||
		Number(body.httpCode) >= 400
	);
}

/** Where money is concerned doubt costs a look. */
const isStateOfFailure = ([key, field]: [string, unknown]): boolean =>
	/^(?:order|payment|transaction|debit|operation)?_?(?:status|state|result|outcome)$/i.test(key) &&
	/^(?:error|fail(?:ed|ure)|reject(?:ed|ion)|declined|denied|refused|cancell?ed|aborted)(?![a-z])/i.test(String(field));

/**
 * Whether a body refuses although its status says success. Where the dialect has no word for it, whatever speaks of an error keeps a
 * change from being told as done. Of a payment it proves nothing: such an answer is one that cannot be read. A read passes it on, unless
 * its answer is known and this is none.
 */
function refusesInSuccess({ effect, dialect, response }: Operation, body: unknown): boolean {
	const isMoney = effect === 'money';
	if ((dialect ?? (isMoney ? undefined : rest))?.refuses?.(body) === true) return true;
	const isConcerned =
		effect === 'read' ? response !== undefined && isRecord(body) && saysNothing(response, body) : !isMoney;
	if (!isConcerned || (response !== undefined && isRecord(body) && isWhole(response, body))) return false;
	return speaksOfError(body, noError, dialect?.refusesInSuccess) || holdsBareCode(body);
}

/** What a field of an error holds where there is none. */
const noError = /^(?:0+|false|ok|none)$/i;

const isOfError = ([key, field]: [string, unknown], none: RegExp): boolean =>
	/^(?:error|fault|exception)/i.test(key) && hasContent(field) && !none.test(String(field));

/** As text an error stands at the beginning, or is told by its code or its name. */
const errorTexts = [
	/^\W*(?:\w*(?:error|exception|fault)s?\b(?!\W*(?:0+|no|none)\b)|access denied|forbidden|unauthori[sz]ed)/i,
	/error_?code\W{1,4}\w*[1-9]|\wException\b/i,
];

/** `none`: what an error field holds where there is none. `hasInfo`: a success may carry an `errorInfo`. */
function speaksOfError(body: unknown, none = /^$/, hasInfo = false): boolean {
	if (Array.isArray(body)) return body.some((element) => speaksOfError(element, none, hasInfo));
	if (typeof body === 'string') return errorTexts.some((pattern) => pattern.test(body));
	if (!isRecord(body)) return false;
	const says = (field: [string, unknown]) =>
		isOfError(field, none) && !(hasInfo && /^error(?:info|code|string)$/i.test(field[0]));
	return (
		Number(body.httpCode) >= 400 ||
		Object.entries(body).some((field) => says(field) || denies(field)) ||
		enveloped(body).some((inner) => speaksOfError(inner, none, hasInfo))
	);
}

/**
 * What an envelope holds: what is named so, or the only one of its fields that is an object or a list. Elsewhere an error may be that of
 * something which the answer tells of.
 */
function enveloped(body: Record<string, unknown>): unknown[] {
	const inner = Object.values(body).filter((field) => typeof field === 'object' && hasContent(field));
	return Object.entries(body).flatMap(([key, field]) =>
		envelope.test(key) || (inner.length === 1 && field === inner[0]) ? [field] : [],
	);
}

const envelope = /(?:result|response|data|body|payload|answer|envelope|return)$/i;

/** A field that says no by itself. What a state means is the bank's: only the plainest words count. */
function denies([key, field]: [string, unknown]): boolean {
	const word = String(field);
	if (/^(?:is_?)?(?:success(?:ful)?|ok)$/i.test(key)) return /^(?:false|no|0)$/i.test(word);
	return /^(?:status|result)$/i.test(key) && /^(?:error|fail(?:ed|ure)?)$/i.test(word);
}

/** A code with its words and nothing else, unless it is the code of a success. */
function isBareCode(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const code = textOrNumber(body.code);
	const isAll = Object.keys(body).every((key) =>
		/^(?:code|message|text|description|details?|timestamp|path)$/i.test(key),
	);
	return isAll && code !== '' && !/^(?:0+|2\d\d|ok|success\w*|accepted|created|done)$/i.test(code);
}

/** The same in envelopes that hold nothing else of their own: beside something, a code may be the state of it. */
function holdsBareCode(body: unknown): boolean {
	if (isBareCode(body)) return true;
	if (Array.isArray(body)) return body.some(holdsBareCode);
	if (!isRecord(body)) return false;
	const fields = Object.entries(body);
	return (
		fields.every(([, field]) => typeof field === 'object') &&
		fields.some(([key, field]) => envelope.test(key) && holdsBareCode(field))
	);
}

/** Whether an answer is what the description shows of a success, in which a state may be one of failure (3.1). */
function isWhole(response: v.GenericSchema, value: object): boolean {
	const required = requiredIn(response);
	return required.length > 0 && required.every((name) => Object.hasOwn(value, name));
}

/**
 * None of the fields by which the description confirms a change is there: `{}` or an error object is no confirmation that money moved.
 * Those that it requires, where it requires any.
 */
function saysNothing(response: v.GenericSchema, value: object): boolean {
	const required = requiredIn(response);
	const confirming = required.length > 0 ? required : Object.keys(unwrap(response).schema.entries ?? {});
	return confirming.length > 0 && !confirming.some((name) => Object.hasOwn(value, name));
}
