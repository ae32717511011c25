import type { Wait } from '@bank/core';
import { sleep } from 'n8n-workflow';

/** Sleeps in slices so that a stopped execution ends soon. Resolves with false if it was stopped. */
export function waitUnlessCancelled(signal: AbortSignal | undefined): Wait {
	return async (milliseconds) => {
		const slice = 200;
		for (let left = milliseconds; left > 0; left -= slice) {
			if (signal?.aborted) return false;
			await sleep(Math.min(slice, left));
		}
		return signal?.aborted !== true;
	};
}
