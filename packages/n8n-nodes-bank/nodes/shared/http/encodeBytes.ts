import { hash } from 'node:crypto';

import type { PreparedRequest } from '@bank/core';

/** A request with its final bytes. */
export interface RequestBytes {
	prepared: PreparedRequest;
	body?: Buffer;
	headers: Record<string, string>;
}

interface EncodedBytes extends Omit<RequestBytes, 'prepared'> {
	/** SHA-256 of method, URL and content, hexadecimal. */
	fingerprint: string;
}

/**
 * Encodes a request as bytes, which n8n's HTTP helper leaves unchanged. It would trim text and serialize objects again,
 * and it can send a form only once, even if a read is retried after a 401.
 */
export async function encodeBytes(prepared: PreparedRequest): Promise<EncodedBytes> {
	const { method, url, headers, parts } = prepared;
	const { body, type } = await encodeBody(prepared);
	// The boundary of a multipart form is random, so its parts stand for it.
	const content = prepared.body ?? (parts === undefined ? '' : JSON.stringify(parts));
	return {
		body,
		headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
		fingerprint: hash('sha256', `${method} ${url}\n${content}`),
	};
}

async function encodeBody({ body, parts }: PreparedRequest): Promise<{ body?: Buffer; type?: string }> {
	if (parts === undefined) return { body: body === undefined ? undefined : Buffer.from(body, 'utf8') };
	const form = new FormData();
	for (const part of parts) {
		if ('value' in part) form.append(part.name, part.value);
		else {
			const { base64, mimeType, fileName } = part.file;
			form.append(part.name, new Blob([Buffer.from(base64, 'base64')], { type: mimeType }), fileName);
		}
	}
	const encoded = new Response(form);
	return {
		body: Buffer.from(await encoded.arrayBuffer()),
		type: encoded.headers.get('content-type') ?? undefined,
	};
}
