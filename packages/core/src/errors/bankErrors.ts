import { type Auth, type Effect, isAddressOpen, type Operation, type Unclear } from '../operation.ts';
import { connectionFault } from './connection.ts';
import { errorBody, type ErrorBody, type Explanation } from './dialect.ts';
import { type NextStep, stepsInDoubt } from './nextSteps.ts';
import { excerpt, type Hide, withoutRuns } from './redact.ts';
import { hasContent, isRecord } from '../json.ts';
import { rest } from './rest.ts';

/**
 * What is known about a request that did not succeed:
 * `nothingChanged` it only read; `notSent` it never reached the bank; `rejected` the bank said no, safe to correct
 * and send again; `unknown` it may have been carried out: check before sending again; `conflict` it was sent before with other content, and
 * is not sent now.
 */
export type Outcome = 'nothingChanged' | 'notSent' | 'rejected' | 'unknown' | 'conflict';

/** What kind of failure it is, and so what `words` are. */
export type FailureKind =
	/** The bank said no; `words` are its own. */
	| 'refused'
	/** It answered, and nobody knows what; `words` are how the answer begins. */
	| 'unreadable'
	/** No complete answer came; `words` are those of whoever tells so: the platform, a library, the token's keeper. */
	| 'noAnswer'
	/** The result was waited for and did not come; `words` tell the state it was in. */
	| 'notReady'
	/** Nothing was sent, because of an earlier attempt; `words` say what it means and what to do. */
	| 'heldBack'
	/** The bank accepted the request, and its answer leaves out `names`. */
	| 'unconfirmed';

/**
 * Everything that whoever shows a failure needs to know of it, as plain JSON. What to do stands here in codes: the sentences are the
 * caller's. Holds no token and no full account number.
 */
export interface FailureDetails {
	operation: string;
	effect: Effect;
	kind: FailureKind;
	httpStatus?: number;
	code?: string;
	/** What happened, as the end of the sentence "<Operation>: …". */
	what: string;
	/** The whole sentence. */
	message: string;
	/** Of somebody else, without secrets and short. */
	words?: string;
	/** What it is about, where that is not the whole request: sequences, identifiers. */
	names?: readonly string[];
	/** What to do, in this order. Where the outcome is unknown, only what is right all the same. */
	next: readonly NextStep[];
	retryable: boolean;
	/** Seconds after which the bank wants to be asked again, where it says so. */
	retryAfter?: number;
	outcome: Outcome;
	requestId?: string;
	/** The scope that is missing, where the description names it. */
	scope?: string;
	/** The operation's place in the calling order, where the bank may have refused it as out of turn. */
	order?: string;
	/** How to find out what became of it, where the outcome is unknown. */
	ifUnclear?: Unclear;
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
	return httpStatus === undefined ? connectionFault(code).passes : isPassingStatus(httpStatus);
}

/** How the bank was to know who asks: by which kind of token, or without one. */
export type KnownBy = Exclude<Auth, 'notShown'> | 'hostToHost';

/** An answer that is not text, such as a print form. */
export interface AnswerFile {
	data: Uint8Array;
	mimeType: string;
	fileName?: string;
}

export interface Answer {
	status: number;
	/** How the bank was to know who asks, where the request says it and not the operation alone. */
	knownBy?: KnownBy;
	headers: Record<string, unknown>;
	/** Empty where there is a file. */
	text: string;
	file?: AnswerFile;
	/** What whoever sent the request will not have repeated in an error. */
	hide?: Hide;
}

/** Headers seen to carry the bank's identifier of a call; the description names none. */
const traceHeaders = ['x-traceid', 'x-trace-id', 'x-request-id', 'x-correlation-id', 'traceparent'];

/** A header, in whatever case its name came (RFC 9110, 5.1). `name` in lower case. */
export function headerOf(headers: Record<string, unknown>, name: string): unknown {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	return key === undefined ? undefined : headers[key];
}

/** `Retry-After` in seconds; it may be an HTTP date (RFC 9110, 10.2.3). */
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

/** What a status, and the body that came with it, say of whether a request was carried out. */
function outcomeOf(
	{ effect, dialect = rest, tokenExpiredStatus }: Operation,
	status: number,
	{ code, text }: ErrorBody,
	body: unknown,
): Outcome {
	if (effect === 'read') return 'nothingChanged';
	// Only a body that refuses makes an error of a success.
	if (status >= 200 && status < 300) {
		const listed = dialect.listed.find((error) => error.code === code && code !== undefined);
		const isSaid = dialect.refusesInSuccess === true && (code ?? text) !== undefined;
		return isSaid || (listed?.status ?? 500) < 500 ? 'rejected' : 'unknown';
	}
	if (status < 400 || status > 499) return 'unknown';
	if (effect === 'money' && (doubtfulForMoney.has(status) || mayBeDuplicate(body))) return 'unknown';
	const isListed = status === tokenExpiredStatus || dialect.listed.some((listed) => listed.status === status);
	if (isListed || refusing.has(status)) return 'rejected';
	return code === undefined || doubtful.has(status) ? 'unknown' : 'rejected';
}

/** What HTTP has for a request that was not begun. Another is a refusal where the bank says so: proxies make up their own. */
const refusing: ReadonlySet<number> = new Set([
	...[
		400, 401, 402, 403, 404, 405, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 426, 428, 429, 431, 451,
	],
]);

/** What may be said of a request that was carried out, in whatever words: its answer is no JSON, took too long, or it conflicts. */
const doubtful: ReadonlySet<number> = new Set([406, 408, 409]);

/** Statuses by which a server may refuse a payment because it has it already. */
export const doubtfulForMoney: ReadonlySet<number> = new Set([406, 408, 409, 412, 418, 422, 423, 424, 425, 499]);

/** A refusal that names transactions, or says in whatever words that the payment is there already. */
const duplicateWords =
	/duplicat|already|\bexists\b|accepted|in[ _-]?progress|in[ _-]process|being processed|дублик|(?<!\p{L})уже(?!\p{L})|(?<!не )существует|(?<!не )принят|в обработке/iu;

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

/** What says "again" must not be called futile. */
const isToRepeat = (step: NextStep): boolean => step === 'tryLater' || step === 'tryAgain';

/** The bank's refusal, in the dialect of its service, as an error. The answer may be JSON, HTML, anything or nothing. */
export function refusal(operation: Operation, answer: Answer, body: unknown): BankApiError {
	const dialect = operation.dialect ?? rest;
	const { code: given, text } = dialect.read(body);
	const { what, next } = fitting(dialect.explain({ status: answer.status, ...errorBody(given, text) }), {
		knownBy: answer.knownBy ?? tokenOf(operation),
	});
	const code = given === undefined ? undefined : excerpt(given, 80, answer.hide);
	const words = excerpt(redirectIn(answer) ?? text ?? answer.text, 300, answer.hide);
	const outcome = outcomeOf(operation, answer.status, errorBody(given, text), body ?? answer.text);
	const requestId = requestIdOf(answer.headers, answer.hide);
	const retryAfter = retryAfterIn(answer.headers);
	const steps = [...stepsBefore(operation, answer.status), ...stepsFor(operation, next)];
	// A code that is listed says more than a status.
	const isListed = given !== undefined && dialect.listed.some((error) => error.code === given);
	return new BankApiError({
		...factsOf(operation, outcome),
		kind: 'refused',
		httpStatus: answer.status,
		...(code === undefined ? {} : { code }),
		...told(operation, `${what} (${answer.status}${code === undefined ? '' : ` ${code}`})`),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, steps),
		retryable: operation.effect === 'read' && ((!isListed && isPassingStatus(answer.status)) || steps.some(isToRepeat)),
		...(retryAfter === undefined ? {} : { retryAfter }),
		...(requestId === undefined ? {} : { requestId }),
		...(steps.includes('addScope') && operation.scope !== undefined ? { scope: operation.scope } : {}),
		...turnOf(operation, answer.status),
	});
}

/** The kind of token that an operation takes, where its description says so. */
const tokenOf = ({ auth }: Operation): KnownBy | undefined =>
	auth === 'authorizationCode' || auth === 'clientCredentials' ? auth : undefined;

/** An explanation that speaks of a token, for those who have none; and of a consent, for those to whom none was given. */
function fitting({ what, next }: Explanation, { knownBy }: { knownBy: KnownBy | undefined }): Explanation {
	const hasToken = knownBy !== 'gateway' && knownBy !== 'mutualTls';
	const isOfToken = next.includes('renewAccess') || next.includes('addScope');
	const steps = next
		.filter((step) => step !== 'consentAgain' || (hasToken && knownBy !== 'clientCredentials'))
		.filter((step) => step !== 'useMutualTls' || knownBy !== 'mutualTls')
		.map((step) => stepsInstead[`${knownBy ?? ''} ${step}`] ?? step);
	return { what: isOfToken && !hasToken ? 'the bank did not accept who asks' : what, next: steps };
}

/** Other steps for those who know of no token, or have theirs from elsewhere: by who asks, and step. */
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

/** Where a redirect leads: it tells what is wrong with the address that was asked. */
function redirectIn({ status, headers }: Answer): string | undefined {
	const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
	return typeof location === 'string' && location !== '' ? `go to ${location}` : undefined;
}

export function factsOf(
	operation: Operation,
	outcome: Outcome,
): Pick<FailureDetails, 'operation' | 'effect' | 'outcome' | 'ifUnclear'> {
	const { id, effect, ifUnclear } = operation;
	return { operation: id, effect, outcome, ...(outcome === 'unknown' && ifUnclear !== undefined ? { ifUnclear } : {}) };
}

function told({ action }: Operation, what: string): Pick<FailureDetails, 'what' | 'message'> {
	return { what, message: `${action}: ${what}` };
}

function stepsAt(outcome: Outcome, steps: readonly NextStep[]): readonly NextStep[] {
	return outcome === 'unknown' ? steps.filter((step) => stepsInDoubt.includes(step)) : steps;
}

/** What is known to be so before anybody looks at the code of the refusal. */
function stepsBefore(operation: Operation, status: number): NextStep[] {
	const hasToken = operation.auth === 'clientCredentials' || operation.auth === 'authorizationCode';
	const isExpired = status === 401 || status === operation.tokenExpiredStatus;
	return [
		...(hasToken && isExpired && operation.effect === 'money' ? (['useNewToken'] as const) : []),
		...((status === 404 || status === 405) && isAddressOpen(operation) ? (['checkMethodAndPath'] as const) : []),
	];
}

/** The steps that an operation has. Where no user has given a consent, none can be given anew. */
export function stepsFor({ auth }: Operation, steps: readonly NextStep[]): readonly NextStep[] {
	const mayHaveConsent = auth === 'authorizationCode' || auth === 'notShown';
	return steps.filter((step) => step !== 'consentAgain' || mayHaveConsent);
}

/** 403 and 409 may mean a step out of turn (7.5): the operation tells its turn, so that nobody must look it up. */
function turnOf({ order }: Operation, status: number): Pick<FailureDetails, 'order'> {
	return order !== undefined && (status === 403 || status === 409) ? { order } : {};
}

/** A status of success with a body that cannot be read: cut off, HTML, not JSON. */
export function unreadable(operation: Operation, answer: Answer, why: string): BankApiError {
	const outcome: Outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	const text = operation.givesSecrets === true ? withoutRuns(answer.text) : answer.text;
	const words = excerpt(text, 120, answer.hide);
	const requestId = requestIdOf(answer.headers, answer.hide);
	return new BankApiError({
		...factsOf(operation, outcome),
		kind: 'unreadable',
		httpStatus: answer.status,
		code: 'unreadable_answer',
		...told(operation, `the bank answered ${answer.status}, but the answer cannot be read (${why})`),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, ['checkProxy']),
		retryable: operation.effect === 'read',
		...(requestId === undefined ? {} : { requestId }),
	});
}

/** A success that is about something else than what was sent: whether that was carried out, nobody knows. */
export function otherAnswer(
	operation: Operation,
	answer: Answer,
	field: string,
	sent: string,
	got: string,
): BankApiError {
	const values = `${field} "${excerpt(got, 60, answer.hide)}", and "${excerpt(sent, 60, answer.hide)}" was sent`;
	return new BankApiError({
		...unreadable(operation, answer, '').details,
		code: 'other_answer',
		...told(operation, `the bank answered ${answer.status} for ${values}`),
	});
}

/** What a `Send` gives when no answer came back. `code` is one of `connectionCode`, or `TOKEN`. */
export interface SendFault {
	code?: string;
	message?: string;
	/** The message says what to do as well. */
	isAdvised?: boolean;
	/** Why there is no token, as one of `connectionCode`. */
	reason?: string;
}

/** What to do where it is the server that gives tokens that cannot be reached. */
const tokenSteps: Partial<Record<NextStep, NextStep>> = {
	trustAuthority: 'trustTokenServer',
	useGivenHostName: 'useGivenTokenHost',
};

function stepsAfter({ isAdvised = false, reason }: SendFault, next: readonly NextStep[]): readonly NextStep[] {
	if (isAdvised) return [];
	const [first] = reason === undefined ? [] : connectionFault(reason).next;
	const step = first === undefined ? undefined : tokenSteps[first];
	return step === undefined ? next : [step];
}

export function noAnswer(operation: Operation, fault: SendFault): NoAnswerError {
	const { what, next, mayHaveArrived, passes } = connectionFault(fault.code);
	const outcome: Outcome = operation.effect === 'read' ? 'nothingChanged' : mayHaveArrived ? 'unknown' : 'notSent';
	// Of whoever asks for the token, with what to do at the end.
	const words = excerpt(fault.message ?? '', 1000);
	return new NoAnswerError({
		...factsOf(operation, outcome),
		kind: 'noAnswer',
		...(fault.code === undefined ? {} : { code: fault.code }),
		...told(operation, what),
		...(words === '' ? {} : { words }),
		next: stepsAt(outcome, stepsAfter(fault, next)),
		retryable: operation.effect === 'read' && passes,
	});
}

/** A list exceeds what a run may read. `most` is the limit, such as "100000 rows". */
export function createListTooLargeError(operation: Operation, most: string): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'nothingChanged'),
		kind: 'noAnswer',
		code: 'LIST_TOO_LARGE',
		...told(operation, `the list is larger than ${most}`),
		next: ['narrowList'],
		retryable: false,
	});
}

/** A request that the bank allows once, or that this execution has sent already, with an unknown outcome. `names` says what it is about. */
export function alreadyClaimed(operation: Operation, names: readonly string[]): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'unknown'),
		kind: 'heldBack',
		code: 'already_sent',
		...told(operation, 'it was already sent, and is not sent again'),
		names,
		next: operation.once === true ? ['readInstead', 'askAgain'] : [],
		retryable: false,
	});
}

/** How the response of an accepted package falls short of one payment. */
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

/** The bank accepted a request and does not say what became of a part of it: neither done nor not. */
export function unconfirmed(operation: Operation, name: string, shortfall: Shortfall = 'missing'): NoAnswerError {
	return new NoAnswerError({
		...factsOf(operation, 'unknown'),
		kind: 'unconfirmed',
		code: 'unconfirmed',
		...told(operation, `the bank accepted the package, but its answer ${shortfalls[shortfall]}`),
		names: [name],
		next: [],
		retryable: false,
	});
}

/**
 * The failure of a read that was made for another operation before it was sent, as a failure of that operation.
 * `advice` says how to do without the read.
 */
export function readForAnother(
	operation: Operation,
	{ details }: BankFailure,
	advice: NextStep,
): BankApiError | NoAnswerError {
	const own: FailureDetails = {
		...details,
		...factsOf(operation, 'notSent'),
		...told(operation, details.what),
		next: [...details.next, advice],
	};
	return details.httpStatus === undefined ? new NoAnswerError(own) : new BankApiError(own);
}

/** A result that was waited for and did not come; it can still be read later. `steps` are those after the last answer, besides. */
export function notReady(
	operation: Operation,
	seconds: number,
	state: string,
	steps: readonly NextStep[],
): NoAnswerError {
	return new NoAnswerError({
		...waitedFor(operation, state),
		code: 'not_ready',
		...told(operation, `the result was not ready after ${seconds} seconds`),
		next: ['waitLonger', ...steps.filter((step) => !isToRepeat(step))],
		retryable: true,
	});
}

/** A result that was waited for until the execution was stopped. */
export function stoppedWaiting(operation: Operation, state: string): NoAnswerError {
	return new NoAnswerError({
		...waitedFor(operation, state),
		code: 'ERR_CANCELED',
		...told(operation, 'the call was stopped while it waited for the result'),
		next: [],
		retryable: false,
	});
}

function waitedFor(operation: Operation, state: string) {
	return { ...factsOf(operation, 'nothingChanged'), kind: 'notReady', words: excerpt(state, 120) } as const;
}
