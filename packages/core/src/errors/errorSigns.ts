import { hasContent, isRecord } from '../json.ts';

/**
 * Errors in responses with a success status. Their shape is not described, except for those of part 7. So a response
 * counts as an error only if a field has one of the names below and its value is not a good value: docs/errors.md lists
 * both. Texts are not searched for words.
 */

/**
 * How a field reports an error. `code`: its value is not a good value. `error`: its value is neither a good value nor
 * "no error". `flag`: its value is false. `state`: its value is a listed state.
 */
type Kind = 'code' | 'error' | 'flag' | 'state' | 'message';

const resultOrStatus =
	/^(?:order|payment|transaction|debit|operation|(?:pay)?package|processing)?(?:status|state|result|outcome)$/;

const kinds: readonly (readonly [Kind, RegExp])[] = [
	['code', /^(?:err(?:or)?|fault|result|ret(?:urn)?|resp(?:onse)?|status|http|httpstatus)code$|^(?:httpstatus|errno)$/],
	['error', /^(?:error|fault|exception|failure)/],
	['flag', /^(?:is)?(?:success(?:ful)?|succeeded|ok)$/],
	['state', resultOrStatus],
];

/** Kinds of fields that also count in the response to a payment. */
const kindsOfPayments: readonly (readonly [Kind, RegExp])[] = [
	...kinds,
	[
		'code',
		/^(?:reason)?code$|^(?:status|state|result|outcome)code$|^(?:payment|package|paypackage|transaction|operation)(?:status|result)?code$/,
	],
	['error', /^(?:is|was)?(?:abort|block|cancel|declin|den(?:ied|ial)|fail|refus|reject|revers)/],
	[
		'flag',
		/^(?:is|was)?(?:accepted|approved|authorized|completed?|confirmed|credited|done|executed|paid|posted|processed|sent|valid)$/,
	],
	[
		'message',
		/^(?:bank|payment|package|response|result|status|system)?(?:cause|description|explanation|message|msg|reason|text|warning)s?$/,
	],
];

/** Values that mean success, for codes, states and texts. */
const goodWords: ReadonlySet<string> = new Set(
	(
		'accepted complete completed created done executed finished no_error no_errors ok okay paid passed processed succeeded success ' +
		'successful successfully'
	).split(' '),
);

/** Values of an error field that mean "no error". */
const noErrorWords: ReadonlySet<string> = new Set(['-', 'false', 'n/a', 'no', 'none', 'null']);

const falseWords: ReadonlySet<string> = new Set(['0', 'false', 'n', 'no']);

/** The beginnings of states that mean an error. */
const badStates =
	'abort declin denied error exception fail fault forbidden invalid refus reject unauthori отказ отклон ошибк'.split(
		' ',
	);

/** Longest value that is compared with words; longer values are texts. */
const longestWord = 60;

/** A value in the form in which values are compared: "In Progress", "in_progress" and " IN-PROGRESS " are equal. */
export function wordOf(value: unknown): string {
	const text = typeof value === 'object' ? '' : String(value ?? '').trim();
	return text.length > longestWord
		? text.slice(0, longestWord + 1)
		: text.toLowerCase().replace(/(?<=\p{L})[\s_-]+(?=\p{L})/gu, '_');
}

const isGood = (word: string): boolean => /^(?:0+|2\d\d)$/.test(word) || goodWords.has(word);

const isNumber = (word: string): boolean => /^-?\d+$/.test(word);

const nameOf = (key: string): string => (key.length > longestWord ? '' : key.toLowerCase().replace(/[-_ ]/g, ''));

const kindOf = (key: string, table: typeof kinds): Kind | undefined =>
	table.find(([, names]) => names.test(nameOf(key)))?.[0];

/** The code of an object. If it is a good code, the texts next to it report no error. */
const codeIn = (value: Record<string, unknown>): unknown =>
	Object.entries(value).find(([key, field]) => /^(?:err(?:or)?)?code$/.test(nameOf(key)) && hasContent(field))?.[1];

interface Judging {
	/** Whether only good values count as success, as for payments. Otherwise, unknown states are data. */
	isPayment?: boolean;
	/** Whether a state such as `rejected` may be what was asked for. */
	hasStates?: boolean;
	/** Further good values, as `wordOf` returns them. */
	accepted?: ReadonlySet<string>;
}

function saysNo(kind: Kind, value: unknown, judging: Judging): boolean {
	if (!hasContent(value)) return false;
	if (isRecord(value) && kind === 'error' && codeIn(value) !== undefined) return saysNo('code', codeIn(value), judging);
	if (isRecord(value) && signIn(value, judging, false) !== undefined) return true;
	// A state that is an object holds data, such as `result: { rows }`.
	if (isRecord(value) && kind === 'state' && judging.isPayment !== true) return false;
	if (typeof value === 'object') return Object.values(value ?? {}).some((inner) => saysNo(kind, inner, judging));
	const word = wordOf(value);
	if (judging.accepted?.has(word) === true) return false;
	if (kind === 'flag') return falseWords.has(word);
	if (kind === 'state' && judging.isPayment !== true)
		return (
			badStates.some((bad) => word.startsWith(bad)) || (isNumber(word) && (Number(word) < 0 || Number(word) >= 400))
		);
	if (kind === 'state') return !goodWords.has(word) && word !== 'true';
	return !isGood(word) && !(kind !== 'message' && noErrorWords.has(word));
}

const textOfError = /^error(?:message|string|text|description|s?info)$/;

/**
 * The field of an object that reports an error; undefined if none does.
 * @param isWhole whether it is the whole response, so that a code and a text alone are those of the request
 */
function signIn(body: Record<string, unknown>, judging: Judging, isWhole: boolean): string | undefined {
	const { isPayment = false, hasStates = false } = judging;
	const code = codeIn(body);
	const isCodeGood = code !== undefined && !saysNo('code', code, judging);
	// The call succeeded, so a state describes something else.
	const isSuccess = isCodeGood || body.success === true;
	const bare = /^(?:code|message|text|description|details?|timestamp|path|error|status)$/;
	const isBare = isWhole && Object.keys(body).every((key) => bare.test(nameOf(key)));
	return Object.entries(body).find(([key, value]) => {
		const name = nameOf(key);
		const kind = kindOf(key, isPayment ? kindsOfPayments : kinds) ?? (isBare && name === 'code' ? 'code' : undefined);
		if (kind === undefined || (isCodeGood && textOfError.test(name) && !isRecord(value))) return false;
		if (isSuccess && kind === 'state' && !isPayment) return false;
		if (hasStates && (kind === 'state' || (kind === 'code' && !isNumber(wordOf(value)) && !name.startsWith('err'))))
			return false;
		return saysNo(kind, value, judging);
	})?.[0];
}

const envelope = /(?:result|response|data|body|payload|answer|envelope|return)$/;

interface Speaker {
	body: Record<string, unknown>;
	isWhole: boolean;
}

/** The objects of a response that speak for all of it: itself, and what commonly wraps a response. */
function* speakers(body: unknown, hasRows: boolean, isWhole = true): Generator<Speaker> {
	if (Array.isArray(body)) {
		if (hasRows) for (const row of body) yield* speakers(row, hasRows, isWhole);
		return;
	}
	if (!isRecord(body)) return;
	yield { body, isWhole };
	const inner = Object.values(body).filter((field) => typeof field === 'object' && hasContent(field));
	for (const [key, field] of Object.entries(body)) {
		const isEnvelope = envelope.test(nameOf(key));
		if (isEnvelope || (hasRows && inner.length === 1 && field === inner[0]))
			yield* speakers(field, hasRows, isWhole && isEnvelope);
	}
}

/**
 * The field of a response that reports an error although its status is a success; undefined if none does.
 * @param hasRows whether an error in an element of a list is one of the request
 */
export function errorSignIn(body: unknown, judging: Judging & { hasRows: boolean }): string | undefined {
	if (typeof body === 'string') return startsWithError(body) ? 'text' : undefined;
	// A list with one element may be a wrapper, but its state may be that of a row.
	const isList = Array.isArray(body) && body.length === 1 && !judging.hasRows;
	for (const one of speakers(isList ? body[0] : body, judging.hasRows)) {
		const hasOwnState = one.isWhole && !isList;
		const found = signIn(
			one.body,
			hasOwnState || judging.isPayment === true ? judging : { ...judging, hasStates: true },
			one.isWhole,
		);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Whether a text begins like an error: "Error: account is blocked", "Ended with WSTechnicalException". */
function startsWithError(body: string): boolean {
	const words = body
		.trimStart()
		.slice(0, 200)
		.toLowerCase()
		.split(/[^\p{L}\d]+/u)
		.filter(Boolean);
	const [first = '', second = ''] = words;
	return (
		(/errors?$|^faults?$|^errorcode$/.test(first) && !noErrorWords.has(second) && !isGood(second)) ||
		(first === 'access' && second === 'denied') ||
		words.some((word) => /^(?:forbidden|unauthori[sz]ed)$|exception$/.test(word))
	);
}

/**
 * In the response to a payment: the field of a row or package that does not clearly confirm it. Undefined if all fields do.
 * @param accepted further good values, as `wordOf` returns them
 * @param sent values of the request, which a text may repeat
 */
export function unconfirmedFieldIn(
	body: unknown,
	accepted: ReadonlySet<string> = new Set(),
	sent: ReadonlySet<unknown> = new Set(),
): string | undefined {
	if (Array.isArray(body))
		return body.map((one) => unconfirmedFieldIn(one, accepted, sent)).find((one) => one !== undefined);
	if (!isRecord(body)) return undefined;
	const isRepeated = (key: string, value: unknown) => kindOf(key, kindsOfPayments) === 'message' && sent.has(value);
	const own = Object.fromEntries(Object.entries(body).filter(([key, value]) => !isRepeated(key, value)));
	return signIn(own, { isPayment: true, accepted }, true) ?? unconfirmedFieldIn(Object.values(own), accepted, sent);
}

/** The reason why an undescribed response does not prove that money moved; undefined if it does. */
export function unprovenReason(text: string, value: unknown, accepted: ReadonlySet<string>): string | undefined {
	if (text.trim() === '' || (value !== undefined && !hasContent(value))) return 'it is empty';
	if (typeof value !== 'object') return 'it is neither a JSON object nor a list';
	const sign = errorSignIn(value, { hasRows: true, isPayment: true, accepted });
	return sign === undefined ? undefined : 'it contains an error';
}

/** The innermost object that reports an error. If none does, the outermost one, for example in a response with an error status. */
export function errorObjectIn(body: unknown): Record<string, unknown> | undefined {
	const all = [...speakers(body, true)].map((one) => ({ ...one, key: signIn(one.body, {}, one.isWhole) }));
	const found = all.find(({ key }) => key !== undefined) ?? all.find((one) => codeIn(one.body) !== undefined) ?? all[0];
	if (found?.key === undefined) return found?.body;
	return errorObjectIn(found.body[found.key]) ?? found.body;
}
