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
	if (typeof again === 'string') return await claimByWord(connection, memory, all, again, refuse);
	const { taken } = await memory.claim(all);
	if (taken.length === 0) return all;
	if (again === true) return [];
	throw refuse(taken);
}

/**
 * A word is a claim as well, also of what nobody has sent yet: whoever presses twice, or is called twice, sends once with it. It comes
 * first, so that of two callers with the same word one gives up before it has claimed anything else.
 */
async function claimByWord(
	connection: Pick<Connection, 'environment' | 'baseUrl'>,
	memory: LastingMemory,
	all: readonly string[],
	word: string,
	refuse: (taken: readonly string[]) => Error,
): Promise<readonly string[]> {
	const words = new Map(all.map((digest) => [digestOf(connection, [digest, word]), digest]));
	const own = [...words.keys()];
	const { taken } = await memory.claim(own);
	if (taken.length > 0) throw refuse(taken.map((digest) => words.get(digest) ?? ''));
	let anew: readonly string[] | undefined;
	try {
		anew = await claimAnew(memory, all, refuse);
		return [...own, ...anew];
	} finally {
		// Nothing is sent: the word may be used again. Where that cannot be written down, it counts as used.
		if (anew === undefined) await memory.release(own).catch(() => undefined);
	}
}

/** Of what is to be sent in any case: those that nobody has claimed before. */
async function claimAnew(
	memory: LastingMemory,
	all: readonly string[],
	refuse: (taken: readonly string[]) => Error,
): Promise<readonly string[]> {
	const { taken } = await memory.claim(all);
	if (taken.length === 0) return all;
	const anew = all.filter((digest) => !taken.includes(digest));
	const lost = anew.length === 0 ? [] : (await memory.claim(anew)).taken;
	// By a name of its own, a moment ago.
	if (lost.length > 0) throw refuse([...taken, ...lost]);
	return anew;
}
