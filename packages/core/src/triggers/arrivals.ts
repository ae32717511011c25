import { BoundedMemory } from '../memory.ts';

/** How many events or orders may come at once. More would push each other out of the memory of repeats. */
export const mostOfOneDelivery = 10_000;

/**
 * What has arrived of late and is stored, and what is being stored at this moment. It knows keys only, and those are digests: who
 * sends must not decide how much is kept. The memory is one of the process; `text` is what may outlive it.
 */
export class ArrivalMemory {
	#stored: BoundedMemory;
	readonly #underWay = new Map<string, Promise<void>>();
	readonly #limit: number;
	readonly #kept: number;
	#merged: string | undefined;

	/** @param limit how many to know, @param kept how many of them `text` holds */
	constructor(limit = mostOfOneDelivery, kept = 2_000) {
		this.#stored = new BoundedMemory(limit);
		this.#limit = limit;
		this.#kept = kept;
	}

	has(key: string): boolean {
		return this.#stored.has(key);
	}

	/**
	 * Decides once none of the keys is under way any more. Whether a repeat is one is not known before: where the first could not be
	 * stored, the repeat is all there is. `decide` runs in one go with the look at them, so that nothing comes between it and `begin`.
	 */
	async decide<Decision>(keys: readonly string[], decide: () => Decision): Promise<Decision> {
		for (;;) {
			const key = keys.find((one) => this.#underWay.has(one));
			if (key === undefined) return decide();
			await this.#underWay.get(key);
		}
	}

	/** These are about to be stored. To be called back with whether they were. */
	begin(keys: readonly string[]): (stored: boolean) => void {
		let end = (): void => undefined;
		const ended = new Promise<void>((resolve) => (end = resolve));
		for (const key of keys) this.#underWay.set(key, ended);
		return (stored) => {
			for (const key of keys) {
				this.#underWay.delete(key);
				if (stored) this.#stored.add(key);
			}
			end();
		};
	}

	/** Takes in what was kept before this process, or by another. What is known from here is the newer. */
	merge(text: unknown): void {
		if (typeof text !== 'string' || text === '' || text === this.#merged) return;
		this.#merged = text;
		const kept: unknown = JSON.parse(text);
		const own = this.#stored.keys();
		this.#stored = new BoundedMemory(this.#limit);
		for (const key of Array.isArray(kept) ? kept : []) this.#stored.add(String(key));
		for (const key of own) this.#stored.add(key);
	}

	/** @param more what is to be kept besides, because it is stored when the text is */
	text(more: readonly string[] = []): string {
		this.#merged = JSON.stringify([...this.#stored.keys(), ...more].slice(-this.#kept));
		return this.#merged;
	}
}
