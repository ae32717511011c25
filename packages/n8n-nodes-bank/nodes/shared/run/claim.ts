import { createHash } from 'node:crypto';

import {
	BankApiError,
	type CallResult,
	type FailureDetails,
	InputError,
	noAnswer,
	NoAnswerError,
	type Operation,
	type PreparedRequest,
} from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { identityOf, onceField } from './identity.ts';
import type { Sealed } from './seal.ts';

/** What the memory needs of n8n. No other room asks for it. */
export type ClaimContext = Pick<IExecuteFunctions, 'evaluateExpression' | 'getContext' | 'getExecutionId'> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;
};

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

/** How many requests that the bank allows once a node remembers; the oldest go first. */
const remembered = { mode: 'entries' as const, maxEntries: 10_000 };

/**
 * Who may send: the one place that knows what was sent before.
 *
 * Within an execution the node's context tells, which n8n keeps over *Retry On Fail* (that runs the whole node again with all
 * items, even when only one of them failed) and over "Retry execution". An accepted request is answered from it. A rerun never
 * sends again a payment that failed, nor anything else whose outcome is unknown; when the user retries the execution, only an
 * unknown payment stays unsent.
 *
 * Over all executions n8n's store of processed data tells, for what the bank allows once (part 8). That store has no lock: two
 * executions at the same moment may both send, and the bank then refuses the second.
 */
export class Claims {
	readonly #context: ClaimContext;
	readonly #operation: Operation;
	readonly #baseUrl: string;
	readonly #entries: Record<string, Entry>;
	readonly #keys: Record<string, string>;
	readonly #execution: string;
	readonly #runIndex: string;
	/** Once-only claims of this run that were the first; those of earlier runs are not this run's to give back. */
	readonly #own = new Set<string>();

	constructor(context: ClaimContext, operation: Operation, baseUrl: string) {
		// Absent before the first run, and ours alone after it.
		const kept: { bankLedger?: Record<string, Entry>; bankLedgerKeys?: Record<string, string> } =
			context.getContext('node');
		this.#context = context;
		this.#operation = operation;
		this.#baseUrl = baseUrl;
		this.#entries = kept.bankLedger ??= {};
		this.#keys = kept.bankLedgerKeys ??= {};
		this.#execution = context.getExecutionId();
		this.#runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/**
	 * Before sending. Resolves with the answer of an earlier try, if the request was accepted then; else it is ours to send.
	 * @throws the failure of an earlier try, if it must not be sent again
	 * @throws InputError where the bank allows the request once, and it was sent before
	 */
	async claim(sealed: Sealed): Promise<Accepted | undefined> {
		if (!this.#isKept) return undefined;
		const key = this.#key(sealed);
		const recalled = this.#recall(key);
		if (recalled !== undefined) return recalled;
		await this.#claimOnce(sealed);
		this.#entries[key] = { state: 'claimed' };
		return undefined;
	}

	accepted(sealed: Sealed, result: CallResult): Accepted {
		const accepted = { sent: sealed.prepared.input, result, at: Date.now() };
		if (this.#isKept) this.#entries[this.#key(sealed)] = { state: 'accepted', ...accepted };
		return accepted;
	}

	/** The bank said no, or was never asked: the next try is the first again. What is unknown stays claimed. */
	async failed(sealed: Sealed, details: FailureDetails): Promise<void> {
		if (!this.#isKept) return;
		this.#entries[this.#key(sealed)] = { state: 'failed', execution: this.#execution, details };
		const once = this.#onceKey(sealed);
		if (this.#own.has(once) && (details.outcome === 'rejected' || details.outcome === 'notSent'))
			await this.#context.helpers.removeProcessed([once], 'node', remembered);
	}

	/** Reading twice changes nothing, and a rerun wants what is true now. */
	get #isKept(): boolean {
		return this.#operation.effect !== 'read';
	}

	/**
	 * What identifies a request of this run; its position tells equal requests apart. In one execution the place is enough: a
	 * rerun has the same items, and an expression with a time or a random number makes no other request of them.
	 */
	#key({ planned: { position }, prepared }: Sealed): string {
		const place = [this.#execution, this.#runIndex, this.#operation.id, position].join(' ');
		return (this.#keys[place] ??= createHash('sha256')
			.update([this.#runIndex, position, this.#baseUrl, identityOf(this.#operation, prepared)].join('\n'))
			.digest('hex'));
	}

	#recall(key: string): Accepted | undefined {
		const earlier = this.#entries[key];
		if (earlier === undefined) return undefined;
		if (earlier.state === 'accepted') return earlier;
		if (earlier.state === 'claimed') throw noAnswer(this.#operation, { code: 'ERR_CANCELED' });
		const { details, execution } = earlier;
		const isMoney = this.#operation.effect === 'money';
		const isUnknown = details.outcome === 'unknown';
		const isFinal = execution === this.#execution ? isMoney || isUnknown : isMoney && isUnknown;
		if (!isFinal) return undefined;
		throw details.httpStatus === undefined ? new NoAnswerError(details) : new BankApiError(details);
	}

	async #claimOnce(sealed: Sealed): Promise<void> {
		const operation = this.#operation;
		if (operation.once !== true) return;
		const key = this.#onceKey(sealed);
		const { processed } = await this.#context.helpers.checkProcessedAndRecord([key], 'node', remembered);
		if (processed.length === 0) this.#own.add(key);
		else if (!sealed.planned.isAskedAgain) {
			const message =
				`was given to ${operation.name} before, and the bank allows it only once. ` +
				`Read the result instead, or switch on the option Ask Again`;
			throw new InputError([{ path: onceField(operation), message }]);
		}
	}

	#onceKey({ prepared }: Sealed): string {
		return `${this.#operation.id} ${this.#baseUrl}${prepared.url}`;
	}
}
