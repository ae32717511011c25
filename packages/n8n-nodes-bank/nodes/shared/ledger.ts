import { createHash } from 'node:crypto';

import {
	BankApiError,
	type CallResult,
	type FailureDetails,
	NoAnswerError,
	type Operation,
	type PreparedRequest,
} from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

type Entry =
	{ state: 'accepted'; result: CallResult } | { state: 'failed'; execution: string; details: FailureDetails };

/**
 * What this node has sent in this execution. n8n's Retry On Fail runs the whole node again with all items, even when only
 * one of them failed; n8n keeps the node's context over such a rerun and over "Retry execution".
 * An accepted request is then answered from here. A rerun never sends again a payment that failed, nor anything else whose
 * outcome is unknown. When the user retries the execution, only an unknown payment stays unsent.
 */
export class Ledger {
	readonly #entries: Record<string, Entry>;
	readonly #keys: Record<string, string>;
	readonly #execution: string;
	readonly #run: string;

	constructor(context: IExecuteFunctions) {
		const kept = context.getContext('node') as {
			bankLedger?: Record<string, Entry>;
			bankLedgerKeys?: Record<string, string>;
		};
		kept.bankLedger ??= {};
		kept.bankLedgerKeys ??= {};
		this.#keys = kept.bankLedgerKeys;
		this.#entries = kept.bankLedger;
		this.#execution = context.getExecutionId();
		this.#run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/**
	 * What identifies a request of this run; `position` tells equal requests apart. In one execution the place is enough: a
	 * rerun has the same items, and an expression with a time or a random number makes no other request of them.
	 */
	key(operation: Operation, prepared: PreparedRequest, position: number): string {
		const identity =
			operation.identity === undefined ? prepared.body : JSON.stringify(operation.identity(prepared.input.body));
		const place = [this.#execution, this.#run, operation.id, position].join(' ');
		return (this.#keys[place] ??= createHash('sha256')
			.update([this.#run, position, operation.id, prepared.url, identity ?? ''].join('\n'))
			.digest('hex'));
	}

	/**
	 * The answer of an earlier try, if the request was accepted then.
	 * @throws the failure of an earlier try, if it must not be sent again
	 */
	recall(operation: Operation, key: string): CallResult | undefined {
		const earlier = this.#entries[key];
		if (earlier === undefined) return undefined;
		if (earlier.state === 'accepted') return earlier.result;
		const money = operation.effect === 'money';
		const unknown = earlier.details.outcome === 'unknown';
		const final = earlier.execution === this.#execution ? money || unknown : money && unknown;
		if (!final) return undefined;
		throw earlier.details.httpStatus === undefined
			? new NoAnswerError(earlier.details)
			: new BankApiError(earlier.details);
	}

	accepted(key: string, result: CallResult): void {
		this.#entries[key] = { state: 'accepted', result };
	}

	failed(key: string, details: FailureDetails): void {
		this.#entries[key] = { state: 'failed', execution: this.#execution, details };
	}
}
