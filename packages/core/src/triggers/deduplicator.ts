import { BoundedSet } from '../boundedSet.ts';

/** More events or orders at once would push each other out of the deduplicator. */
export const maxPerDelivery = 10_000;

/**
 * Knows which events were stored recently and which are being stored. It keeps only hashes as keys, so that the sender
 * does not determine their size. Kept in process memory; `text` is for persisting it.
 */
export class Deduplicator {
	#stored: BoundedSet;
	readonly #inProgress = new Map<string, Promise<void>>();
	readonly #limit: number;
	readonly #kept: number;
	#merged: string | undefined;

	/**
	 * @param limit number of keys to remember
	 * @param kept number of keys in `text`
	 */
	constructor(limit = maxPerDelivery, kept = 2_000) {
		this.#stored = new BoundedSet(limit);
		this.#limit = limit;
		this.#kept = kept;
	}

	has(key: string): boolean {
		return this.#stored.has(key);
	}

	/**
	 * Waits until none of the keys is being stored, then calls `decide`. A repeat can only be judged then: if storing
	 * the first one failed, the repeat must be stored instead. `decide` runs synchronously after the check, so it can
	 * call `begin` safely.
	 */
	async decide<Decision>(keys: readonly string[], decide: () => Decision): Promise<Decision> {
		for (;;) {
			const key = keys.find((one) => this.#inProgress.has(one));
			if (key === undefined) return decide();
			await this.#inProgress.get(key);
		}
	}

	/** Marks keys as being stored. Call the returned function with whether storing succeeded. */
	begin(keys: readonly string[]): (stored: boolean) => void {
		let end = (): void => undefined;
		const ended = new Promise<void>((resolve) => (end = resolve));
		for (const key of keys) this.#inProgress.set(key, ended);
		return (stored) => {
			for (const key of keys) {
				this.#inProgress.delete(key);
				if (stored) this.#stored.add(key);
			}
			end();
		};
	}

	/** Adds the keys of a persisted text. Own keys count as newer. */
	merge(text: unknown): void {
		if (typeof text !== 'string' || text === '' || text === this.#merged) return;
		this.#merged = text;
		const kept: unknown = JSON.parse(text);
		const own = this.#stored.keys();
		this.#stored = new BoundedSet(this.#limit);
		for (const key of Array.isArray(kept) ? kept : []) this.#stored.add(String(key));
		for (const key of own) this.#stored.add(key);
	}

	/** @param more keys to include, because they are stored together with the text */
	text(more: readonly string[] = []): string {
		this.#merged = JSON.stringify([...this.#stored.keys(), ...more].slice(-this.#kept));
		return this.#merged;
	}
}
