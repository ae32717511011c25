import { createHash } from 'node:crypto';

import type { PreparedRequest } from '@bank/core';

import type { Form, Read } from '../form.ts';
import type { Planned } from './plan.ts';
import type { Added, Run } from './run.ts';

/** A request whose bytes no longer change: what is signed, claimed and sent are the same. */
export interface Sealed {
	planned: Planned;
	prepared: PreparedRequest;
	/** The body, byte for byte; absent where there is none. */
	body?: Buffer;
	headers: Record<string, string>;
	/** SHA-256 of method, address and content, hexadecimal: two requests of one fingerprint are the same to the last byte. */
	fingerprint: string;
	/** What was learnt from the bank before sending, for the output. */
	added: Added;
}

/** The content of a request. A form counts by its parts: the boundary between them is drawn anew each time. */
export function contentOf({ body, parts }: PreparedRequest): string {
	return body ?? (parts === undefined ? '' : JSON.stringify(parts));
}

/**
 * Job -> exact bytes. Whatever must be asked of the bank or of a credential before the bytes are known is asked here, a signature too.
 * @throws InputError where the form refuses what it learnt
 */
export async function seal(run: Run, form: Form, planned: Planned, read: Read): Promise<Sealed> {
	const { prepared = planned.prepared, added = {} } =
		(await form.amend?.(run, planned.job, planned.prepared, read)) ?? {};
	return { planned, prepared, added, ...(await sealedRequest(prepared)) };
}

/**
 * The bytes of a request. Bytes, because n8n's HTTP helper leaves them alone: text it would trim, an object it would write again,
 * and a form it would send only once even where sending again is right (a read after a 401).
 */
export async function sealedRequest(
	prepared: PreparedRequest,
): Promise<Pick<Sealed, 'body' | 'headers' | 'fingerprint'>> {
	const { method, url, headers } = prepared;
	const { body, type } = await encoded(prepared);
	return {
		...(body === undefined ? {} : { body }),
		headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
		fingerprint: createHash('sha256')
			.update(`${method} ${url}\n${contentOf(prepared)}`)
			.digest('hex'),
	};
}

async function encoded({ body, parts }: PreparedRequest): Promise<{ body?: Buffer; type?: string }> {
	if (parts === undefined) return body === undefined ? {} : { body: Buffer.from(body, 'utf8') };
	const form = new FormData();
	for (const part of parts) {
		if ('value' in part) form.append(part.name, part.value);
		else {
			const { base64, mimeType, fileName } = part.file;
			form.append(part.name, new Blob([Buffer.from(base64, 'base64')], { type: mimeType }), fileName);
		}
	}
	// The platform's own encoder of multipart forms.
	const response = new Response(form);
	const type = response.headers.get('content-type');
	return { body: Buffer.from(await response.arrayBuffer()), ...(type === null ? {} : { type }) };
}
