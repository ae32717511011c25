/** The most recently added keys, each with an optional value. When the set is full, the oldest key is removed. */
export class BoundedSet<Value = undefined> {
	readonly #entries = new Map<string, Value | undefined>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	has(key: string): boolean {
		return this.#entries.has(key);
	}

	get(key: string): Value | undefined {
		return this.#entries.get(key);
	}

	/** The keys, oldest first. */
	keys(): string[] {
		return [...this.#entries.keys()];
	}

	/** A key that is already there keeps its value and its age. */
	add(key: string, value?: Value): void {
		if (this.#entries.has(key)) return;
		this.#entries.set(key, value);
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
	}

	/** Adds a key, or makes a key that is already there the newest. */
	renew(key: string, value?: Value): void {
		this.forget(key);
		this.add(key, value);
	}

	forget(key: string): void {
		this.#entries.delete(key);
	}
}
