/** Runs `work` for all elements in order, at most `atOnce` at a time. Returns the results in the order of the elements. */
export async function inParallel<T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	const left = all.entries();
	// All workers share one iterator, and each takes the next element.
	const worker = async () => {
		for (const [index, one] of left) results[index] = await work(one);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}
