import { isRecord } from '../json.ts';
import { type Dialect, errorBody, firstText, type ServiceError } from './dialect.ts';
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

function infoOf(body: unknown): Record<string, unknown> | undefined {
	return isRecord(body) && isRecord(body.errorInfo) ? body.errorInfo : undefined;
}

/** Codes have been seen as numbers, which lose their zeros. */
function codeIn(body: unknown): string | undefined {
	const code = firstText(infoOf(body), ['errorCode']);
	return code !== undefined && /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code;
}

export const courier: Dialect = {
	spec: '7.2',
	listed,
	read: (body) => errorBody(codeIn(body), firstText(infoOf(body), ['errorString'])),
	explain: ({ status, code }) =>
		listed.find((error) => error.code === code) ??
		(code === undefined
			? explainStatus(status)
			: {
					what: 'the bank refused the request',
					next: ['correctRequest'],
				}),
	refusesInSuccess: true,
	// A success may carry an empty `errorInfo`, or one whose code is only zeros.
	refuses: (body) =>
		/[^0]/.test(codeIn(body) ?? '') ||
		(codeIn(body) === undefined && firstText(infoOf(body), ['errorString']) !== undefined),
};
