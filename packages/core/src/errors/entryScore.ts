import { type Dialect, readCommon, type ServiceError } from './dialect.ts';

/** The entry score service (7.4). Where a code appears in the response, and with which status, is not described. */
const listed: readonly ServiceError[] = [
	{
		code: '#1000',
		what: "the tax number is valid, but the tax authority's database has no such company",
		next: ['checkTaxNumber'],
	},
	{ code: '#1001', what: 'the request carried no JSON body', next: ['sendJson'] },
	{ code: '#1002', what: 'the request body is not a valid JSON object', next: ['sendJsonObject'] },
	{ code: '#2001', what: "the data could not be obtained from the tax authority's data provider", next: ['tryLater'] },
	{ code: '#2002', what: 'scoring did not succeed', next: ['tryAgain', 'askSupport'] },
];

/** The first code at any depth, as a value, as a key, or at the beginning of a text. */
function codeIn(value: unknown): string | undefined {
	if (typeof value === 'string') return /^#\d{4}(?!\w)/.exec(value.slice(0, 20).trim())?.[0];
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [key, inner] of Object.entries(value)) {
		const found = codeIn(key) ?? codeIn(inner);
		if (found !== undefined) return found;
	}
	return undefined;
}

export const entryScore: Dialect = {
	spec: '7.4',
	listed,
	read(body) {
		const { code = '', text } = readCommon(body);
		// Fields for codes may omit the `#`.
		const own = codeIn(body) ?? listed.find((error) => error.code === `#${code}`)?.code ?? code;
		return { code: own || undefined, text: text ?? (typeof body === 'string' ? body : undefined) };
	},
	isRejection: (body) => codeIn(body) !== undefined,
};
