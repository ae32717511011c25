import { hash } from 'node:crypto';

import type { PreparedRequest } from '@bank/core';

import type { OperationHooks, Read } from '../form/operationHooks.ts';
import type { Planned } from './plan.ts';
import type { ExtraFields, Run } from './run.ts';

/** A request with its final bytes: the same bytes are signed, claimed and sent. */
export interface EncodedRequest {
	planned: Planned;
	prepared: PreparedRequest;
	body?: Buffer;
	headers: Record<string, string>;
	/** SHA-256 of method, URL and content, hexadecimal. */
	fingerprint: string;
	/** Fields read from the bank before sending, for the output. */
	added: ExtraFields;
}

/**
 * Turns a job into its final bytes. Reads from the bank and signatures that the bytes depend on happen here.
 * @throws InputError if a hook rejects what it has read
 */
export async function encodeRequest(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	read: Read,
): Promise<EncodedRequest> {
	const { prepared = planned.prepared, added = {} } =
		(await hooks.amend?.(run, planned.job, planned.prepared, read)) ?? {};
	return { planned, prepared, added, ...(await encodeBytes(prepared)) };
}

/**
 * Encodes a request as bytes, which n8n's HTTP helper leaves unchanged. It would trim text and serialize objects again,
 * and it can send a form only once, even if a read is retried after a 401.
 */
export async function encodeBytes(
	prepared: PreparedRequest,
): Promise<Pick<EncodedRequest, 'body' | 'headers' | 'fingerprint'>> {
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
