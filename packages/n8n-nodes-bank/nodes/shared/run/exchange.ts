import type { SendFault } from '@bank/core';

/**
 * The bounds of one exchange: n8n's time-out only watches for silence, so that an answer which drips, or a connection that is switched
 * to another protocol, would never end; and it takes answers of any size.
 */
export interface Bounds {
	/** Seconds for the whole exchange, the last byte of the answer included. */
	seconds: number;
	/** The largest answer that is read, in bytes. */
	bytes: number;
}

/** Why an exchange was broken off by us, and not by the bank. */
export class BrokenOff extends Error {
	readonly fault: SendFault;

	constructor(fault: SendFault) {
		super(fault.message);
		this.fault = fault;
	}
}

/** A running exchange: ends when its time is over or the execution is stopped, whichever comes first. */
export class Exchange {
	/** For whoever sends: aborts the request. */
	readonly signal: AbortSignal;
	readonly #bounds: Bounds;
	readonly #stopped: AbortSignal | undefined;
	readonly #deadline: AbortSignal;

	constructor(bounds: Bounds, stopped: AbortSignal | undefined) {
		this.#bounds = bounds;
		this.#stopped = stopped;
		this.#deadline = AbortSignal.timeout(bounds.seconds * 1000);
		this.signal = stopped === undefined ? this.#deadline : AbortSignal.any([stopped, this.#deadline]);
	}

	/** @throws BrokenOff as soon as the exchange is over, whether or not what it waits for takes notice. */
	async within<T>(work: Promise<T>): Promise<T> {
		const { signal } = this;
		// Whoever sends has nobody left to tell.
		work.catch(() => undefined);
		if (signal.aborted) throw this.#brokenOff();
		let stop = () => {};
		const over = new Promise<never>((_, reject) => {
			stop = () => reject(this.#brokenOff());
			signal.addEventListener('abort', stop, { once: true });
		});
		try {
			return await Promise.race([work, over]);
		} catch (error) {
			// Both may have ended by the same signal; ours says which it was.
			throw signal.aborted ? this.#brokenOff() : error;
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}

	/** The bytes of a body, whatever n8n's helper has made of it. */
	async bytesOf(body: unknown): Promise<Buffer> {
		if (!isStream(body)) return this.#bounded(bytesIn(body));
		const chunks: Buffer[] = [];
		let size = 0;
		const stream = body[Symbol.asyncIterator]();
		try {
			for (;;) {
				const { done, value } = await this.within(stream.next());
				if (done === true) return Buffer.concat(chunks);
				const chunk = bytesIn(value);
				size += chunk.length;
				if (size > this.#bounds.bytes) throw this.#tooLarge();
				chunks.push(chunk);
			}
		} finally {
			// Closes the connection where the body was not read to its end.
			body.destroy?.();
		}
	}

	#bounded(bytes: Buffer): Buffer {
		if (bytes.length > this.#bounds.bytes) throw this.#tooLarge();
		return bytes;
	}

	#tooLarge(): BrokenOff {
		const megabytes = Math.round(this.#bounds.bytes / 1024 / 1024);
		return new BrokenOff({ code: 'ANSWER_TOO_LARGE', message: `more than ${megabytes} MB` });
	}

	#brokenOff(): BrokenOff {
		if (this.#stopped?.aborted === true) return new BrokenOff({ code: 'ERR_CANCELED' });
		const message = `no whole answer within ${this.#bounds.seconds} seconds`;
		return new BrokenOff({ code: 'ECONNABORTED', message });
	}
}

/** What Node gives for a body that is still arriving. */
interface Stream extends AsyncIterable<unknown> {
	destroy?: () => unknown;
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function bytesIn(body: unknown): Buffer {
	if (typeof body === 'string') return Buffer.from(body, 'utf8');
	if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	return Buffer.from(body === undefined || body === null ? '' : JSON.stringify(body));
}
