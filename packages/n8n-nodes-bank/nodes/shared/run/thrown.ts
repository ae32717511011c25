import { type Answer, connectionCode, type SendFault } from '@bank/core';
import { isCredentialFault } from '@bank/credentials';

import { bodyText } from './answer.ts';

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
 */
export function answerOrFault(error: unknown, url: string, expired: readonly number[]): Answer | SendFault {
	const thrown = error as Thrown;
	const cause = thrown.cause ?? thrown;
	if (isCredentialFault(cause)) return { code: 'TOKEN', message: cause.message };
	const ours = cause.config?.url === undefined || cause.config.url === url;
	// With any other status the answer had begun and then broke off: it is none.
	if (cause.response !== undefined && expired.includes(cause.response.status) && ours)
		return {
			status: cause.response.status,
			headers: { ...cause.response.headers },
			text: bodyText(cause.response.data),
		};
	const code = typeof cause.code === 'string' ? cause.code : undefined;
	const words = [cause.message, cause.description].filter((part) => typeof part === 'string' && part !== '').join(' ');
	const noToken =
		!ours ||
		tokenRefused.includes(code ?? '') ||
		(cause.isAxiosError !== true && code === undefined && tokenWords.test(words));
	if (noToken) return { code: 'TOKEN', message: words };
	const known = connectionCode(cause);
	return { ...(known === undefined ? {} : { code: known }), message: words };
}
