/**
 * What reads share that go to one bank side by side. Once it says that it is receiving too many requests (429), they go one after another,
 * each until it has its answer: otherwise those that wait would lose their place, and soon their last try, to those that do not.
 */
export class Throttle {
	#last: Promise<unknown> | undefined;

	get isThrottled(): boolean {
		return this.#last !== undefined;
	}

	/** Begins when all that came before has ended, well or not. From the first time on the bank is throttled. */
	async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		const turn = (this.#last ?? Promise.resolve()).then(async () => await work());
		this.#last = turn.catch(() => undefined);
		return await turn;
	}
}
