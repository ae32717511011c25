/**
 * Orders parallel reads from one bank. After the first 429 they run one after another; otherwise new requests would
 * overtake the retries until these run out of attempts.
 */
export class Throttle {
	#last: Promise<unknown> | undefined;

	get isThrottled(): boolean {
		return this.#last !== undefined;
	}

	/** Runs after all earlier work has settled. The first call switches to throttled mode. */
	async runExclusively<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = (this.#last ?? Promise.resolve()).then(async () => await work());
		this.#last = result.catch(() => undefined);
		return await result;
	}
}
