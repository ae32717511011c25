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
import { identityOf } from './identity.ts';
import { claimForGood, type LastingMemory } from './lastingClaim.ts';
import type { Sealed } from './seal.ts';

/** What the memory of an execution needs of n8n. No other room asks for it. */
export type ClaimContext = Pick<IExecuteFunctions, 'evaluateExpression' | 'getContext' | 'getExecutionId'>;

/**
 * What stands in n8n's memory of a request that has an effect. Written before it is sent: whoever finds `claimed` alone knows that
 * it may have been carried out.
 */
type Entry =
	| { state: 'claimed' }
	| ({ state: 'accepted' } & Accepted)
	| { state: 'failed'; execution: string; details: FailureDetails };

/** A request that the bank accepted, in this try or an earlier one. */
export interface Accepted {
	/** As it was sent: an earlier try may have sent another than this one would. */
	sent: PreparedRequest['input'];
	result: CallResult;
	/** When the answer came, in milliseconds since 1970. */
	at: number;
}

/**
 * Who may send: the one place that knows what was sent before.
 *
 * Within an execution the node's context tells, which n8n keeps over *Retry On Fail* (that runs the whole node again with all
 * items, even when only one of them failed) and over "Retry execution". An accepted request is answered from it. A rerun never
 * sends again a payment that failed, nor anything else whose outcome is unknown; when the user retries the execution, only an
 * unknown payment stays unsent.
 *
 * Over all executions the guard tells, for whatever must not be sent twice. What was claimed stays so unless it is known that nothing
 * happened: an execution that was stopped or killed has left nothing else behind.
 */
export class Claims {
	readonly #operation: Operation;
	readonly #connection: Pick<Connection, 'environment' | 'baseUrl'>;
	readonly #guard: LastingMemory;
	readonly #entries: Record<string, Entry>;
	readonly #keys: Record<string, string>;
	readonly #execution: string;
	readonly #runIndex: string;
	/** By request: what this run has claimed for good. What earlier runs have is not this run's to give back. */
	readonly #own = new Map<string, readonly string[]>();

	constructor(
		context: ClaimContext,
		operation: Operation,
		connection: Pick<Connection, 'environment' | 'baseUrl'>,
		guard: LastingMemory,
	) {
		// Absent before the first run, and ours alone after it.
		const kept: { bankLedger?: Record<string, Entry>; bankLedgerKeys?: Record<string, string> } =
			context.getContext('node');
		this.#operation = operation;
		this.#connection = connection;
		this.#guard = guard;
		this.#entries = kept.bankLedger ??= {};
		this.#keys = kept.bankLedgerKeys ??= {};
		this.#execution = context.getExecutionId();
		this.#runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/**
	 * Before sending. Resolves with the answer of an earlier try, if the request was accepted then; else it is ours to send.
	 * @throws the failure of an earlier try, if it must not be sent again
	 * @throws NoAnswerError where an earlier run has claimed it, and nobody here knows what became of it
	 * @throws NodeOperationError where it is not certain who has claimed it
	 */
	async claim(sealed: Sealed): Promise<Accepted | undefined> {
		if (!this.#isKept) return undefined;
		const key = this.#key(sealed);
		const recalled = this.#recall(key, sealed);
		if (recalled !== undefined) return recalled;
		this.#own.set(key, await claimForGood(this.#operation, this.#connection, this.#guard, sealed.planned));
		this.#entries[key] = { state: 'claimed' };
		return undefined;
	}

	accepted(sealed: Sealed, result: CallResult): Accepted {
		const accepted = { sent: sealed.prepared.input, result, at: Date.now() };
		if (this.#isKept) this.#entries[this.#key(sealed)] = { state: 'accepted', ...accepted };
		return accepted;
	}

	/**
	 * The bank said no, or was never asked: the next try is the first again. What is unknown stays claimed.
	 * @throws NodeOperationError where what was not carried out goes on counting as sent
	 */
	async failed(sealed: Sealed, details: FailureDetails): Promise<void> {
		if (!this.#isKept) return;
		const key = this.#key(sealed);
		this.#entries[key] = { state: 'failed', execution: this.#execution, details };
		if (details.outcome === 'rejected' || details.outcome === 'notSent')
			await this.#guard.release(this.#own.get(key) ?? []);
	}

	/** Reading twice changes nothing, and a rerun wants what is true now. */
	get #isKept(): boolean {
		return this.#operation.effect !== 'read';
	}

	/**
	 * What identifies a request of this run; its position tells equal requests apart. In one execution the place is enough: a
	 * rerun has the same items, and an expression with a time or a random number makes no other request of them.
	 */
	#key({ planned: { position, identities }, prepared }: Sealed): string {
		const place = JSON.stringify([this.#execution, this.#runIndex, this.#operation.id, position]);
		const identity = identityOf(this.#operation, identities, prepared);
		return (this.#keys[place] ??= createHash('sha256')
			.update([this.#runIndex, position, this.#connection.baseUrl, identity].join('\n'))
			.digest('hex'));
	}

	#recall(key: string, { planned: { identities } }: Sealed): Accepted | undefined {
		const earlier = this.#entries[key];
		if (earlier === undefined) return undefined;
		if (earlier.state === 'accepted') return earlier;
		if (earlier.state === 'claimed')
			throw alreadyClaimed(
				this.#operation,
				identities.map(({ name }) => name),
			);
		const { details, execution } = earlier;
		const isMoney = this.#operation.effect === 'money';
		const isUnknown = details.outcome === 'unknown';
		const isFinal = execution === this.#execution ? isMoney || isUnknown : isMoney && isUnknown;
		if (!isFinal) return undefined;
		throw details.httpStatus === undefined ? new NoAnswerError(details) : new BankApiError(details);
	}
}
