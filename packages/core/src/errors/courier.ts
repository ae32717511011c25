import { type Dialect, readCommon, type ServiceError } from './dialect.ts';

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
	code !== undefined && /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : code;

export const courier: Dialect = {
	spec: '7.2',
	listed,
	read(body) {
		const { code, text } = readCommon(body);
		return { code: padCode(code), text };
	},
	rejectsWithSuccessStatus: true,
};
