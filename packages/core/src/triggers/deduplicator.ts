import { BoundedSet } from '../boundedSet.ts';

/** With more events or orders in one delivery, the deduplicator would forget the first ones. */
export const maxPerDelivery = 10_000;

const maxPersisted = 2_000;

/**
 * Remembers the keys of events that were stored recently or are being stored. Keys are hashes, so that senders cannot
 * fill the memory with long identifiers. Kept in process memory; `text` returns it for persisting.
 */
export class Deduplicator {
	#stored = new BoundedSet(maxPerDelivery);
	readonly #inProgress = new Map<string, Promise<void>>();
	/** Keys in progress that are in a text already. The next text replaces it, so it must have them too. */
	readonly #written = new Set<string>();
	#merged: string | undefined;

	/**
	 * Marks the keys that are not stored yet as being stored. Waits for deliveries with the same keys: whether these are duplicates is
	 * unknown until the others are stored or have failed.
	 * @returns the marked keys, and a function to call with whether storing them succeeded
	 */
	async claim(keys: readonly string[]): Promise<{ fresh: Set<string>; end: (stored: boolean) => void }> {
		const running = () => keys.map((key) => this.#inProgress.get(key)).find((one) => one !== undefined);
		while (running() !== undefined) await running();
		const fresh = new Set(keys.filter((key) => !this.#stored.has(key)));
		const { promise, resolve } = Promise.withResolvers<void>();
		for (const key of fresh) this.#inProgress.set(key, promise);
		const end = (stored: boolean) => {
			for (const key of fresh) {
				this.#inProgress.delete(key);
				this.#written.delete(key);
				if (stored) this.#stored.add(key);
			}
			resolve();
		};
		return { fresh, end };
	}

	/** Adds the keys of a persisted text as older than its own. */
	merge(text: unknown): void {
		if (typeof text !== 'string' || text === '' || text === this.#merged) return;
		this.#merged = text;
		const kept: unknown = JSON.parse(text);
		const own = this.#stored.keys();
		this.#stored = new BoundedSet(maxPerDelivery);
		for (const key of Array.isArray(kept) ? kept : []) this.#stored.add(String(key));
		for (const key of own) this.#stored.add(key);
	}

	/** @param more keys to include because they are about to be stored */
	text(more: Iterable<string> = []): string {
		const keys = [...this.#stored.keys(), ...this.#written, ...more];
		for (const key of more) if (this.#inProgress.has(key)) this.#written.add(key);
		this.#merged = JSON.stringify(keys.slice(-maxPersisted));
		return this.#merged;
	}
}
