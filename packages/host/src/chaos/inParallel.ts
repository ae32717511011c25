/** Runs `work` for all elements in order, at most `atOnce` at a time. */
export async function inParallel<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
	const left = all.values();
	// All workers share one iterator, and each takes the next element.
	const worker = async () => {
		for (const one of left) await work(one);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}
