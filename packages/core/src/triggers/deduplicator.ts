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

	has(key: string): boolean {
		return this.#stored.has(key);
	}

	/**
	 * Waits until none of the keys is being stored, then calls `decide`. Until then it is unknown whether an event is a
	 * duplicate: if storing the first delivery failed, the next one must be stored. `decide` runs synchronously after the
	 * check, so it can safely call `begin`.
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
				this.#written.delete(key);
				if (stored) this.#stored.add(key);
			}
			end();
		};
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
	text(more: readonly string[] = []): string {
		const keys = [...this.#stored.keys(), ...this.#written, ...more];
		for (const key of more) if (this.#inProgress.has(key)) this.#written.add(key);
		this.#merged = JSON.stringify(keys.slice(-maxPersisted));
		return this.#merged;
	}
}
