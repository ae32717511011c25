import { isRecord } from '../json.ts';
import { type Dialect, errorBody, firstText, type ServiceError } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** The HTTP errors of the unified checks service (7.3). Most differ only in their text. */
const badRequest: ServiceError = {
	status: 400,
	what: 'the bank refused the request as invalid',
	next: ['correctNamedField'],
};
const notRegistered: ServiceError = {
	status: 401,
	what: 'the application is not registered for mutual TLS, or the client certificate is not accepted',
	next: ['useMutualTls', 'checkRegisteredClient'],
};
const validation: ServiceError = {
	status: 422,
	code: 'Validate REST',
	what: 'the bank found the request invalid',
	next: ['correctNamedField'],
};
const technical: ServiceError = {
	status: 500,
	code: 'WSTechnicalException',
	what: 'internal technical error of the checks service',
	next: ['tryLater', 'reportTrace'],
};
const internal: ServiceError = {
	status: 500,
	what: 'the bank reported an internal technical error',
	next: ['tryLater', 'reportRequest'],
};
const unreachable: ServiceError = {
	status: 500,
	code: 'URL Open error',
	what: 'the unified service behind the gateway is unreachable',
	next: ['tryLater', 'reportOutage'],
};

const listed = [badRequest, notRegistered, validation, technical, internal, unreachable];

/** `{httpCode, httpMessage, moreInformation}`, or `{Error: {ErrorCode, ErrorString, ErrorTrace}}`. */
function read(body: unknown) {
	const inner = isRecord(body) && isRecord(body.Error) ? body.Error : undefined;
	if (inner !== undefined) {
		const words = ['ErrorString', 'ErrorCode', 'ErrorTrace']
			.map((key) => firstText(inner, [key]))
			.filter((text) => text !== undefined);
		return errorBody(firstText(inner, ['ErrorString', 'ErrorCode']), words.join(': '));
	}
	const words = ['httpMessage', 'moreInformation']
		.map((key) => firstText(body, [key]))
		.filter((text) => text !== undefined);
	return errorBody(undefined, words.length === 0 ? undefined : words.join(': '));
}

export const unifiedChecks: Dialect = {
	spec: '7.3',
	listed,
	read,
	isRejection: (body) => isRecord(body) && (isRecord(body.Error) || Number(body.httpCode) >= 400),
	explain({ status, code, text = '' }) {
		if (code === technical.code) return technical;
		if (text.includes('URL Open error')) return unreachable;
		return (
			[badRequest, notRegistered, validation, internal].find((error) => error.status === status) ??
			explainStatus(status)
		);
	},
};
