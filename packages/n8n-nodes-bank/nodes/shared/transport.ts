import { type Answer, type Send, type SendFault, type Wait } from '@bank/core';
import { baseUrlOf } from '@bank/credentials';
import { type IAllExecuteFunctions, type IHttpRequestOptions, type IN8nHttpFullResponse, NodeOperationError, type RequestHelperFunctions, sleep } from 'n8n-workflow';

/** What the transport needs of n8n: the nodes' `execute()`, the lifecycle hooks of a trigger and `poll()` all have it. */
export type BankContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & { helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'> };

/** How a credential reaches the bank: its type and the address it selects. */
export interface Connection {
	credentialType: string;
	baseUrl: string;
}

/** @throws NodeOperationError when the credential has no usable base URL */
export async function connect(context: BankContext, credentialType: string): Promise<Connection> {
	const baseUrl = baseUrlOf(await context.getCredentials(credentialType));
	if (/^https?:\/\/[^\s/?#@]+/i.test(baseUrl)) return { credentialType, baseUrl };
	throw new NodeOperationError(context.getNode(), 'The credential has no usable base URL', {
		description: 'Open the credential, choose the environment and give its base URL, such as https://api.bank.example. Nothing was sent.',
	});
}

/**
 * After a 401 n8n renews the token and sends the request again, unless its body can be read only once. This stands for such a
 * body (n8n looks for these two methods): the token is renewed for the next run, and the request is not repeated.
 * `skipTokenRefresh` would not do: an expired token would stay for ever.
 */
const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

/** The network as core wants it, on n8n's authenticated HTTP helper. */
export function sendThrough(context: BankContext, { credentialType, baseUrl }: Connection, timeoutSeconds: number): Send {
	return async ({ operation, prepared }) => {
		const url = baseUrl + prepared.url;
		const request: IHttpRequestOptions = {
			method: prepared.method,
			url,
			headers: prepared.headers,
			...(prepared.body === undefined ? {} : { body: prepared.body }),
			encoding: 'text',
			returnFullResponse: true,
			// 401 must be seen by n8n, or it would never renew a token.
			ignoreHttpStatusErrors: { ignore: true, except: [401] },
			// A redirect would carry token and body elsewhere.
			disableFollowRedirect: true,
			timeout: timeoutSeconds * 1000,
			...(operation.effect === 'read' ? {} : neverResend),
		};
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(context as IAllExecuteFunctions, credentialType, request)) as IN8nHttpFullResponse;
			return { status: response.statusCode, headers: response.headers, text: textOf(response.body) };
		} catch (error) {
			const found = answerOrFault(error, url);
			return 'status' in found || found.code !== 'TOKEN' ? found : { ...found, message: withName(context, credentialType, found.message ?? '') };
		}
	};
}

/** A workflow may use several credentials: the words say which one. */
function withName(context: BankContext, credentialType: string, words: string): string {
	const name = context.getNode().credentials?.[credentialType]?.name ?? credentialType;
	return words.includes(name) ? words : `credential "${name}": ${words}`;
}

/** How n8n speaks of a token that it could not get: by the codes of its OAuth client, or in words. Anything else may have come after sending. */
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

/** The 401 that n8n throws as an answer; everything else as the reason why there is none. Never the error itself: it holds the token. */
function answerOrFault(error: unknown, url: string): Answer | SendFault {
	const thrown = error as Thrown;
	const cause = thrown.cause ?? thrown;
	const ours = cause.config?.url === undefined || cause.config.url === url;
	// With any other status the answer had begun and then broke off: it is none.
	if (cause.response?.status === 401 && ours) return { status: cause.response.status, headers: { ...cause.response.headers }, text: textOf(cause.response.data) };
	const code = typeof cause.code === 'string' ? cause.code : undefined;
	const words = [cause.message, cause.description].filter((part) => typeof part === 'string' && part !== '').join(' ');
	const noToken = !ours || tokenRefused.includes(code ?? '') || (cause.isAxiosError !== true && code === undefined && tokenWords.test(words));
	if (noToken) return { code: 'TOKEN', message: words };
	return { ...(code === undefined ? {} : { code }), message: words };
}

function textOf(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/** Sleeps in slices, so that a stopped execution does not go on waiting. Resolves false when it was stopped. */
export function waitUnlessCancelled(signal: AbortSignal | undefined): Wait {
	return async (milliseconds) => {
		const slice = 200;
		for (let left = milliseconds; left > 0; left -= slice) {
			if (signal?.aborted) return false;
			await sleep(Math.min(slice, left));
		}
		return signal?.aborted !== true;
	};
}
