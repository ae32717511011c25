import { hasContent } from '../json.ts';
import { omitUndefined } from '../omitUndefined.ts';
import { type Auth, hasAddress, type Operation } from '../operation.ts';
import type { Dialect, ErrorBody, Explanation } from './dialect.ts';
import { type FailureDetails, isTemporaryStatus, repeatsRequest, type Outcome, safeSteps } from './failureDetails.ts';
import { type AuthenticatedBy, headerOf, type HttpResponse, requestIdOf, retryAfterIn } from './httpResponse.ts';
import type { NextStep } from './nextSteps.ts';
import { excerpt } from './redact.ts';
import { explainStatus, rest } from './rest.ts';

/** The bank responded with an error or, if `details.httpStatus` is absent, sent no complete response. */
export class BankFailure extends Error {
	override readonly name = 'BankFailure';
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.message);
		this.details = details;
	}
}

type OtherDetails = Pick<FailureDetails, 'kind'> &
	Partial<Omit<FailureDetails, 'operation' | 'effect' | 'outcome' | 'what' | 'message' | 'verifyWith'>>;

export function createFailure(
	{ id, action, effect, verifyWith }: Operation,
	outcome: Outcome,
	what: string,
	{ words, next = [], retryable = false, ...details }: OtherDetails,
): BankFailure {
	return new BankFailure(
		omitUndefined({
			...details,
			next,
			retryable,
			operation: id,
			effect,
			outcome,
			what,
			message: `${action}: ${what}`,
			words: words === '' ? undefined : words,
			verifyWith: outcome === 'unknown' ? verifyWith : undefined,
		}),
	);
}

/** The list moved each time that it was read, so rows may be missing. */
export const createListChangedError = (operation: Operation, reads: number, next: NextStep): BankFailure =>
	createFailure(operation, 'nothingChanged', `the list changed each of the ${reads} times that it was read`, {
		kind: 'noAnswer',
		code: 'LIST_CHANGED',
		next: [next],
		retryable: true,
	});

export function isBankFailure(error: unknown): error is BankFailure {
	return error instanceof BankFailure;
}

/** The error for a response with an error status, or with a body that reports an error. */
export function createRejectedError(operation: Operation, response: HttpResponse, body: unknown): BankFailure {
	const { status, headers, redactSecrets } = response;
	const dialect = operation.dialect ?? rest;
	const read = dialect.read(body);
	const { code: given, text } = read;
	const isPending = operation.details?.responses?.notReadyStatuses?.includes(status) === true;
	const authenticatedBy = response.authenticatedBy ?? operation.auth;
	const explained = isPending ? pending : adaptToAuth(explainError(dialect, status, read), authenticatedBy);
	const { what, next } = operation.pathFields === undefined ? explained : adaptToPath(explained);
	const code = given === undefined ? undefined : excerpt(given, 80, redactSecrets);
	const outcome = outcomeOf(operation, status, read, body ?? response.text);
	// A listed code is more specific than the status.
	const isListed = given !== undefined && dialect.listed.some((error) => error.code === given);
	const steps = [...(isPending ? [] : stepsBefore(operation, status, isListed, usesToken(authenticatedBy))), ...next];
	return createFailure(operation, outcome, `${what} (${status}${code === undefined ? '' : ` ${code}`})`, {
		kind: 'refused',
		httpStatus: status,
		code,
		words: excerpt(redirectIn(response) ?? text ?? response.text, 300, redactSecrets),
		next: safeSteps(outcome, steps),
		retryable: operation.effect === 'read' && ((!isListed && isTemporaryStatus(status)) || steps.some(repeatsRequest)),
		retryAfter: retryAfterIn(headers),
		requestId: requestIdOf(headers, redactSecrets),
		scope: steps.includes('addScope') ? operation.scope : undefined,
		// Some services answer 403 or 409 if their operations are called in the wrong order.
		callOrder: !isPending && (status === 403 || status === 409) ? operation.callOrder : undefined,
	});
}

const pending: Explanation = {
	what: 'the result is not ready yet, according to the service details',
	next: ['tryLater'],
};

/** What an error means: what its service lists for the code, or else for the status. If it lists neither, what the status usually means. */
export function explainError({ listed, find }: Dialect, status: number, body: ErrorBody): Explanation {
	const { code } = body;
	return (
		find?.(body) ??
		listed.find((error) => error.code !== undefined && error.code === code) ??
		listed.find((error) => error.code === undefined && error.status === status) ??
		explainStatus(status)
	);
}

/**
 * The error for a success status whose body means a rejection according to the service details. The outcome of a
 * payment stays unknown, because the service details were written by a user.
 */
export function createDeniedError(operation: Operation, response: HttpResponse, body: unknown): BankFailure {
	const { details } = createRejectedError(operation, response, body);
	const isMoney = operation.effect === 'money';
	const what = `the bank rejected it (${response.status}, according to the service details)`;
	return createFailure(operation, isMoney ? 'unknown' : 'rejected', what, {
		...details,
		next: isMoney ? [] : ['correctRequest'],
		retryable: false,
	});
}

/** Derives from status and body whether the request was carried out. */
function outcomeOf(
	{ effect, dialect = rest, tokenExpiredStatus }: Operation,
	status: number,
	{ code }: ErrorBody,
	body: unknown,
): Outcome {
	if (effect === 'read') return 'nothingChanged';
	// A success status gets here only if the body reports an error. Only a code of its service says that nothing was done.
	if (status < 300) {
		const listed = dialect.listed.find((error) => error.code === code && code !== undefined);
		const isSaid = listed !== undefined && dialect.rejectsWithSuccessStatus === true;
		return effect !== 'money' && (isSaid || (listed?.status ?? 500) < 500) ? 'rejected' : 'unknown';
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
	400, 401, 402, 403, 404, 405, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 426, 428, 429, 431, 451,
]);

/** Statuses that may be sent although the request was processed: response not acceptable, timeout, or conflict. */
const ambiguousStatuses: ReadonlySet<number> = new Set([406, 408, 409]);

/** A server may use these to reject a payment that it already has. */
const ambiguousPaymentStatuses: ReadonlySet<number> = new Set([406, 408, 409, 412, 418, 422, 423, 424, 425, 499]);

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
	return Object.entries(body ?? {}).some(
		([key, value]) =>
			(transactionFields.test(key) && hasContent(value)) || duplicateWords.test(key) || mayBeDuplicate(value),
	);
}

const usesToken = (authenticatedBy: AuthenticatedBy | Auth): boolean =>
	authenticatedBy !== 'gateway' && authenticatedBy !== 'mutualTls';

/** Replaces advice about tokens or consent that does not fit how the request was authenticated. */
function adaptToAuth({ what, next }: Explanation, authenticatedBy: AuthenticatedBy | Auth): Explanation {
	const hasToken = usesToken(authenticatedBy);
	const isOfToken = next.includes('renewAccess') || next.includes('addScope');
	const steps = next
		.filter((step) => step !== 'consentAgain' || (hasToken && authenticatedBy !== 'clientCredentials'))
		.filter((step) => step !== 'useMutualTls' || authenticatedBy !== 'mutualTls')
		.map((step) => stepsInstead[`${authenticatedBy} ${step}`] ?? step);
	return { what: isOfToken && !hasToken ? 'the bank did not accept the credential' : what, next: steps };
}

/** The bank uses the code of an unknown endpoint for a deleted limit or webhook too. */
const adaptToPath = ({ what, next }: Explanation): Explanation =>
	next.includes('checkService')
		? { what: `the identifier may be wrong or no longer exist, or ${what}`, next }
		: { what, next };

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
	'clientCredentials checkOwner': 'checkClient',
	'authorizationCode renewAccess': 'connectAgain',
	'hostToHost consentAgain': 'beginAnew',
	'hostToHost renewAccess': 'beginAnew',
};

/** The target of a redirect, which shows what is wrong with the URL. */
function redirectIn({ status, headers }: HttpResponse): string | undefined {
	const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
	return typeof location === 'string' && location !== '' ? `go to ${location}` : undefined;
}

/** With a listed code, the request has reached the right address. */
function stepsBefore(operation: Operation, status: number, isListed: boolean, hasToken: boolean): NextStep[] {
	const isExpired = status === 401 || status === operation.tokenExpiredStatus;
	return [
		...(hasToken && isExpired && operation.effect === 'money' ? (['useNewToken'] as const) : []),
		...((status === 404 || status === 405) && !isListed && !hasAddress(operation)
			? (['checkMethodAndPath'] as const)
			: []),
	];
}

/** The error for a success status with an unreadable body: truncated, HTML, or not JSON. */
export function createUnreadableError(operation: Operation, response: HttpResponse, why: string): BankFailure {
	const what = `the bank responded with ${response.status}, but the response cannot be read (${why})`;
	return createUnusableError(operation, response, what, 'unreadable_response');
}

/** The error for a response that does not tell whether a request with an effect was carried out. */
export function createUnusableError(
	operation: Operation,
	response: HttpResponse,
	what: string,
	code: string,
): BankFailure {
	const outcome = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
	return createFailure(operation, outcome, what, {
		kind: 'unreadable',
		httpStatus: response.status,
		code,
		// The text may contain a new token.
		words: operation.returnsSecrets === true ? '' : excerpt(response.text, 120, response.redactSecrets),
		next: safeSteps(outcome, ['checkProxy']),
		retryable: operation.effect === 'read',
		requestId: requestIdOf(response.headers, response.redactSecrets),
	});
}

/** Ways in which the response to an accepted package can fail to confirm a payment. */
const shortfalls = {
	missing: 'does not name this payment',
	noPackage: 'gives no package ID',
	noTransaction: 'gives this payment no transaction ID',
	otherAmount: 'names another amount for this payment',
	otherPhone: 'names another phone for this payment',
	otherBank: 'names another recipient bank for this payment',
	otherSender: 'names another account or partner',
	sameTransaction: 'gives this payment and another one the same transaction ID',
	otherStatus: 'has a field for this payment whose value does not clearly mean accepted',
	notAsked: 'names a payment that was not in the package, or names a payment twice',
} as const;

export type Shortfall = keyof typeof shortfalls;

/** The error for an accepted request of which a part is not confirmed, so its outcome is unknown. */
export function createUnconfirmedError(
	operation: Operation,
	name: string,
	shortfall: Shortfall = 'missing',
): BankFailure {
	const what = `the bank accepted the package, but its response ${shortfalls[shortfall]}`;
	return createFailure(operation, 'unknown', what, { kind: 'unconfirmed', code: 'unconfirmed', names: [name] });
}

/**
 * Converts the failure of a read that an operation needs first into a failure of the operation, which was not sent.
 * @param advice how to avoid the read
 */
export function createPrerequisiteReadError(
	operation: Operation,
	{ details }: BankFailure,
	advice: NextStep,
): BankFailure {
	return createFailure(operation, 'notSent', details.what, { ...details, next: [...details.next, advice] });
}
