import { type TransportError, wholeNumbers } from '@bank/core';
import { readBody } from '@bank/credentials';
import type { IDataObject } from 'n8n-workflow';

/**
 * Limits of one request. n8n's timeout only detects silence, so a slow response could take forever, and n8n does not
 * limit the size.
 */
export interface RequestLimits {
	/** Seconds until the last byte of the response. */
	seconds: number;
	/** Maximum size of the response in bytes. */
	bytes: number;
}

/** @throws InputError if an expression does not return a number: without a limit the outcome might stay unknown */
export function requestLimitsOf(options: IDataObject, seconds = 60): RequestLimits {
	const { timeout, maxResponseSize } = wholeNumbers({
		// Nobody can look for a payment until its request has ended, so the time is limited.
		timeout: { value: options.timeout ?? seconds, min: 1, max: 900 },
		maxResponseSize: { value: options.maxResponseSize ?? 16, min: 1 },
	});
	return { seconds: timeout, bytes: maxResponseSize * 1024 * 1024 };
}

export class AbortedExchange extends Error {
	readonly error: TransportError;

	constructor(error: TransportError) {
		super(error.message);
		this.error = error;
	}
}

/** Longest time that a timer can wait, in milliseconds (24 days). Node ends a longer timer at once. */
const longestTimer = 2 ** 31 - 1;

/** Aborts a request when its time is over or the execution is stopped. */
export class Deadline {
	readonly signal: AbortSignal;
	readonly #bounds: RequestLimits;
	readonly #stopped: AbortSignal | undefined;

	constructor(bounds: RequestLimits, stopped: AbortSignal | undefined) {
		this.#bounds = bounds;
		this.#stopped = stopped;
		const timeout = AbortSignal.timeout(Math.min(bounds.seconds * 1000, longestTimer));
		this.signal = stopped === undefined ? timeout : AbortSignal.any([stopped, timeout]);
	}

	/** @throws AbortedExchange as soon as the time is over or the execution is stopped, even if `work` goes on. */
	async within<T>(work: Promise<T>): Promise<T> {
		const { signal } = this;
		// Avoids an unhandled rejection after the abort.
		work.catch(() => undefined);
		if (signal.aborted) throw this.#aborted();
		let stop = () => {};
		const over = new Promise<never>((_, reject) => {
			stop = () => reject(this.#aborted());
			signal.addEventListener('abort', stop, { once: true });
		});
		try {
			return await Promise.race([work, over]);
		} catch (error) {
			// If the signal was aborted, `work` may have failed because of that.
			throw signal.aborted ? this.#aborted() : error;
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}

	/** Reads a body in any form that n8n's helper returns. */
	async bytesOf(body: unknown): Promise<Buffer> {
		try {
			const bytes = await this.within(readBody(body, this.#bounds.bytes));
			if (bytes !== undefined) return bytes;
			const megabytes = Math.round(this.#bounds.bytes / 1024 / 1024);
			throw new AbortedExchange({ code: 'RESPONSE_TOO_LARGE', message: `more than ${megabytes} MB` });
		} finally {
			// Closes the connection if the body was not read completely.
			(body as { destroy?: () => unknown } | null | undefined)?.destroy?.();
		}
	}

	#aborted(): AbortedExchange {
		if (this.#stopped?.aborted === true) return new AbortedExchange({ code: 'ERR_CANCELED' });
		const message = `no complete response within ${this.#bounds.seconds} seconds`;
		return new AbortedExchange({ code: 'ECONNABORTED', message });
	}
}
