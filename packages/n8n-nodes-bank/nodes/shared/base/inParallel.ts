/** The values in parts of at most `size`, in order. */
export const chunk = <One>(values: readonly One[], size: number): One[][] =>
	Array.from({ length: Math.ceil(values.length / size) }, (_, part) => values.slice(part * size, (part + 1) * size));

/**
 * Runs `work` for all elements in order, at most `limit` at a time, and starts no more once `stopped` returns true.
 * Resolves when everything that was started has ended.
 */
export async function inParallel<One>(
	all: readonly One[],
	limit: number,
	work: (one: One) => Promise<void>,
	stopped: () => boolean,
): Promise<void> {
	const left = all.values();
	const worker = async () => {
		while (!stopped()) {
			const { done, value } = left.next();
			if (done === true) return;
			await work(value);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, all.length) }, worker));
}
