import { type FailureDetails, type Fault, InputError, type Operation, type PreparedRequest } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

/** How many requests a node remembers; the oldest go first. */
const remembered = { mode: 'entries' as const, maxEntries: 10_000 };

/**
 * Requests that the bank allows once (part 8), over all executions of the workflow, in n8n's store of processed data. The store has
 * no lock: two executions at the same moment may both send, and the bank then refuses the second.
 */
export class OnceOnly {
	readonly #context: IExecuteFunctions;
	readonly #operation: Operation;
	readonly #baseUrl: string;
	/** Claims of this run that were the first; those of earlier runs are not this run's to give back. */
	readonly #own = new Set<string>();

	constructor(context: IExecuteFunctions, operation: Operation, baseUrl: string) {
		this.#context = context;
		this.#operation = operation;
		this.#baseUrl = baseUrl;
	}

	/** @throws InputError where the request was sent before, unless the user wants it again */
	async claim(prepared: PreparedRequest, askAgain: boolean): Promise<void> {
		if (this.#operation.once !== true) return;
		const key = this.#key(prepared);
		const { processed } = await this.#context.helpers.checkProcessedAndRecord([key], 'node', remembered);
		if (processed.length === 0) this.#own.add(key);
		else if (!askAgain) throw new InputError([sentBefore(this.#operation)]);
	}

	/** The bank said no, or was never asked: the next try is the first again. */
	async release(prepared: PreparedRequest, { outcome }: FailureDetails): Promise<void> {
		const key = this.#key(prepared);
		if (this.#own.has(key) && (outcome === 'rejected' || outcome === 'notSent'))
			await this.#context.helpers.removeProcessed([key], 'node', remembered);
	}

	#key(prepared: PreparedRequest): string {
		return `${this.#operation.id} ${this.#baseUrl}${prepared.url}`;
	}
}

function sentBefore({ name }: Operation): Fault {
	return {
		path: 'appId',
		message: `was given to ${name} before, and the bank allows it only once. Read the result instead, or switch on the option Ask Again`,
	};
}

/** The same request for several items of one run. */
export function repeatedFaults(
	operation: Operation,
	requests: readonly { item: number; prepared: PreparedRequest }[],
): Map<number, Fault> {
	const first = new Map<string, number>();
	const faults = new Map<number, Fault>();
	if (operation.once !== true) return faults;
	for (const { item, prepared } of requests) {
		const earlier = first.get(prepared.url);
		if (earlier === undefined) first.set(prepared.url, item);
		else
			faults.set(item, {
				path: 'appId',
				message: `is that of item ${earlier} as well, and the bank allows ${operation.name} only once. Remove repeated items before this node`,
				item,
			});
	}
	return faults;
}
