import type { Auth } from '../operation.ts';
import { excerpt, type Redact } from './redact.ts';

/** The kind of token, or a method without a token. */
export type AuthenticatedBy = Exclude<Auth, 'notShown'> | 'hostToHost';

/** A response that is not text, such as a print form. */
export interface ResponseFile {
	data: Uint8Array;
	mimeType: string;
	fileName?: string;
}

export interface HttpResponse {
	status: number;
	/** How this request was authenticated. Absent if that is known only for the operation. */
	authenticatedBy?: AuthenticatedBy;
	headers: Record<string, unknown>;
	/** The body as text; empty if the response is a file. */
	text: string;
	file?: ResponseFile;
	redactSecrets?: Redact;
}

/** Seen in practice; the API description names no header. */
const traceHeaders = ['x-traceid', 'x-trace-id', 'x-request-id', 'x-correlation-id', 'traceparent'];

/**
 * The value of a header; names match in any case (RFC 9110, 5.1).
 * @param name in lower case
 */
export function headerOf(headers: Record<string, unknown>, name: string): unknown {
	return Object.entries(headers).find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** `Retry-After` in seconds from now; it may also be an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterIn(headers: Record<string, unknown>): number | undefined {
	const value = headerOf(headers, 'retry-after');
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = value === '' ? NaN : Number(value);
	if (Number.isFinite(seconds)) return Math.max(0, seconds);
	const date = Date.parse(String(value));
	return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

export function requestIdOf(headers: Record<string, unknown>, redactSecrets?: Redact): string | undefined {
	for (const wanted of traceHeaders) {
		const value = headerOf(headers, wanted);
		if (typeof value === 'string' && value !== '') return excerpt(value, 100, redactSecrets);
	}
	return undefined;
}
