import { isRecord, jsonOrText } from '../json.ts';
import { textOrNumber } from '../text.ts';
import { type Dialect, errorBody, type ErrorBody, firstText, type ServiceError } from './dialect.ts';
import { explainStatus } from './rest.ts';

/**
 * The courier service (7.2): errors other than 500 come with HTTP 200 or 400 and `errorInfo: {errorCode, errorString}`.
 * The description lists the codes for the order that the bank sends to the partner; the bank's own answers may use them too.
 */
const listed: readonly ServiceError[] = [
	{
		code: '003',
		what: 'authorization error',
		next: ['checkClient'],
	},
	{
		code: '004',
		what: 'the identifier is not given',
		next: ['giveIdentifier'],
	},
	{ code: '007', what: 'the input array is empty', next: ['giveElement'] },
	{ code: '008', what: 'data error: a field is missing or empty', next: ['fillNamedField'] },
	{
		code: '009',
		what: 'a request with this identifier already exists for this partner',
		next: ['readInstead'],
	},
	{ code: '011', what: 'the address could not be geocoded', next: ['correctPostalAddress'] },
];

/** Codes have been seen as numbers, which lose their zeros. */
const inFull = (code: string | undefined): string | undefined =>
	code !== undefined && /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code;

const isListed = (code: string | undefined): boolean => listed.some((error) => error.code === code);

/** Code and words of an `errorInfo`. */
function infoOf(value: Record<string, unknown>): ErrorBody {
	const field = (wanted: string) => {
		const key = Object.keys(value).find((name) => name.replace(/[-_ ]/g, '').toLowerCase() === wanted);
		return key === undefined ? undefined : firstText(value, [key]);
	};
	return errorBody(inFull(field('errorcode')), field('errorstring'));
}

/** The same in other words, as far as the code is a listed one: an order may well have a `code` of its own. */
function listedIn(value: unknown): ErrorBody {
	const code = inFull(isRecord(value) ? firstText(value, ['code']) : textOrNumber(value));
	return isListed(code) ? errorBody(code, firstText(value, ['message', 'text', 'description'])) : {};
}

/** A success may carry an empty `errorInfo`, or one whose code is only zeros. */
const isRefusal = ({ code, text }: ErrorBody): boolean => (code === undefined ? text !== undefined : /[^0]/.test(code));

/** The first that refuses: in an envelope, in a list, as text, or without `errorInfo` around it as well. */
function refusalIn(body: unknown, isError = false): ErrorBody {
	const inText = typeof body === 'string' ? refusalInText(body) : {};
	if (isRefusal(inText)) return inText;
	const own = isRecord(body) ? infoOf(body) : {};
	if (isRefusal(own)) return own;
	const named = isError ? listedIn(body) : {};
	if (isRefusal(named) || typeof body !== 'object' || body === null) return named;
	return (
		Object.entries(body)
			.map(([key, inner]) => refusalIn(inner, isError || /^(?:error|fault|exception)/i.test(key)))
			.find(isRefusal) ?? {}
	);
}

function refusalInText(text: string): ErrorBody {
	const inside = jsonOrText(text);
	if (typeof inside === 'object') return refusalIn(inside);
	const [, errorCode] = /\berror[-_ ]?code\W{1,3}(\w+)/i.exec(text) ?? [];
	const [, errorString = text] = /\berror[-_ ]?string\W{1,3}(.+)/i.exec(text) ?? [];
	return errorCode === undefined ? {} : infoOf({ errorCode, errorString });
}

export const courier: Dialect = {
	spec: '7.2',
	listed,
	read: (body) => refusalIn(body),
	explain: ({ status, code }) =>
		listed.find((error) => error.code === code) ??
		(code === undefined || status >= 500
			? explainStatus(status)
			: {
					what: 'the bank refused the request',
					next: ['correctRequest'],
				}),
	refusesInSuccess: true,
	refuses: (body) => isRefusal(refusalIn(body)),
};
