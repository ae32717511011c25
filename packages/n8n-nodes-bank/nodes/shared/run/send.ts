import {
	type Answer,
	call,
	callUntil,
	type CallResult,
	isBankFailure,
	isRecord,
	noAnswer,
	type Operation,
	type Pace,
	readRows,
	type Send,
	type SendFault,
} from '@bank/core';
import type { IAllExecuteFunctions, IHttpRequestOptions, RequestHelperFunctions } from 'n8n-workflow';

import { chosenName } from '../credential.ts';
import { answerOf } from './answer.ts';
import { type Connection, knownByOf } from './connection.ts';
import { Redactor } from './redactor.ts';
import { type Bounds, Exchange } from './exchange.ts';
import { HeldCredential } from './held.ts';
import { expiredStatuses, neverResend, type RenewalContext, renewalOn, TokenOfN8n } from './renewal.ts';
import { type Sealed, sealedRequest } from './seal.ts';
import { answerOrFault, tokenFault } from './thrown.ts';

/** What the network needs of n8n. No other room asks for it. */
export type SendContext = Pick<IAllExecuteFunctions, 'getNode'> &
	RenewalContext & {
		/** Triggers have none. */
		getExecutionCancelSignal?: () => AbortSignal | undefined;
		helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'>;
	};

/**
 * Bytes -> answer, on n8n's authenticated HTTP helper: nothing else in this package uses it.
 *
 * One exchange is one request. Only reads are tried again, by core's `call`, and after a 401 whatever n8n is not kept from.
 */

/** What travels: a request with its bytes. */
type Bytes = Pick<Sealed, 'prepared' | 'body' | 'headers'>;

/** The network: from here on there is no way back. */
export class Network {
	readonly #context: SendContext;
	readonly #connection: Connection;
	readonly #bounds: Bounds;
	readonly #redactor: Redactor;
	readonly #token: TokenOfN8n;
	readonly #held: HeldCredential;

	constructor(context: SendContext, connection: Connection, bounds: Bounds) {
		this.#context = context;
		this.#connection = connection;
		this.#bounds = bounds;
		this.#redactor = new Redactor(connection);
		this.#token = new TokenOfN8n(context, connection);
		this.#held = new HeldCredential(context, connection);
	}

	/** As core wants it, for requests that need no seal of their own: reads, and the calls of triggers. */
	readonly send: Send = async ({ operation, prepared, within }) =>
		await this.transmit(operation, { prepared, ...(await sealedRequest(prepared)) }, within);

	/** @param within milliseconds, where the answer is of no use later */
	async transmit(operation: Operation, bytes: Bytes, within = Infinity): Promise<Answer | SendFault> {
		const found = await this.#exchanged(operation, bytes, within);
		return 'status' in found ? { ...found, ...knownByOf(this.#connection) } : found;
	}

	async #exchanged(operation: Operation, bytes: Bytes, within: number): Promise<Answer | SendFault> {
		const seconds = Math.min(this.#bounds.seconds, within / 1000);
		const exchange = new Exchange({ ...this.#bounds, seconds }, this.#context.getExecutionCancelSignal?.());
		const request = this.#request(operation, bytes);
		const read = async (body: unknown) => await exchange.bytesOf(body);
		const noToken = await exchange.within(this.#token.renewed()).then(() => undefined, tokenFault);
		if (noToken !== undefined) return await this.#redactor.error(this.#named(noToken), bytes);
		try {
			const response = await exchange.within(this.#ask(operation, request, exchange.signal));
			const { statusCode, headers, body } = isRecord(response) ? response : {};
			// A payment is confirmed by words: a file may be anybody's.
			const isOpen = operation.response === undefined && operation.effect !== 'money';
			const answer = answerOf(Number(statusCode), isRecord(headers) ? headers : {}, await read(body), isOpen);
			return await this.#redactor.response(operation, answer, bytes);
		} catch (error) {
			const found = await answerOrFault(error, request.url, expiredStatuses(operation), read);
			if ('status' in found) return await this.#redactor.response(operation, found, bytes);
			const fault = await this.#redactor.error(found, bytes);
			return fault.code === 'TOKEN' ? this.#named(fault) : fault;
		}
	}

	async #ask(operation: Operation, request: IHttpRequestOptions, signal: AbortSignal): Promise<unknown> {
		// n8n's helper puts the signal of the execution into every request: it gets one that ends with the exchange as well.
		const context: unknown = Object.create(this.#context, { getExecutionCancelSignal: { value: () => signal } });
		const renewal = renewalOn(expiredStatuses(operation), this.#connection);
		const { httpRequestWithAuthentication: ask } = this.#context.helpers;
		return await this.#held.lentTo(operation, async (lent) =>
			// n8n types the context of its helper wider than what the helper looks at.
			ask.call(context as IAllExecuteFunctions, this.#connection.credentialType, request, { ...renewal, ...lent }),
		);
	}

	#request(operation: Operation, { prepared, body, headers }: Bytes): IHttpRequestOptions {
		const { baseUrl, parts, token } = this.#connection;
		return {
			method: prepared.method,
			url: baseUrl + prepared.url,
			...parts,
			headers: { ...headers, ...parts.headers },
			...(body === undefined ? {} : { body }),
			// Read piece by piece, so that it can be broken off.
			encoding: 'stream',
			returnFullResponse: true,
			// These must be seen by n8n, or it would never renew a token.
			ignoreHttpStatusErrors: { ignore: true, except: token === 'nobody' ? [] : expiredStatuses(operation) },
			// A redirect would carry token and body elsewhere.
			disableFollowRedirect: true,
			timeout: this.#bounds.seconds * 1000,
			...(operation.effect === 'money' ? neverResend : {}),
		};
	}

	/** A workflow may use several credentials: the words say which one. */
	#named(fault: SendFault): SendFault {
		const { message: words = '' } = fault;
		const name = chosenName(this.#context, this.#connection.credentialType);
		return words.includes(name) ? fault : { ...fault, message: `credential "${name}": ${words}` };
	}
}

/**
 * One sealed request -> its result: asked once, again and again until the result is there, or page by page.
 * @throws BankApiError | NoAnswerError
 */
export async function send(operation: Operation, sealed: Sealed, network: Network, pace: Pace): Promise<CallResult> {
	return await exchanged(operation, sealed, network, pace).catch((error: unknown) => {
		if (operation.effect === 'read' || isBankFailure(error)) throw error;
		// A fault of ours, when the bank may have carried it out already.
		throw noAnswer(operation, error instanceof Error ? { message: error.message } : {});
	});
}

async function exchanged(operation: Operation, sealed: Sealed, network: Network, pace: Pace): Promise<CallResult> {
	const { planned, prepared } = sealed;
	if (planned.paging !== undefined) {
		const { mapRow, ...paging } = planned.paging;
		let isUnsettled = false;
		const onUnstable = () => (isUnsettled = true);
		const options = { ...paging, ...planned.preparing, ...pace, onUnstable };
		const rows = await readRows(operation, prepared.input, network.send, options, mapRow);
		return { data: rows, raw: rows, status: 200, isUnsettled };
	}
	const sendSealed: Send = async ({ within }) => await network.transmit(operation, sealed, within);
	if (planned.waiting !== undefined)
		return await callUntil(operation, prepared, sendSealed, { ...planned.waiting, wait: pace.wait });
	return await call(operation, prepared, sendSealed, pace);
}
