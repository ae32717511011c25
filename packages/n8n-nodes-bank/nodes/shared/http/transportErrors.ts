import { type HttpResponse, connectionCode, isRecord, type TransportError } from '@bank/core';
import { isCredentialError } from '@bank/credentials';

import { parseResponse } from './parseResponse.ts';
import { AbortedExchange } from './deadline.ts';

/** Codes and texts of n8n's errors if it cannot get a token. Other errors may occur after the request was sent. */
const tokenRefused = ['EAUTH', 'ESTATUS'];
const tokenWords = /OAuth|access token|credential/i;

interface Thrown {
	message?: string;
	description?: string | null;
	code?: unknown;
	cause?: Thrown;
	response?: { status: number; headers: Record<string, unknown>; data: unknown };
	config?: { url?: string };
	isAxiosError?: boolean;
}

/**
 * Returns a 401 that n8n throws as a response, anything else as a transport error. Never returns the thrown error
 * itself: it holds the token.
 * @param read reads the body of a response, which may still be streaming
 */
export async function responseOrError(
	error: unknown,
	url: string,
	expired: readonly number[],
	read: (body: unknown) => Promise<Uint8Array>,
): Promise<HttpResponse | TransportError> {
	if (error instanceof AbortedExchange) return error.error;
	const thrown = error as Thrown;
	const cause = thrown.cause ?? thrown;
	if (isCredentialError(cause)) return tokenError(cause);
	const ours = cause.config?.url === undefined || cause.config.url === url;
	// With any other status the response was cut off.
	if (cause.response !== undefined && expired.includes(cause.response.status) && ours) {
		const { status, headers, data } = cause.response;
		// The status is enough, even if the body cannot be read.
		const bytes = await read(data).catch(() => new Uint8Array());
		return parseResponse(status, { ...headers }, bytes, false);
	}
	const code = typeof cause.code === 'string' ? cause.code : undefined;
	const words = messageOf(cause);
	const isTokenError =
		!ours ||
		tokenRefused.includes(code ?? '') ||
		(cause.isAxiosError !== true && code === undefined && tokenWords.test(words));
	if (isTokenError) return tokenError(cause);
	return { code: connectionCode(cause), message: words };
}

/** Converts an error before the request: of our credential classes, whose errors contain advice, or of n8n. */
export function tokenError(thrown: unknown): TransportError {
	if (isCredentialError(thrown)) return { code: 'TOKEN', message: thrown.message, isAdvised: true };
	// n8n's error contains the response if it is not JSON, and the response may contain a new token.
	const message = messageOf(thrown).replace(/(?<=but received: ).*/s, '[REDACTED]');
	return { code: 'TOKEN', message, reason: connectionCode(thrown) };
}

function messageOf(thrown: unknown): string {
	const { message, description } = isRecord(thrown) ? thrown : {};
	return [message, description].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
