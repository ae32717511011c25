/**
 * Reads a body in any form that n8n's helper returns. n8n limits neither the size of a response nor its size when decompressed.
 * @returns undefined if it is longer than `maxLength` bytes
 */
export async function readBody(body: unknown, maxLength: number): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const part of isStream(body) ? body : [body]) {
		const chunk = bytesIn(part);
		length += chunk.length;
		if (length > maxLength) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function bytesIn(body: unknown): Buffer {
	if (typeof body === 'string') return Buffer.from(body);
	if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	return Buffer.from(body === undefined || body === null ? '' : JSON.stringify(body));
}
