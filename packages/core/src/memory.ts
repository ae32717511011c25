/**
 * The last so many keys, each with a value where there is one; the oldest are forgotten first. It lives in the memory of one process:
 * it forgets over a restart, and other processes have their own.
 */
export class BoundedMemory<Value = undefined> {
	// A map keeps the order in which its keys came.
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

	/** From the oldest to the newest. */
	keys(): string[] {
		return [...this.#entries.keys()];
	}

	/** False where the key was there already: it keeps its value and its age. */
	add(key: string, value?: Value): boolean {
		if (this.#entries.has(key)) return false;
		this.#entries.set(key, value);
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
		return true;
	}

	/** The key is the newest from now on, whether it was there or not. */
	renew(key: string, value?: Value): void {
		this.forget(key);
		this.add(key, value);
	}

	forget(key: string): void {
		this.#entries.delete(key);
	}
}
