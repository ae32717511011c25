import { type Dialect, errorBody, firstText, isRecord, type ServiceError } from './dialect.ts';
import { explainStatus } from './rest.ts';

/** The HTTP errors of the unified checks service (7.3). Most are told apart by their text alone. */
const badRequest: ServiceError = {
	status: 400,
	what: 'the bank refused the request as invalid',
	next: 'Correct the field that the bank names and run again.',
};
const notRegistered: ServiceError = {
	status: 401,
	what: 'the application is not registered for mutual TLS, or the client certificate is not accepted',
	next: 'Choose a credential of the type Bank Mutual TLS API, if this is another one. Then check its gateway client ID (x-gw-client-id), and that the client certificate is the one that the bank registered for it.',
};
const validation: ServiceError = {
	status: 422,
	code: 'Validate REST',
	what: 'the bank found the request invalid',
	next: 'Correct the field that the bank names and run again.',
};
const technical: ServiceError = {
	status: 500,
	code: 'WSTechnicalException',
	what: 'internal technical error of the checks service',
	next: 'Try again later; if it repeats, give the bank the error trace.',
};
const internal: ServiceError = {
	status: 500,
	what: 'the bank reported an internal technical error',
	next: 'Try again later; if it repeats, give the bank the request ID.',
};
const unreachable: ServiceError = {
	status: 500,
	code: 'URL Open error',
	what: 'the unified service behind the gateway is unreachable',
	next: 'Try again later; if it lasts, tell the bank that its checks service is unreachable.',
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
	refuses: (body) => isRecord(body) && (isRecord(body.Error) || Number(body.httpCode) >= 400),
	explain({ status, code, text = '' }) {
		if (code === technical.code) return technical;
		if (text.includes('URL Open error')) return unreachable;
		return (
			[badRequest, notRegistered, validation, internal].find((error) => error.status === status) ??
			explainStatus(status)
		);
	},
};
