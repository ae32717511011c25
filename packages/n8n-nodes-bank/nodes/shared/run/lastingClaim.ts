import { alreadyClaimed, type Operation } from '@bank/core';

import type { Connection } from './connection.ts';
import { digestOf } from './identity.ts';
import type { Planned } from './plan.ts';

/** The memory that outlives the run: whoever writes a digest first has it, over executions, nodes of the workflow, workers and crashes. */
export interface LastingMemory {
	/** All of them become the caller's, or none: then those that somebody has already. */
	claim(digests: readonly string[]): Promise<{ taken: readonly string[] }>;
	release(digests: readonly string[]): Promise<void>;
}

/**
 * Claims what a request is about, all of it or nothing.
 * @returns the digests that are the caller's own now, and that it may give back
 * @throws NoAnswerError where something of it is claimed already, with the names of that
 * @throws NodeOperationError where it is not certain who has claimed it
 */
export async function claimForGood(
	operation: Operation,
	connection: Pick<Connection, 'environment' | 'baseUrl'>,
	memory: LastingMemory,
	{ identities, again }: Pick<Planned, 'identities' | 'again'>,
): Promise<readonly string[]> {
	if (identities.length === 0) return [];
	const names = new Map(identities.map(({ name, value }) => [digestOf(connection, value), name]));
	// In the order of the identities, which a person knows: that of the digests is as good as none.
	const refuse = (taken: readonly string[]) => {
		const theirs = new Set(taken);
		return alreadyClaimed(
			operation,
			[...names].flatMap(([digest, name]) => (theirs.has(digest) ? [name] : [])),
		);
	};
	const all = [...names.keys()];
	const { taken } = await memory.claim(all);
	if (taken.length === 0) return all;
	if (again === true) return [];
	if (again === undefined) throw refuse(taken);

	// A word is a claim as well: whoever presses twice, or is called twice, sends once more and not twice.
	const words = taken.map((digest) => digestOf(connection, [digest, again]));
	const anew = [...all.filter((digest) => !taken.includes(digest)), ...words];
	const second = await memory.claim(anew);
	if (second.taken.length === 0) return anew;
	// Also what was claimed by a name of its own a moment ago.
	throw refuse([...taken, ...second.taken]);
}
