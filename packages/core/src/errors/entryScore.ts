import { isRecord } from '../json.ts';
import { textOrNumber } from '../text.ts';
import { commonText, type Dialect, type ServiceError } from './dialect.ts';

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

/** The first code at any depth: at the start of a text, or anywhere in it if listed. */
function codeIn(value: unknown): string | undefined {
	if (typeof value === 'string') {
		const codes = [...value.matchAll(/(?<![\w&#])#\d{4}\b/g)].map(([code]) => code);
		return codes.find((code) => value.trimStart().startsWith(code) || listed.some((error) => error.code === code));
	}
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [key, inner] of Object.entries(value)) {
		const found = bareCode(key, inner) ?? codeIn(key) ?? codeIn(inner);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Fields for codes may omit the `#`. Those of something else, such as `postalCode`, are data. */
function bareCode(key: string, value: unknown): string | undefined {
	const code = `#${textOrNumber(value)}`;
	return /^(?:err(?:or)?|message|msg|reason|result|ret(?:urn)?|status)?_?code$/i.test(key)
		? listed.find((error) => error.code === code)?.code
		: undefined;
}

/** The first text at any depth. */
function textIn(body: unknown): string | undefined {
	if (!isRecord(body)) return typeof body === 'string' ? body : undefined;
	const inner = () => Object.values(body).filter(isRecord).map(textIn);
	return commonText(body) ?? inner().find((text) => text !== undefined);
}

export const entryScore: Dialect = {
	spec: '7.4',
	listed,
	read: (body) => ({ code: codeIn(body), text: textIn(body) }),
	isRejection: (body) => codeIn(body) !== undefined,
};
