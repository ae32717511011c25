import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
	/** Completes "… did not happen within 240 s". */
	what: string;
	/** Default: 4 minutes. It only ends polls that hang, so it is long enough for a busy machine. */
	timeoutMs?: number;
	intervalMs?: number;
	/** Text to add to the error, such as the end of a log. */
	detail?: () => string;
}

/** Calls `ask` until it returns something other than undefined or false. An error of `ask` ends the polling. */
export async function pollUntil<T>(
	ask: () => Promise<T>,
	{ what, timeoutMs = 240_000, intervalMs = 100, detail }: PollOptions,
): Promise<Exclude<T, undefined | false>> {
	const deadline = performance.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
		if (performance.now() > deadline)
			throw new Error([`${what} did not happen within ${timeoutMs / 1000} s`, detail?.() ?? ''].join('\n').trim());
		await sleep(intervalMs);
	}
}
