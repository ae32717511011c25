/** Runs all, a limited number at a time, in order. */
export async function inParallel<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
	const left = all.values();
	// They share one iterator: each takes what is next.
	const worker = async () => {
		for (const one of left) await work(one);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}
