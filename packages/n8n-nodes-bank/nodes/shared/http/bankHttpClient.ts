import { type HttpResponse, isRecord, type Operation, type Send, type TransportError } from '@bank/core';
import { markOwnRequest } from '@bank/credentials';
import type { IAllExecuteFunctions, IHttpRequestOptions, RequestHelperFunctions } from 'n8n-workflow';

import { chosenName } from './credential.ts';
import { parseResponse } from './parseResponse.ts';
import { choiceByType } from '../base/authentication.ts';
import { type ConnectContext, type Connection, requireAllowed, resolveConnection } from './connection.ts';
import { Redactor } from './redactor.ts';
import { type RequestLimits, Deadline } from './deadline.ts';
import { credentialCache } from './credentialCache.ts';
import {
	expiredStatuses,
	refreshAfterResponse,
	refreshBeforeRequest,
	type TokenRefreshContext,
} from './tokenRefresh.ts';
import { encodeBytes, type RequestBytes } from './encodeBytes.ts';
import { responseOrError, tokenError } from './transportErrors.ts';

/** The part of n8n that the HTTP client uses. No other module of the nodes sends operations to the bank. */
export type SendContext = Pick<IAllExecuteFunctions, 'getNode'> &
	TokenRefreshContext & {
		/** Absent in triggers. */
		getExecutionCancelSignal?: () => AbortSignal | undefined;
		helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'>;
	};

/**
 * Wraps n8n's authenticated HTTP helper; nothing else in this package uses it. One call is one request. Only reads
 * are retried, by core's `call`; `tokenRefresh.ts` says what n8n does after a 401.
 */

export class BankHttpClient {
	readonly #context: SendContext;
	readonly #connection: Connection;
	readonly #bounds: RequestLimits;
	readonly #redactor: Redactor;
	readonly #refreshToken: ReturnType<typeof refreshBeforeRequest>;
	#withCredential: ReturnType<typeof credentialCache>;

	constructor(context: SendContext, connection: Connection, bounds: RequestLimits) {
		this.#context = context;
		this.#connection = connection;
		this.#bounds = bounds;
		this.#redactor = new Redactor(connection);
		const { credentialType, opened } = connection;
		this.#refreshToken = refreshBeforeRequest(context, credentialType, opened.credential);
		this.#withCredential = credentialCache(context, connection);
	}

	/** @throws NodeOperationError if the credential cannot be used */
	static async open(
		context: SendContext & ConnectContext,
		credentialType: string,
		bounds: RequestLimits,
	): Promise<BankHttpClient> {
		return new BankHttpClient(context, await resolveConnection(context, credentialType), bounds);
	}

	/** For reads and the calls of triggers, which need no `EncodedRequest`. */
	readonly send: Send = async ({ operation, prepared, within }) =>
		await this.sendBytes(operation, { prepared, ...(await encodeBytes(prepared)) }, within);

	/**
	 * @param within milliseconds after which the response is useless
	 * @throws NodeOperationError if the credential does not allow the operation
	 */
	async sendBytes(
		operation: Operation,
		bytes: RequestBytes,
		within = Infinity,
	): Promise<HttpResponse | TransportError> {
		requireAllowed(this.#context, this.#connection, operation);
		const authenticatedBy = choiceByType.get(this.#connection.credentialType);
		const seconds = Math.min(this.#bounds.seconds, within / 1000);
		const deadline = new Deadline({ ...this.#bounds, seconds }, this.#context.getExecutionCancelSignal?.());
		const request = this.#request(operation, bytes);
		const read = async (body: unknown) => await deadline.bytesOf(body);
		const noToken = await deadline.within(this.#refreshToken()).then((isRefreshed) => {
			if (isRefreshed) this.#forgetCredential();
		}, tokenError);
		if (noToken !== undefined) return await this.#redactor.error(this.#named(noToken), bytes);
		try {
			const response = await deadline.within(this.#callN8n(operation, request, deadline.signal));
			const { statusCode, headers, body } = isRecord(response) ? response : {};
			// Payments can only be confirmed by text, so their response is never treated as a file.
			const isOpen = operation.response === undefined && operation.effect !== 'money';
			const parsed = parseResponse(Number(statusCode), isRecord(headers) ? headers : {}, await read(body), isOpen);
			return await this.#redactor.response(operation, { ...parsed, authenticatedBy }, bytes);
		} catch (thrown) {
			const result = await responseOrError(thrown, request.url, expiredStatuses(operation), read);
			if ('status' in result) return await this.#redactor.response(operation, { ...result, authenticatedBy }, bytes);
			const error = await this.#redactor.error(result, bytes);
			return error.code === 'TOKEN' ? this.#named(error) : error;
		}
	}

	async #callN8n(operation: Operation, request: IHttpRequestOptions, signal: AbortSignal): Promise<unknown> {
		// n8n's helper uses the signal of the execution. Replace it by one that also ends at the deadline.
		const own = { getExecutionCancelSignal: { value: () => signal } };
		const { credentialType } = this.#connection;
		const { authentication } = refreshAfterResponse(operation, credentialType);
		const { httpRequestWithAuthentication: ask } = this.#context.helpers;
		return await this.#withCredential(operation, async (cached) => {
			const data = cached.credentialsDecrypted?.data;
			// n8n's own OAuth2 ignores `credentialsDecrypted` and reads the credential from here.
			const lent = data === undefined ? own : { ...own, getCredentials: { value: () => Promise.resolve(data) } };
			const context: unknown = Object.create(this.#context, lent);
			// n8n declares `this` of its helper with a wider type than the helper needs.
			return await ask.call(context as IAllExecuteFunctions, credentialType, request, { ...authentication, ...cached });
		});
	}

	/** A cached credential would have the token from before the refresh. */
	#forgetCredential(): void {
		const { opened } = this.#connection;
		this.#withCredential = credentialCache(this.#context, {
			...this.#connection,
			opened: { ...opened, at: -Infinity },
		});
	}

	#request(operation: Operation, { prepared, body, headers }: RequestBytes): IHttpRequestOptions {
		const { baseUrl, parts, credentialType } = this.#connection;
		return markOwnRequest({
			method: prepared.method,
			url: baseUrl + prepared.url,
			...parts,
			headers: { ...headers, ...parts.headers },
			...(body === undefined ? {} : { body }),
			// Streamed, so that a large or slow response can be aborted.
			encoding: 'stream',
			returnFullResponse: true,
			// A redirect would send token and body to another host.
			disableFollowRedirect: true,
			timeout: this.#bounds.seconds * 1000,
			...refreshAfterResponse(operation, credentialType).request,
		});
	}

	/** A workflow may use several credentials, so the message names the one that failed. */
	#named(error: TransportError): TransportError {
		const { message: words = '' } = error;
		const name = chosenName(this.#context, this.#connection.credentialType);
		return words.includes(name) ? error : { ...error, message: `credential "${name}": ${words}` };
	}
}
