import { isRecord, jsonOrText } from '../json.ts';
import { textOrNumber } from '../text.ts';
import { commonText, type Dialect, type ErrorBody, firstText, type ServiceError } from './dialect.ts';

/**
 * The courier service (7.2): errors other than 500 have HTTP status 200 or 400 and `errorInfo: {errorCode,
 * errorString}`. The description lists these codes for orders that the bank sends to the partner; the bank's own
 * responses may use them too.
 */
const listed: readonly ServiceError[] = [
	{ code: '003', what: 'the bank reports an authorization error', next: ['checkClient'] },
	{ code: '004', what: 'the identifier is not given', next: ['giveIdentifier'] },
	{ code: '007', what: 'the input array is empty', next: ['giveElement'] },
	{ code: '008', what: 'data error: a field is missing or empty', next: ['fillNamedField'] },
	{ code: '009', what: 'a request with this identifier already exists for this partner', next: ['readInstead'] },
	{ code: '011', what: 'the address could not be geocoded', next: ['correctPostalAddress'] },
];

/** Codes sometimes arrive as numbers, without leading zeros. */
const padCode = (code: string | undefined): string | undefined =>
	code !== undefined && /^\d+$/.test(code) ? code.padStart(3, '0') : code;

/** Reads code and text of `errorInfo`. */
function infoOf(value: Record<string, unknown>): ErrorBody {
	const field = (wanted: string) => {
		const keys = Object.keys(value).filter((name) => name.replace(/[-_ ]/g, '').toLowerCase() === wanted);
		return firstText(value, keys);
	};
	return { code: padCode(field('errorcode')), text: field('errorstring') };
}

/** Reads other error formats, but only with a listed code, because an order may have a field named `code`. */
function listedIn(value: unknown): ErrorBody {
	const code = padCode(isRecord(value) ? firstText(value, ['code']) : textOrNumber(value));
	return listed.some((error) => error.code === code) ? { code, text: commonText(value) } : {};
}

/** A successful response may contain an empty `errorInfo`, or a code of zeros. */
const isRejection = ({ code, text }: ErrorBody): boolean =>
	code === undefined ? text !== undefined : /[^0]/.test(code);

/** The first rejection found at any depth, in lists, in text, or without `errorInfo`. */
function findRejection(body: unknown, isError = false): ErrorBody {
	const inText = typeof body === 'string' ? findRejectionInText(body) : {};
	if (isRejection(inText)) return inText;
	const own = isRecord(body) ? infoOf(body) : {};
	if (isRejection(own)) return own;
	const named = isError ? listedIn(body) : {};
	if (isRejection(named) || typeof body !== 'object' || body === null) return named;
	return (
		Object.entries(body)
			.map(([key, inner]) => findRejection(inner, isError || /^(?:error|fault|exception)/i.test(key)))
			.find(isRejection) ?? {}
	);
}

function findRejectionInText(text: string): ErrorBody {
	const inside = jsonOrText(text);
	if (typeof inside === 'object') return findRejection(inside);
	const [, errorCode] = /\berror[-_ ]?code\W{1,3}(\w+)/i.exec(text) ?? [];
	const [, errorString = text] = /\berror[-_ ]?string\W{1,3}(.+)/i.exec(text) ?? [];
	return errorCode === undefined ? {} : infoOf({ errorCode, errorString });
}

export const courier: Dialect = {
	spec: '7.2',
	listed,
	read: (body) => findRejection(body),
	rejectsWithSuccessStatus: true,
	isRejection: (body) => isRejection(findRejection(body)),
};
