import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
	/** Completes "… did not happen within 30 s". */
	what: string;
	timeoutMs: number;
	intervalMs?: number;
	/** Additional text if the time is up, such as the end of a log. */
	detail?: () => string;
}

/** Calls `ask` until it returns a value or the time is up. An error of `ask` ends the polling. */
export async function pollUntil<T>(ask: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
	const deadline = performance.now() + options.timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (performance.now() > deadline) {
			const detail = options.detail?.();
			throw new Error(
				`${options.what} did not happen within ${options.timeoutMs / 1000} s${detail ? `\n${detail}` : ''}`,
			);
		}
		await sleep(options.intervalMs ?? 100);
	}
}
