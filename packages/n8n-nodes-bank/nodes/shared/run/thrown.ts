import { type Answer, connectionCode, isRecord, type SendFault } from '@bank/core';
import { isCredentialFault } from '@bank/credentials';

import { answerOf } from './answer.ts';
import { BrokenOff } from './exchange.ts';

/**
 * How n8n speaks of a token that it could not get: by the codes of its OAuth client, or in words. Anything else may have
 * come after sending.
 */
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
 * The 401 that n8n throws as an answer; everything else as the reason why there is none. Never the error itself: it
 * holds the token.
 * @param read reads the body of an answer, which may still be arriving
 */
export async function answerOrFault(
	error: unknown,
	url: string,
	expired: readonly number[],
	read: (body: unknown) => Promise<Uint8Array>,
): Promise<Answer | SendFault> {
	if (error instanceof BrokenOff) return error.fault;
	const thrown = error as Thrown;
	const cause = thrown.cause ?? thrown;
	if (isCredentialFault(cause)) return tokenFault(cause);
	const ours = cause.config?.url === undefined || cause.config.url === url;
	// With any other status the answer had begun and then broke off: it is none.
	if (cause.response !== undefined && expired.includes(cause.response.status) && ours) {
		const { status, headers, data } = cause.response;
		// That the token was refused is known, whatever becomes of the words.
		const bytes = await read(data).catch(() => new Uint8Array());
		return answerOf(status, { ...headers }, bytes, false);
	}
	const code = typeof cause.code === 'string' ? cause.code : undefined;
	const words = wordsOf(cause);
	const noToken =
		!ours ||
		tokenRefused.includes(code ?? '') ||
		(cause.isAxiosError !== true && code === undefined && tokenWords.test(words));
	if (noToken) return tokenFault(cause);
	const known = connectionCode(cause);
	return { ...(known === undefined ? {} : { code: known }), message: words };
}

/** What was thrown instead of a token: by a credential of ours, which says what to do, or by n8n. */
export function tokenFault(thrown: unknown): SendFault {
	if (isCredentialFault(thrown)) return { code: 'TOKEN', message: thrown.message, isAdvised: true };
	const reason = connectionCode(thrown);
	return { code: 'TOKEN', message: wordsOf(thrown), ...(reason === undefined ? {} : { reason }) };
}

/** What was thrown, in its own words. */
function wordsOf(thrown: unknown): string {
	const { message, description } = isRecord(thrown) ? thrown : {};
	return [message, description].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
