import { textOf } from '../text.ts';
import { isRecord } from '../json.ts';
import type { Dialect, ErrorBody, Explanation } from './dialect.ts';

/**
 * The error format of P1 to P11: `{error, error_description}` (2.9), with the codes of 7.1. Codes can change between
 * releases (7.1, 9.5), so unlisted ones are explained by their status.
 */

export interface ListedError {
	status: number;
	code: RestCode;
}

const codes = {
	invalid_request: { status: 400, what: 'the bank refused the request as invalid', next: ['correctNamedField'] },
	invalid_token: {
		status: 401,
		what: 'the bank did not accept the access token (expired, revoked or malformed)',
		next: ['renewAccess'],
	},
	insufficient_scope: {
		status: 403,
		what: "the token's scope does not cover this operation",
		// P6: "request a new authorization code with all available scopes and the parameter prompt=consent"
		next: ['addScope', 'consentAgain'],
	},
	access_denied: { status: 403, what: 'access to the account is prohibited', next: ['checkOwner'] },
	insufficient_privileges: {
		status: 403,
		what: 'the partner URL in callbackUri is not accessible, or webhook settings are switched off',
		next: ['checkCallback'],
	},
	unknown_route: { status: 404, what: 'the endpoint was not found or is not active', next: ['checkService'] },
	unknown_endpoint: { status: 404, what: 'the endpoint was not found or is not active', next: ['checkService'] },
	internal_error: { status: 500, what: 'the bank reported an internal error', next: ['tryLater', 'reportRequest'] },
} as const satisfies Record<string, Explanation & { status: number }>;
export type RestCode = keyof typeof codes;

const byStatus: Record<number, Explanation> = {
	400: codes.invalid_request,
	401: codes.invalid_token,
	403: { what: 'the bank refused access', next: ['checkScopeAndOwner'] },
	404: codes.unknown_route,
	408: { what: 'the bank timed out waiting for the request', next: ['tryLater'] },
	409: { what: 'the request conflicts with the present state at the bank', next: ['readState'] },
	429: { what: 'the bank is receiving too many requests', next: ['slowDown'] },
	500: codes.internal_error,
	502: { what: "the bank's gateway got no usable response", next: ['tryLater'] },
	503: { what: 'the bank is temporarily unavailable', next: ['tryLater'] },
	504: { what: "the bank's gateway timed out", next: ['tryLater'] },
};

/** The errors common to P1-P11, plus those listed for the operation. */
export function restErrors(...others: RestCode[]): ListedError[] {
	const common: RestCode[] = ['invalid_request', 'invalid_token', 'insufficient_scope'];
	return [...common, ...others, 'internal_error' as const].map((code) => ({ status: codes[code].status, code }));
}

export function explainStatus(status: number): Explanation {
	const known = byStatus[status];
	if (known) return known;
	if (status >= 300 && status < 400) {
		return {
			what: 'the bank responded with a redirect, which is not followed because it would send the token elsewhere',
			next: ['checkBaseUrl'],
		};
	}
	if (status >= 500) return { what: 'the bank could not process the request', next: ['tryLater', 'reportRequest'] };
	// With a success status, the body reports an error.
	if (status < 300) return { what: 'the response contains an error', next: ['correctRequest'] };
	return { what: 'the bank refused the request', next: ['correctRequest'] };
}

/** Reads `{error, error_description}`; the P3 sample spells the second key `error_descriptions`. */
function read(body: unknown): ErrorBody {
	if (!isRecord(body)) return {};
	const { error, error_description: text, error_descriptions: texts } = body;
	const words = textOf(text ?? (Array.isArray(texts) ? texts.join('; ') : texts));
	return { code: textOf(error) || undefined, text: words || undefined };
}

export const rest: Dialect = {
	spec: '7.1',
	listed: Object.entries(codes).map(([code, { status, what, next }]) => ({ status, code, what, next })),
	read,
};
