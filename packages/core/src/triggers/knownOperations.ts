import type { RowKey } from '../rows.ts';

/** An operation that was read, as far as needed to recognize it. */
export interface KnownOperation extends RowKey {
	day: string;
	/** Digest of the operation without its status. */
	digest: string;
	/** Whether the unfinished pass has read it. */
	isMet?: boolean;
}

/** Identifies an operation and its state. An `id` alone does not: several operations may share it. */
export const stateIdOf = ({ id, status, digest }: KnownOperation): string =>
	[id, status ?? '', digest].filter(Boolean).join(' ');

/** An identifier that more operations share says nothing, and comparing all of them would take quadratic time. */
const maxRivals = 1000;

/** The operations that were read, by identifier and by state. */
export class KnownOperations implements Iterable<KnownOperation> {
	readonly #byId: Map<string, KnownOperation[]>;
	readonly #byState = new Map<string, KnownOperation>();

	constructor(known: readonly KnownOperation[] = []) {
		this.#byId = Map.groupBy(known, ({ id }) => id);
		for (const one of known) this.#byState.set(stateIdOf(one), one);
	}

	get size(): number {
		return this.#byState.size;
	}

	*[Symbol.iterator](): Generator<KnownOperation, void> {
		for (const group of this.#byId.values()) yield* group;
	}

	/** The operation with the same content and status. */
	equalTo(row: KnownOperation): KnownOperation | undefined {
		return this.#byState.get(stateIdOf(row));
	}

	/** Operations that a row with this identifier may be, the latest ones if there are many. */
	withId({ id }: Pick<KnownOperation, 'id'>): KnownOperation[] {
		return (this.#byId.get(id) ?? []).slice(-maxRivals);
	}

	add(row: KnownOperation): void {
		const group = this.#byId.get(row.id);
		if (group === undefined) this.#byId.set(row.id, [row]);
		else group.push(row);
		this.#byState.set(stateIdOf(row), row);
	}

	change(known: KnownOperation, row: KnownOperation): void {
		this.#byState.delete(stateIdOf(known));
		Object.assign(known, row);
		this.#byState.set(stateIdOf(known), known);
	}
}
