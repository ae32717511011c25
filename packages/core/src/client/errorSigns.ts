import { hasContent, isRecord } from '../json.ts';
import { textOrNumber } from '../text.ts';

/** Signs of an error in a response with a success status whose shape is not described. */

/** The reason why an undescribed response does not prove that money moved; undefined if it does. */
export function doubtful(text: string, value: unknown): string | undefined {
	if (text.trim() === '' || (value !== undefined && !hasContent(value))) return 'it is empty';
	if (typeof value !== 'object') return 'it is neither a JSON object nor a list';
	const inside = isRecord(value) ? envelopeContents(value) : [];
	const isDenied = [value, ...inside].flat().some((one) => isRecord(one) && reportsFailure(one));
	return isDenied || mentionsError(value) || [value, ...inside].some(holdsBareCode)
		? 'it contains an error'
		: undefined;
}

/** Whether the object's own fields (not nested ones) report, or may report, that no money moved. */
export function reportsFailure(body: Record<string, unknown>): boolean {
	return (
		Object.entries(body).some(
			(field) => isOfError(field, noError) || fieldReportsFailure(field) || isStateOfFailure(field),
		) || Number(body.httpCode) >= 400
	);
}

/** Deliberately broad: a false alarm only costs a manual check. */
const isStateOfFailure = ([key, field]: [string, unknown]): boolean =>
	/^(?:order|payment|transaction|debit|operation)?_?(?:status|state|result|outcome)$/i.test(key) &&
	/^(?:error|fail(?:ed|ure)|reject(?:ed|ion)|declined|denied|refused|cancell?ed|aborted)(?![a-z])/i.test(String(field));

/** Values of an error field that mean "no error". */
export const noError = /^(?:0+|false|ok|none)$/i;

const isOfError = ([key, field]: [string, unknown], none: RegExp): boolean =>
	/^(?:error|fault|exception)/i.test(key) && hasContent(field) && !none.test(String(field));

/** An error code, and its text, which may be that of a success. */
const errorCode = /^error_?code$/i;
const errorText = /^error_?(?:message|string|text|description)$/i;

/** An error text starts with such a word, or contains an error code or an exception name. */
const errorTexts = [
	/^\W*(?:\w*(?:error|exception|fault)s?\b(?!\W*(?:0+|no|none)\b)|access denied|forbidden|unauthori[sz]ed)/i,
	/error_?code\W{1,4}\w*[1-9]|\wException\b/i,
];

/**
 * @param none values that mean "no error"
 * @param hasInfo whether a successful response may contain `errorInfo`
 */
export function mentionsError(body: unknown, none = /^$/, hasInfo = false): boolean {
	if (Array.isArray(body)) return body.some((element) => mentionsError(element, none, hasInfo));
	if (typeof body === 'string') return errorTexts.some((pattern) => pattern.test(body));
	if (!isRecord(body)) return false;
	const hasNoError = Object.entries(body).some(
		([key, field]) => errorCode.test(key) && hasContent(field) && none.test(String(field)),
	);
	const says = (field: [string, unknown]) =>
		isOfError(field, none) &&
		!(hasInfo && /^error(?:info|code|string)$/i.test(field[0])) &&
		!(hasNoError && typeof field[1] === 'string' && errorText.test(field[0]));
	return (
		Number(body.httpCode) >= 400 ||
		Object.entries(body).some((field) => says(field) || fieldReportsFailure(field)) ||
		envelopeContents(body).some((inner) => mentionsError(inner, none, hasInfo))
	);
}

/** Fields that commonly wrap a response, or the only nested field. Errors elsewhere may be part of the data. */
function envelopeContents(body: Record<string, unknown>): unknown[] {
	const inner = Object.values(body).filter((field) => typeof field === 'object' && hasContent(field));
	return Object.entries(body).flatMap(([key, field]) =>
		envelope.test(key) || (inner.length === 1 && field === inner[0]) ? [field] : [],
	);
}

const envelope = /(?:result|response|data|body|payload|answer|envelope|return)$/i;

/** A field that clearly reports failure. Only unambiguous words count, because status values are bank-specific. */
function fieldReportsFailure([key, field]: [string, unknown]): boolean {
	if (/^(?:is_?)?(?:success(?:ful)?|ok)$/i.test(key)) return /^(?:false|no|0)$/i.test(String(field));
	return /^(?:status|result)$/i.test(key) && /^(?:error|fail(?:ed|ure)?)$/i.test(String(field));
}

/** A code with a message and nothing else, unless it is a success code. */
function isBareCode(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const code = textOrNumber(body.code);
	const bare = /^(?:code|message|text|description|details?|timestamp|path)$/i;
	const isAll = Object.keys(body).every((key) => bare.test(key));
	return isAll && code !== '' && !/^(?:0+|2\d\d|ok|success\w*|accepted|created|done)$/i.test(code);
}

/** Also finds it in envelopes that contain nothing else; next to other fields, a code may be part of the data. */
export function holdsBareCode(body: unknown): boolean {
	if (isBareCode(body)) return true;
	if (Array.isArray(body)) return body.some(holdsBareCode);
	if (!isRecord(body)) return false;
	const fields = Object.entries(body);
	return (
		fields.every(([, field]) => typeof field === 'object') &&
		fields.some(([key, field]) => envelope.test(key) && holdsBareCode(field))
	);
}
