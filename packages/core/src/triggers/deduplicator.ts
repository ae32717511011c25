import { BoundedSet } from '../boundedSet.ts';

/** With more events or orders in one delivery, the deduplicator would forget the first ones. */
export const maxPerDelivery = 10_000;

const maxPersisted = 2_000;

/**
 * Remembers the keys of events that were stored recently or are being stored. Keys are hashes, so that senders cannot
 * fill the memory with long identifiers.
 */
export class Deduplicator {
	readonly #stored = new BoundedSet(maxPerDelivery);
	readonly #inProgress = new Map<string, Promise<void>>();
	/** The latest persisted text. Its keys are in the memory already. */
	#persisted: unknown;

	/**
	 * Marks the keys that are not stored yet as being stored. Waits for deliveries with the same keys: whether these are duplicates is
	 * unknown until the others are stored or have failed. Keys that had to wait are not marked if the sender has gone meanwhile: it will
	 * deliver them again, and nobody would read a response to this delivery.
	 * @returns the marked keys, and a function to call with whether storing them succeeded; the last call counts
	 */
	async claim(
		keys: readonly string[],
		isSenderGone: () => boolean,
	): Promise<{ fresh: Set<string>; end: (stored: boolean) => void }> {
		const waited = new Set<string>();
		const isRunning = (key: string) => this.#inProgress.has(key);
		for (let key = keys.find(isRunning); key !== undefined; key = keys.find(isRunning)) {
			for (const one of keys.filter(isRunning)) waited.add(one);
			await this.#inProgress.get(key);
		}
		const isGone = isSenderGone();
		const fresh = new Set(keys.filter((key) => !this.#stored.has(key) && !(isGone && waited.has(key))));
		const { promise, resolve } = Promise.withResolvers<void>();
		for (const key of fresh) this.#inProgress.set(key, promise);
		const end = (stored: boolean) => {
			for (const key of fresh) {
				this.#inProgress.delete(key);
				if (stored) this.#stored.add(key);
				else this.#stored.forget(key);
			}
			resolve();
		};
		return { fresh, end };
	}

	/** Adds the keys of a persisted text. */
	merge(text: unknown): void {
		if (text === this.#persisted) return;
		this.#persisted = text;
		const kept: unknown = typeof text === 'string' ? JSON.parse(text) : [];
		for (const key of Array.isArray(kept) ? kept : []) this.#stored.add(String(key));
	}

	/** The latest stored keys, for persisting. */
	text(): string {
		const text = JSON.stringify(this.#stored.keys().slice(-maxPersisted));
		this.#persisted = text;
		return text;
	}
}
