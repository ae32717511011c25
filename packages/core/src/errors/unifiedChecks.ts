import { isRecord } from '../json.ts';
import { type Dialect, type ErrorBody, firstText, type ServiceError } from './dialect.ts';

/** The HTTP errors of the unified checks service (7.3). Most differ only in their text, which contains the code. */
const listed: readonly ServiceError[] = [
	{ status: 400, what: 'the bank refused the request as invalid', next: ['correctNamedField'] },
	{
		status: 401,
		what: 'the application is not registered for mutual TLS, or the client certificate is not accepted',
		next: ['useMutualTls', 'checkRegisteredClient'],
	},
	{ status: 422, what: 'the bank found the request invalid', next: ['correctNamedField'] },
	{ status: 500, what: 'the bank reported an internal technical error', next: ['tryLater', 'reportRequest'] },
	{
		status: 500,
		code: 'WSTechnicalException',
		what: 'internal technical error of the checks service',
		next: ['tryLater', 'reportTrace'],
	},
	{
		status: 500,
		code: 'URL Open error',
		what: 'the unified service behind the gateway is unreachable',
		next: ['tryLater', 'reportOutage'],
	},
];

const textsOf = (body: unknown, keys: readonly string[]): string | undefined =>
	keys.flatMap((key) => firstText(body, [key]) ?? []).join(': ') || undefined;

/** `{httpCode, httpMessage, moreInformation}`, or `{Error: {ErrorCode, ErrorString, ErrorTrace}}`. */
function read(body: unknown): ErrorBody {
	const inner = isRecord(body) && isRecord(body.Error) ? body.Error : undefined;
	if (inner === undefined) return { text: textsOf(body, ['httpMessage', 'moreInformation']) };
	return {
		code: firstText(inner, ['ErrorString', 'ErrorCode']),
		text: textsOf(inner, ['ErrorString', 'ErrorCode', 'ErrorTrace']) ?? '',
	};
}

export const unifiedChecks: Dialect = {
	spec: '7.3',
	listed,
	read,
	find: ({ text = '' }) => listed.find(({ code }) => code !== undefined && text.includes(code)),
};
