import {
	type Answer,
	call,
	callUntil,
	type CallResult,
	isBankFailure,
	noAnswer,
	type Operation,
	readAll,
	type Send,
	type SendFault,
	type Wait,
} from '@bank/core';
import type {
	IAdditionalCredentialOptions,
	IAllExecuteFunctions,
	IHttpRequestOptions,
	RequestHelperFunctions,
} from 'n8n-workflow';

import { answerOf } from './answer.ts';
import type { Connection } from './connection.ts';
import { type Sealed, sealedRequest } from './seal.ts';
import { answerOrFault } from './thrown.ts';

/** What the network needs of n8n. No other room asks for it. */
export type SendContext = Pick<IAllExecuteFunctions, 'getNode'> & {
	helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'>;
};

/**
 * Bytes -> answer, on n8n's authenticated HTTP helper: nothing else in this package uses it.
 *
 * One exchange is one request. Only reads are tried again (core's `call` does that), and n8n itself resends a request after a 401
 * unless it is kept from it.
 */

/** What travels: a request with its bytes. */
type Bytes = Pick<Sealed, 'prepared' | 'body' | 'headers'>;

/**
 * After a 401 n8n renews the token and sends the request again, unless its body can be read only once. This stands for such a
 * body (n8n looks for these two methods): the token is renewed for the next run, and the request is not repeated.
 * `skipTokenRefresh` would not do: an expired token would stay for ever.
 */
const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

/** What makes n8n renew a token. Where there is none, it would only send the request again. */
function renewalOn(statuses: number[], { token }: Connection): IAdditionalCredentialOptions {
	if (token === 'nobody') return { preAuthenticationRetryStatusCode: [] };
	return token === 'n8n'
		? { oauth2: { tokenExpiredStatusCode: statuses } }
		: { preAuthenticationRetryStatusCode: statuses };
}

/** The statuses by which the bank says that a token has expired. */
const expiredStatuses = ({ tokenExpiredStatus }: Operation): number[] =>
	tokenExpiredStatus === undefined ? [401] : [401, tokenExpiredStatus];

/** The network: from here on there is no way back. */
export class Network {
	readonly #context: SendContext;
	readonly #connection: Connection;
	readonly #timeoutSeconds: number;

	constructor(context: SendContext, connection: Connection, timeoutSeconds: number) {
		this.#context = context;
		this.#connection = connection;
		this.#timeoutSeconds = timeoutSeconds;
	}

	/** As core wants it, for requests that need no seal of their own: reads, and the calls of triggers. */
	readonly send: Send = async ({ operation, prepared }) =>
		await this.transmit(operation, { prepared, ...(await sealedRequest(prepared)) });

	async transmit(operation: Operation, bytes: Bytes): Promise<Answer | SendFault> {
		const { credentialType } = this.#connection;
		const request = this.#request(operation, bytes);
		const expired = expiredStatuses(operation);
		try {
			const helper = this.#context.helpers.httpRequestWithAuthentication;
			// n8n types the context of its helper wider than what the helper looks at.
			const response: unknown = await helper.call(
				this.#context as IAllExecuteFunctions,
				credentialType,
				request,
				renewalOn(expired, this.#connection),
			);
			return answerOf(response);
		} catch (error) {
			const found = answerOrFault(error, request.url, expired);
			if ('status' in found || found.code !== 'TOKEN') return found;
			return { ...found, message: this.#withName(found.message ?? '') };
		}
	}

	#request(operation: Operation, { prepared, body, headers }: Bytes): IHttpRequestOptions {
		const { baseUrl, parts, token } = this.#connection;
		return {
			method: prepared.method,
			url: baseUrl + prepared.url,
			...parts,
			headers: { ...headers, ...parts.headers },
			...(body === undefined ? {} : { body }),
			// Where the shape of the answer is not shown, it may be a file.
			encoding: operation.response === undefined ? 'arraybuffer' : 'text',
			returnFullResponse: true,
			// These must be seen by n8n, or it would never renew a token.
			ignoreHttpStatusErrors: { ignore: true, except: token === 'nobody' ? [] : expiredStatuses(operation) },
			// A redirect would carry token and body elsewhere.
			disableFollowRedirect: true,
			timeout: this.#timeoutSeconds * 1000,
			...(operation.effect === 'read' ? {} : neverResend),
		};
	}

	/** A workflow may use several credentials: the words say which one. */
	#withName(words: string): string {
		const { credentialType } = this.#connection;
		const name = this.#context.getNode().credentials?.[credentialType]?.name ?? credentialType;
		return words.includes(name) ? words : `credential "${name}": ${words}`;
	}
}

/**
 * One sealed request -> its result: asked once, again and again until the result is there, or page by page.
 * @throws BankApiError | NoAnswerError
 */
export async function send(operation: Operation, sealed: Sealed, network: Network, wait: Wait): Promise<CallResult> {
	return await exchanged(operation, sealed, network, wait).catch((error: unknown) => {
		if (operation.effect === 'read' || isBankFailure(error)) throw error;
		// A fault of ours, when the bank may have carried it out already.
		throw noAnswer(operation, error instanceof Error ? { message: error.message } : {});
	});
}

async function exchanged(operation: Operation, sealed: Sealed, network: Network, wait: Wait): Promise<CallResult> {
	const { planned, prepared } = sealed;
	if (planned.paging !== undefined) {
		const options = { ...planned.paging, ...planned.preparing, wait };
		const rows = await readAll(operation, prepared.input, network.send, options);
		return { data: rows, raw: rows, status: 200 };
	}
	const sendSealed: Send = async () => await network.transmit(operation, sealed);
	if (planned.waiting !== undefined)
		return await callUntil(operation, prepared, sendSealed, { ...planned.waiting, wait });
	return await call(operation, prepared, sendSealed, { wait });
}
