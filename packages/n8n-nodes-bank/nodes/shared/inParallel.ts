/**
 * Runs `work` over the indices 0 … count - 1, at most `limit` at a time, and starts no more once `stopped` says so.
 * Resolves when everything that was started has ended.
 */
export async function inParallel(
	count: number,
	limit: number,
	work: (index: number) => Promise<void>,
	stopped: () => boolean,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count && !stopped()) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
}
