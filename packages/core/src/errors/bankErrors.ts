import { type Auth, type Effect, isAddressOpen, type Operation, type Verification } from '../operation.ts';
import { connectionErrorInfo } from './connection.ts';
import { errorBody, type ErrorBody, type Explanation } from './dialect.ts';
import { type NextStep, stepsInDoubt } from './nextSteps.ts';
import { excerpt, type Hide, redactLongRuns } from './redact.ts';
import { hasContent, isRecord } from '../json.ts';
import { rest } from './rest.ts';

/**
 * What is known about a request that did not succeed. `nothingChanged`: it only read. `notSent`: it did not reach the
 * bank. `rejected`: the bank rejected it; it can be corrected and sent again. `unknown`: it may have been carried out;
 * check before sending again. `conflict`: it was already sent with other content and is not sent now.
 */
export type Outcome = 'nothingChanged' | 'notSent' | 'rejected' | 'unknown' | 'conflict';

/** The kind of failure, and what `words` contains then. */
export type FailureKind =
	/** The bank rejected the request; `words` is the bank's text. */
	| 'refused'
	/** The response cannot be understood; `words` is its beginning. */
	| 'unreadable'
	/** No complete response arrived; `words` is the message of the platform, library or token request. */
	| 'noAnswer'
	/** The awaited result was not ready; `words` is its last state. */
	| 'notReady'
	/** Nothing was sent because of an earlier attempt; `words` is an explanation with advice. */
	| 'heldBack'
	/** The bank accepted the request, but its response does not confirm `names`. */
	| 'unconfirmed';

/**
 * Everything needed to show a failure, as plain JSON, without tokens and full account numbers. Advice is given as
 * codes, which the caller turns into sentences.
 */
export interface FailureDetails {
	operation: string;
	effect: Effect;
	kind: FailureKind;
	httpStatus?: number;
	code?: string;
	/** What happened, as the end of the sentence "<Operation>: …". */
	what: string;
	message: string;
	/** Text of a third party, redacted and shortened. */
	words?: string;
	/** The affected parts of the request: sequences, identifiers. */
	names?: readonly string[];
	/** What to do, in this order. If the outcome is unknown, only steps that are safe then. */
	next: readonly NextStep[];
	retryable: boolean;
	/** Seconds to wait before the next request, if the bank says so. */
	retryAfter?: number;
	outcome: Outcome;
	requestId?: string;
	/** The missing scope. */
	scope?: string;
	/** The operation's place in the calling order, if the bank may have rejected it as out of order. */
	callOrder?: string;
	/** How to find out whether it was carried out, if the outcome is unknown. */
	verifyWith?: Verification;
}

abstract class BankFailure extends Error {
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.message);
		this.details = details;
	}
}

/** The bank responded, but not with a success. */
export class BankApiError extends BankFailure {
	override readonly name = 'BankApiError';
}

/** No complete response arrived. */
export class NoAnswerError extends BankFailure {
	override readonly name = 'NoAnswerError';
}

export function isBankFailure(error: unknown): error is BankApiError | NoAnswerError {
	return error instanceof BankFailure;
}

/** Whether the bank or the network was temporarily unavailable, which says nothing about the request itself. */
export function isTemporarilyUnavailable({ details: { httpStatus, code } }: BankFailure): boolean {
	return httpStatus === undefined ? connectionErrorInfo(code).isTemporary : isPassingStatus(httpStatus);
}

/** How the request was authenticated: the kind of token, or without one. */
export type AuthenticatedBy = Exclude<Auth, 'notShown'> | 'hostToHost';

/** A response that is not text, such as a print form. */
export interface ResponseFile {
	data: Uint8Array;
	mimeType: string;
	fileName?: string;
}

export interface HttpResponse {
	status: number;
	/** If it is known for this request and not only from the operation. */
	authenticatedBy?: AuthenticatedBy;
	headers: Record<string, unknown>;
	/** Empty if there is a file. */
	text: string;
	file?: ResponseFile;
	/** Redacts what the sender knows to be secret. */
	hide?: Hide;
}

/** Seen in practice; the description names none. */
const traceHeaders = ['x-traceid', 'x-trace-id', 'x-request-id', 'x-correlation-id', 'traceparent'];

/**
 * The value of a header, whatever its case (RFC 9110, 5.1).
 * @param name in lower case
 */
export function headerOf(headers: Record<string, unknown>, name: string): unknown {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	return key === undefined ? undefined : headers[key];
}

/** `Retry-After` in seconds from now; it may also be an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterIn(headers: Record<string, unknown>): number | undefined {
	const value = headerOf(headers, 'retry-after');
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = value === '' ? NaN : Number(value);
	if (Number.isFinite(seconds)) return Math.max(0, seconds);
	const date = Date.parse(String(value));
	return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

export function requestIdOf(headers: Record<string, unknown>, hide?: Hide): string | undefined {
	for (const wanted of traceHeaders) {
		const value = headerOf(headers, wanted);
		if (typeof value === 'string' && value !== '') return excerpt(value, 100, hide);
	}
	return undefined;
}

/** Derives from status and body whether the request was carried out. */
function outcomeOf(
	{ effect, dialect = rest, tokenExpiredStatus }: Operation,
	status: number,
	{ code, text }: ErrorBody,
	body: unknown,
): Outcome {
	if (effect === 'read') return 'nothingChanged';
	// A success status gets here only if the body is a rejection.
	if (status >= 200 && status < 300) {
		const listed = dialect.listed.find((error) => error.code === code && code !== undefined);
		const isSaid = dialect.rejectsWithSuccessStatus === true && (code ?? text) !== undefined;
		return isSaid || (listed?.status ?? 500) < 500 ? 'rejected' : 'unknown';
	}
	if (status < 400 || status > 499) return 'unknown';
	if (effect === 'money' && (ambiguousPaymentStatuses.has(status) || mayBeDuplicate(body))) return 'unknown';
	const isListed = status === tokenExpiredStatus || dialect.listed.some((listed) => listed.status === status);
	if (isListed || rejectingStatuses.has(status)) return 'rejected';
	return code === undefined || ambiguousStatuses.has(status) ? 'unknown' : 'rejected';
}

/**
 * HTTP statuses for requests that were not processed. Other 4xx statuses count only with an error code of the bank,
 * because proxies use their own.
 */
const rejectingStatuses: ReadonlySet<number> = new Set([
	...[
		400, 401, 402, 403, 404, 405, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 426, 428, 429, 431, 451,
	],
]);

/** May be sent for a request that was carried out: response not acceptable, timeout, or conflict. */
const ambiguousStatuses: ReadonlySet<number> = new Set([406, 408, 409]);

/** A server may use these to reject a payment that it already has. */
export const ambiguousPaymentStatuses: ReadonlySet<number> = new Set([
	406, 408, 409, 412, 418, 422, 423, 424, 425, 499,
]);

/** Words by which a rejection says that the payment already exists. */
const duplicateWords = new RegExp(
	[
		/duplicat|already|\bexists\b|accepted|in[ _-]?progress|in[ _-]process|being processed/u,
		/дублик|(?<!\p{L})уже(?!\p{L})|(?<!не )существует|(?<!не )принят|в обработке/u,
	]
		.map(({ source }) => source)
		.join('|'),
	'iu',
);

const transactionFields = /^(?:transaction(?:s|_?id|_?ids)?|pay_?package)$/i;

function mayBeDuplicate(body: unknown): boolean {
	if (typeof body === 'string') return duplicateWords.test(body) || /transaction_?id/i.test(body);
	if (Array.isArray(body)) return body.some(mayBeDuplicate);
	if (!isRecord(body)) return false;
	return Object.entries(body).some(
		([key, value]) =>
			(transactionFields.test(key) && hasContent(value)) || duplicateWords.test(key) || mayBeDuplicate(value),
	);
}

function isPassingStatus(status: number): boolean {
	return [408, 429].includes(status) || status >= 500;
}

const isToRepeat = (step: NextStep): boolean => step === 'tryLater' || step === 'tryAgain';

/**
 * Builds the error for a rejection, in the error format of its service. The body may be JSON, HTML, anything or
 * nothing.
 */
export function createRejectedError(operation: Operation, response: HttpResponse, body: unknown): BankApiError {
	const dialect = operation.dialect ?? rest;
	const { code: given, text } = dialect.read(body);
	const { what, next } = adaptToAuth(dialect.explain({ status: response.status, ...errorBody(given, text) }), {
		knownBy: response.authenticatedBy ?? tokenOf(operation),
	});
	const code = given === undefined ? undefined : excerpt(given, 80, response.hide);
	const words = excerpt(redirectIn(response) ?? text ?? response.text, 300, response.hide);
	const outcome = outcomeOf(operation, response.status, errorBody(given, text), body ?? response.text);
	const requestId = requestIdOf(response.headers, response.hide);
	const retryAfter = retryAfterIn(response.headers);
	const steps = [...stepsBefore(operation, response.status), ...stepsFor(operation, next)];
	// A listed code is more specific than the status.
	const isListed = given !== undefined && dialect.listed.some((error) => error.code === given);
	return new BankApiError({
		...factsOf(operation, outcome),
		kind: 'refused',
		httpStatus: response.status,
		...(code === undefined ? {} : { code }),
		...messageOf(operation, `${what} (${response.status}${code === undefined ? '' : ` ${code}`})`),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, steps),
		retryable:
			operation.effect === 'read' && ((!isListed && isPassingStatus(response.status)) || steps.some(isToRepeat)),
		...(retryAfter === undefined ? {} : { retryAfter }),
		...(requestId === undefined ? {} : { requestId }),
		...(steps.includes('addScope') && operation.scope !== undefined ? { scope: operation.scope } : {}),
		...callOrderOf(operation, response.status),
	});
}

/** The kind of token the operation needs, if described. */
const tokenOf = ({ auth }: Operation): AuthenticatedBy | undefined =>
	auth === 'authorizationCode' || auth === 'clientCredentials' ? auth : undefined;

/** Replaces advice about tokens or consent that does not apply to the way the request was authenticated. */
function adaptToAuth(
	{ what, next }: Explanation,
	{ knownBy: authenticatedBy }: { knownBy: AuthenticatedBy | undefined },
): Explanation {
	const hasToken = authenticatedBy !== 'gateway' && authenticatedBy !== 'mutualTls';
	const isOfToken = next.includes('renewAccess') || next.includes('addScope');
	const steps = next
		.filter((step) => step !== 'consentAgain' || (hasToken && authenticatedBy !== 'clientCredentials'))
		.filter((step) => step !== 'useMutualTls' || authenticatedBy !== 'mutualTls')
		.map((step) => stepsInstead[`${authenticatedBy ?? ''} ${step}`] ?? step);
	return { what: isOfToken && !hasToken ? 'the bank did not accept who asks' : what, next: steps };
}

/** Replacement steps, by authentication and step. */
const stepsInstead: Readonly<Record<string, NextStep>> = {
	'gateway renewAccess': 'checkGatewayClient',
	'mutualTls renewAccess': 'checkRegisteredClient',
	'gateway addScope': 'checkClient',
	'mutualTls addScope': 'checkRegisteredClient',
	'gateway checkScopeAndOwner': 'checkClient',
	'mutualTls checkScopeAndOwner': 'checkRegisteredClient',
	'mutualTls checkGatewayClient': 'checkRegisteredClient',
	'clientCredentials renewAccess': 'checkClient',
	'clientCredentials checkScopeAndOwner': 'checkClient',
	'authorizationCode renewAccess': 'connectAgain',
	'hostToHost consentAgain': 'beginAnew',
	'hostToHost renewAccess': 'beginAnew',
};

/** The target of a redirect, which shows what is wrong with the URL. */
function redirectIn({ status, headers }: HttpResponse): string | undefined {
	const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
	return typeof location === 'string' && location !== '' ? `go to ${location}` : undefined;
}

export function factsOf(
	operation: Operation,
	outcome: Outcome,
): Pick<FailureDetails, 'operation' | 'effect' | 'outcome' | 'verifyWith'> {
	const { id, effect, verifyWith } = operation;
	return {
		operation: id,
		effect,
		outcome,
		...(outcome === 'unknown' && verifyWith !== undefined ? { verifyWith } : {}),
	};
}

function messageOf({ action }: Operation, what: string): Pick<FailureDetails, 'what' | 'message'> {
	return { what, message: `${action}: ${what}` };
}

function stepsAt(outcome: Outcome, steps: readonly NextStep[]): readonly NextStep[] {
	return outcome === 'unknown' ? steps.filter((step) => stepsInDoubt.includes(step)) : steps;
}

/** Steps that follow from the status alone. */
function stepsBefore(operation: Operation, status: number): NextStep[] {
	const hasToken = operation.auth === 'clientCredentials' || operation.auth === 'authorizationCode';
	const isExpired = status === 401 || status === operation.tokenExpiredStatus;
	return [
		...(hasToken && isExpired && operation.effect === 'money' ? (['useNewToken'] as const) : []),
		...((status === 404 || status === 405) && isAddressOpen(operation) ? (['checkMethodAndPath'] as const) : []),
	];
}

/** Drops steps that the operation does not have: without an authorization code flow there is no consent to renew. */
export function stepsFor({ auth }: Operation, steps: readonly NextStep[]): readonly NextStep[] {
	const mayHaveConsent = auth === 'authorizationCode' || auth === 'notShown';
	return steps.filter((step) => step !== 'consentAgain' || mayHaveConsent);
}

/** 403 and 409 may mean that the call came out of order (7.5). */
function callOrderOf({ callOrder }: Operation, status: number): Pick<FailureDetails, 'callOrder'> {
	return callOrder !== undefined && (status === 403 || status === 409) ? { callOrder } : {};
}

/**
 * A success status with a response that means no by the service details. They never prove that no money moved, because a person wrote
 * them.
 */
export function createDeniedError(operation: Operation, response: HttpResponse, body: unknown): BankApiError {
	const { details } = createRejectedError(operation, response, body);
	const isMoney = operation.effect === 'money';
	return new BankApiError({
		...details,
		...factsOf(operation, isMoney ? 'unknown' : 'rejected'),
		...messageOf(operation, `the bank said no (${response.status}, by the service details)`),
		next: isMoney ? [] : ['correctRequest'],
		retryable: false,
	});
}

/** A success status with an unreadable body: truncated, HTML, or not JSON. */
export function createUnreadableError(operation: Operation, response: HttpResponse, why: string): BankApiError {
	const outcome: Outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	const text = operation.returnsSecrets === true ? redactLongRuns(response.text) : response.text;
	const words = excerpt(text, 120, response.hide);
	const requestId = requestIdOf(response.headers, response.hide);
	return new BankApiError({
		...factsOf(operation, outcome),
		kind: 'unreadable',
		httpStatus: response.status,
		code: 'unreadable_answer',
		...messageOf(operation, `the bank answered ${response.status}, but the answer cannot be read (${why})`),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, ['checkProxy']),
		retryable: operation.effect === 'read',
		...(requestId === undefined ? {} : { requestId }),
	});
}

/** A success response about something else than was sent, so the outcome is unknown. */
export function createMismatchError(
	operation: Operation,
	response: HttpResponse,
	field: string,
	sent: string,
	got: string,
): BankApiError {
	const values = `${field} "${excerpt(got, 60, response.hide)}", and "${excerpt(sent, 60, response.hide)}" was sent`;
	return new BankApiError({
		...createUnreadableError(operation, response, '').details,
		code: 'other_answer',
		...messageOf(operation, `the bank answered ${response.status} for ${values}`),
	});
}

/** The result of `Send` if no response arrived. `code` is one of `connectionCode`, or `TOKEN`. */
export interface TransportError {
	code?: string;
	message?: string;
	/** The message already contains advice. */
	isAdvised?: boolean;
	/** Why there is no token: one of `connectionCode`. */
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

export function createNoAnswerError(operation: Operation, error: TransportError): NoAnswerError {
	const { what, next, mayHaveArrived, isTemporary } = connectionErrorInfo(error.code);
	const outcome: Outcome = operation.effect === 'read' ? 'nothingChanged' : mayHaveArrived ? 'unknown' : 'notSent';
	// Long enough for messages of token requests, which end with advice.
	const words = excerpt(error.message ?? '', 1000);
	return new NoAnswerError({
		...factsOf(operation, outcome),
		kind: 'noAnswer',
		...(error.code === undefined ? {} : { code: error.code }),
		...messageOf(operation, what),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, stepsAfter(error, next)),
		retryable: operation.effect === 'read' && isTemporary,
	});
}

/**
 * A list exceeded the limit of the run.
 * @param most the limit, such as "100000 rows"
 */
export function createListTooLargeError(operation: Operation, most: string): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'nothingChanged'),
		kind: 'noAnswer',
		code: 'LIST_TOO_LARGE',
		...messageOf(operation, `the list is larger than ${most}`),
		next: ['narrowList'],
		retryable: false,
	});
}

/**
 * The request is allowed only once, or was already sent by this execution with an unknown outcome.
 * @param names what it is about
 */
export function createAlreadySentError(operation: Operation, names: readonly string[]): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'unknown'),
		kind: 'heldBack',
		code: 'already_sent',
		...messageOf(operation, 'it was already sent, and is not sent again'),
		names,
		next: operation.oncePerPath === true ? ['readInstead', 'askAgain'] : [],
		retryable: false,
	});
}

/** How the response to an accepted package fails to confirm a payment. */
const shortfalls = {
	missing: 'does not name this payment',
	noTransaction: 'gives this payment no transaction ID',
	otherAmount: 'names another amount for this payment',
	otherPhone: 'names another phone for this payment',
	otherBank: 'names another recipient bank for this payment',
	otherSender: 'names another account or partner',
	sameTransaction: 'gives this payment and another one the same transaction ID',
	speaksOfError: 'speaks of an error at this payment',
	otherStatus: 'gives this payment a status that is not known to mean accepted',
	notAsked: 'names a payment that was not in it, or one a second time',
} as const;

export type Shortfall = keyof typeof shortfalls;

/** The bank accepted the request, but the response does not confirm a part of it: its outcome is unknown. */
export function createUnconfirmedError(
	operation: Operation,
	name: string,
	shortfall: Shortfall = 'missing',
): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'unknown'),
		kind: 'unconfirmed',
		code: 'unconfirmed',
		...messageOf(operation, `the bank accepted the package, but its answer ${shortfalls[shortfall]}`),
		names: [name],
		next: [],
		retryable: false,
	});
}

/**
 * Turns the failure of a read that had to come first into a failure of the operation itself, which was not sent.
 * @param advice how to do without the read
 */
export function createPrerequisiteReadError(
	operation: Operation,
	{ details }: BankFailure,
	advice: NextStep,
): BankApiError | NoAnswerError {
	const own: FailureDetails = {
		...details,
		...factsOf(operation, 'notSent'),
		...messageOf(operation, details.what),
		next: [...details.next, advice],
	};
	return details.httpStatus === undefined ? new NoAnswerError(own) : new BankApiError(own);
}

/**
 * The awaited result was not ready in time; it can still be read later.
 * @param steps additional steps after the last response
 */
export function createNotReadyError(
	operation: Operation,
	seconds: number,
	state: string,
	steps: readonly NextStep[],
): NoAnswerError {
	return new NoAnswerError({
		...waitedFor(operation, state),
		code: 'not_ready',
		...messageOf(operation, `the result was not ready after ${seconds} seconds`),
		next: ['waitLonger', ...steps.filter((step) => !isToRepeat(step))],
		retryable: true,
	});
}

export function createWaitCanceledError(operation: Operation, state: string): NoAnswerError {
	return new NoAnswerError({
		...waitedFor(operation, state),
		code: 'ERR_CANCELED',
		...messageOf(operation, 'the call was stopped while it waited for the result'),
		next: [],
		retryable: false,
	});
}

function waitedFor(operation: Operation, state: string) {
	return { ...factsOf(operation, 'nothingChanged'), kind: 'notReady', words: excerpt(state, 120) } as const;
}
