import { createHash } from 'node:crypto';

import {
	alreadyClaimed,
	BankApiError,
	type CallResult,
	type FailureDetails,
	NoAnswerError,
	type Operation,
	type PreparedRequest,
} from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from './connection.ts';
import { contentOf, type Sealed } from './seal.ts';

/** What the memory of an execution needs of n8n. */
export type LedgerContext = Pick<IExecuteFunctions, 'evaluateExpression' | 'getContext' | 'getExecutionId'>;

/** Written before a request is sent: `sent` alone means that it may have been carried out. */
type Entry =
	| { state: 'sent' }
	| ({ state: 'accepted' } & Accepted)
	| { state: 'failed'; execution: string; details: FailureDetails };

/** A request that the bank accepted, in this try or an earlier one. */
export interface Accepted {
	/** As it was sent: an earlier try may have sent another than this one would. */
	sent: PreparedRequest['input'];
	result: CallResult;
	/** When the response came, in milliseconds since 1970. */
	at: number;
}

/**
 * What an execution has done at the bank, kept in the node's context over *Retry On Fail* (which runs the whole node again with all items)
 * and "Retry execution". An accepted request is answered from it, and one whose outcome is unknown is not sent again.
 *
 * For requests that change something and are no payments: those are protected over all executions (idempotency/protection.ts).
 */
export class ExecutionLedger {
	readonly #operation: Operation;
	readonly #connection: Pick<Connection, 'baseUrl'>;
	readonly #entries: Record<string, Entry>;
	readonly #keys: Record<string, string>;
	readonly #execution: string;
	readonly #runIndex: string;

	constructor(context: LedgerContext, operation: Operation, connection: Pick<Connection, 'baseUrl'>) {
		// Absent before the first run, and ours alone after it.
		const kept: { bankLedger?: Record<string, Entry>; bankLedgerKeys?: Record<string, string> } =
			context.getContext('node');
		this.#operation = operation;
		this.#connection = connection;
		this.#entries = kept.bankLedger ??= {};
		this.#keys = kept.bankLedgerKeys ??= {};
		this.#execution = context.getExecutionId();
		this.#runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/**
	 * Before sending. Resolves with the result of an earlier try, if the request was accepted then.
	 * @throws the failure of an earlier try, if it must not be sent again
	 */
	begin(sealed: Sealed): Accepted | undefined {
		if (!this.#isKept) return undefined;
		const key = this.#key(sealed);
		const recalled = this.#recall(key);
		if (recalled === undefined) this.#entries[key] = { state: 'sent' };
		return recalled;
	}

	accepted(sealed: Sealed, result: CallResult): Accepted {
		const accepted = { sent: sealed.prepared.input, result, at: Date.now() };
		if (this.#isKept) this.#entries[this.#key(sealed)] = { state: 'accepted', ...accepted };
		return accepted;
	}

	failed(sealed: Sealed, details: FailureDetails): void {
		if (this.#isKept) this.#entries[this.#key(sealed)] = { state: 'failed', execution: this.#execution, details };
	}

	/** Reading twice changes nothing, and a rerun wants what is true now. */
	get #isKept(): boolean {
		return this.#operation.effect !== 'read';
	}

	/**
	 * Identifies a request of this run; its position tells equal requests apart. In one execution the place is enough: a rerun has the same
	 * items, and an expression with a time or a random number makes no other request of them.
	 */
	#key({ planned: { position }, prepared }: Sealed): string {
		const place = JSON.stringify([this.#execution, this.#runIndex, this.#operation.id, position]);
		const { method, url } = prepared;
		const parts = [this.#runIndex, position, this.#connection.baseUrl, this.#operation.id, method, url];
		return (this.#keys[place] ??= createHash('sha256')
			.update([...parts, contentOf(prepared)].join('\n'))
			.digest('hex'));
	}

	#recall(key: string): Accepted | undefined {
		const earlier = this.#entries[key];
		if (earlier === undefined) return undefined;
		if (earlier.state === 'accepted') return earlier;
		if (earlier.state === 'sent') throw alreadyClaimed(this.#operation, []);
		const { details, execution } = earlier;
		if (details.outcome !== 'unknown' || execution !== this.#execution) return undefined;
		throw details.httpStatus === undefined ? new NoAnswerError(details) : new BankApiError(details);
	}
}
