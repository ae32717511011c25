import { type Answer, connectionCode, type Send, type SendFault, type Wait } from '@bank/core';
import {
	baseUrlFault,
	baseUrlOf,
	credentialFault,
	isCredentialFault,
	type RequestParts,
	requestPartsOf,
} from '@bank/credentials';
import {
	type IAdditionalCredentialOptions,
	type IAllExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	NodeOperationError,
	type RequestHelperFunctions,
	sleep,
} from 'n8n-workflow';

import { decodedAnswer, encodedBody } from './bodies.ts';

/** What the transport needs of n8n: the nodes' `execute()`, the lifecycle hooks of a trigger and `poll()` all have it. */
export type BankContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & {
	helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'>;
};

/** Whose business the token is. Only n8n's own goes without what the credential adds: n8n does not ask such types. */
type TokenOf = 'n8n' | 'credential' | 'nobody';

const tokenOf: Readonly<Record<string, TokenOf>> = {
	bankAuthorizationCodeOAuth2Api: 'n8n',
	bankGatewayApi: 'nobody',
	bankMutualTlsApi: 'nobody',
};

/** How a credential reaches the bank: its type, the address it selects, and what the node itself must add to each request. */
export interface Connection {
	credentialType: string;
	baseUrl: string;
	token: TokenOf;
	parts: RequestParts;
}

/** @throws NodeOperationError when the credential has no usable base URL, or what it holds cannot be used */
export async function connect(context: BankContext, credentialType: string): Promise<Connection> {
	const credential = await context.getCredentials(credentialType);
	const baseUrl = baseUrlOf(credential);
	const fault = baseUrlFault(baseUrl) ?? credentialFault(credential);
	if (fault !== undefined)
		throw new NodeOperationError(context.getNode(), fault.what, {
			description: `Open the credential. ${fault.next} Nothing was sent.`,
		});
	const token = tokenOf[credentialType] ?? 'credential';
	return { credentialType, baseUrl, token, parts: token === 'n8n' ? requestPartsOf(credential) : { headers: {} } };
}

/**
 * After a 401 n8n renews the token and sends the request again, unless its body can be read only once. This stands for such a
 * body (n8n looks for these two methods): the token is renewed for the next run, and the request is not repeated.
 * `skipTokenRefresh` would not do: an expired token would stay for ever.
 */
const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

/** What makes n8n renew a token. Where there is none, it would only send the request again. */
function renewalOn(statuses: number[], token: TokenOf): IAdditionalCredentialOptions {
	if (token === 'nobody') return { preAuthenticationRetryStatusCode: [] };
	return token === 'n8n'
		? { oauth2: { tokenExpiredStatusCode: statuses } }
		: { preAuthenticationRetryStatusCode: statuses };
}

/** The network as core wants it, on n8n's authenticated HTTP helper. */
export function sendThrough(
	context: BankContext,
	{ credentialType, baseUrl, token, parts }: Connection,
	timeoutSeconds: number,
): Send {
	return async ({ operation, prepared }) => {
		const url = baseUrl + prepared.url;
		const { body, headers } = await encodedBody(prepared);
		// Where the shape of the answer is not shown, it may be a file.
		const isOpen = operation.response === undefined;
		const expired = [401, ...(operation.tokenExpiredStatus === undefined ? [] : [operation.tokenExpiredStatus])];
		const request: IHttpRequestOptions = {
			method: prepared.method,
			url,
			...parts,
			headers: { ...prepared.headers, ...headers, ...parts.headers },
			...(body === undefined ? {} : { body }),
			encoding: isOpen ? 'arraybuffer' : 'text',
			returnFullResponse: true,
			// These must be seen by n8n, or it would never renew a token.
			ignoreHttpStatusErrors: { ignore: true, except: token === 'nobody' ? [] : expired },
			// A redirect would carry token and body elsewhere.
			disableFollowRedirect: true,
			timeout: timeoutSeconds * 1000,
			...(operation.effect === 'read' ? {} : neverResend),
		};
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context as IAllExecuteFunctions,
				credentialType,
				request,
				renewalOn(expired, token),
			)) as IN8nHttpFullResponse;
			if (isOpen && response.body instanceof Uint8Array)
				return decodedAnswer(response.statusCode, response.headers, response.body);
			return { status: response.statusCode, headers: response.headers, text: textOf(response.body) };
		} catch (error) {
			const found = answerOrFault(error, url, expired);
			return 'status' in found || found.code !== 'TOKEN'
				? found
				: { ...found, message: withName(context, credentialType, found.message ?? '') };
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
function answerOrFault(error: unknown, url: string, expired: readonly number[]): Answer | SendFault {
	const thrown = error as Thrown;
	const cause = thrown.cause ?? thrown;
	if (isCredentialFault(cause)) return { code: 'TOKEN', message: cause.message };
	const ours = cause.config?.url === undefined || cause.config.url === url;
	// With any other status the answer had begun and then broke off: it is none.
	if (cause.response !== undefined && expired.includes(cause.response.status) && ours)
		return { status: cause.response.status, headers: { ...cause.response.headers }, text: textOf(cause.response.data) };
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

function textOf(body: unknown): string {
	if (typeof body === 'string') return body;
	if (body instanceof Uint8Array || body instanceof ArrayBuffer)
		return Buffer.from(body as Uint8Array).toString('utf8');
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
