import {
	createAlreadySentError,
	BankFailure,
	type CallResult,
	type FailureDetails,
	isBankFailure,
	type Operation,
} from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { CompletedRequest } from '../form/operationHooks.ts';
import type { Connection } from '../http/connection.ts';
import { sha256 } from '../idempotency/keys.ts';
import type { EncodedRequest } from './encodeRequest.ts';

export type LedgerContext = Pick<IExecuteFunctions, 'evaluateExpression' | 'getContext' | 'getExecutionId'>;

/** Written before a request is sent: `sent` alone means that it may have been carried out. */
type Entry =
	| { state: 'sent' }
	| ({ state: 'accepted' } & AcceptedRequest)
	| { state: 'failed'; execution: string; details: FailureDetails };

/** A request that the bank accepted, in this try or an earlier one. */
type AcceptedRequest = Pick<CompletedRequest, 'sent' | 'result' | 'at'>;

/**
 * Requests of an execution, stored in the node's context, which n8n keeps over *Retry On Fail* and "Retry execution". A
 * request that was accepted returns its recorded response; a request with an unknown outcome is not sent again. Only
 * for requests that change something and are not payments: payments are protected across executions
 * (idempotency/protection.ts).
 */
export class ExecutionLedger {
	readonly #operation: Operation;
	readonly #baseUrl: string;
	readonly #entries: Record<string, Entry>;
	readonly #keys: Record<string, string>;
	readonly #execution: string;
	readonly #runIndex: string;

	constructor(context: LedgerContext, operation: Operation, { baseUrl }: Pick<Connection, 'baseUrl'>) {
		const kept: { bankLedger?: Record<string, Entry>; bankLedgerKeys?: Record<string, string> } =
			context.getContext('node');
		this.#operation = operation;
		this.#baseUrl = baseUrl;
		this.#entries = kept.bankLedger ??= {};
		this.#keys = kept.bankLedgerKeys ??= {};
		this.#execution = context.getExecutionId();
		this.#runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/**
	 * Sends a request, or returns its response if the bank accepted it in an earlier try. Reads are always sent: a rerun
	 * should return current data.
	 * @throws the failure of the request, or that of an earlier try that must not be repeated
	 */
	async once(encoded: EncodedRequest, send: () => Promise<CallResult>): Promise<AcceptedRequest> {
		const key = this.#operation.effect === 'read' ? undefined : this.#key(encoded);
		const recalled = key === undefined ? undefined : this.#recall(key);
		if (recalled !== undefined) return recalled;
		const record = (entry: Entry) => {
			if (key !== undefined) this.#entries[key] = entry;
		};
		record({ state: 'sent' });
		const result = await send().catch((error: unknown) => {
			if (isBankFailure(error)) record({ state: 'failed', execution: this.#execution, details: error.details });
			throw error;
		});
		const accepted = { sent: encoded.prepared.input, result, at: Date.now() };
		record({ state: 'accepted', ...accepted });
		return accepted;
	}

	/**
	 * Key of a request. Its position distinguishes equal requests. Within one execution the position is enough, so an
	 * expression with the time or a random number does not create another request on a rerun.
	 */
	#key({ planned: { position }, fingerprint }: EncodedRequest): string {
		const place = JSON.stringify([this.#runIndex, this.#operation.id, position]);
		return (this.#keys[`${this.#execution} ${place}`] ??= sha256(`${place} ${this.#baseUrl} ${fingerprint}`));
	}

	#recall(key: string): AcceptedRequest | undefined {
		const earlier = this.#entries[key];
		if (earlier === undefined) return undefined;
		if (earlier.state === 'accepted') return earlier;
		if (earlier.state === 'sent') throw createAlreadySentError(this.#operation, []);
		const { details, execution } = earlier;
		if (details.outcome !== 'unknown' || execution !== this.#execution) return undefined;
		throw new BankFailure(details);
	}
}
