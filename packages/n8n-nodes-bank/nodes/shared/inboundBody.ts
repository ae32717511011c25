import { createHash } from 'node:crypto';

import { isRecord, outlineOf, parseExact } from '@bank/core';
import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * What a call to a trigger brings. Anybody may call, so whatever it is must neither stop n8n nor fill it: a body is read within limits,
 * and what is remembered of it is a digest.
 */

/** What n8n adds to the request of Express, and does not say in its types. */
export function requestOf(context: IWebhookFunctions): {
	rawBody?: Buffer;
	contentType?: string;
	/** The charset, in small letters. */
	encoding?: string;
	readRawBody?: () => Promise<void>;
} {
	return context.getRequestObject();
}

/** `bytes` is absent where n8n has not kept them: it takes multipart apart while reading. */
export type RawBody = { ok: true; bytes: Buffer | undefined } | { ok: false; why: string };

/**
 * The body byte for byte. n8n reads only some content types by itself; of the others a reading may fail here (cut off,
 * too large, not gzip).
 */
export async function rawBodyOf(context: IWebhookFunctions): Promise<RawBody> {
	const request = requestOf(context);
	if (request.rawBody !== undefined) return { ok: true, bytes: request.rawBody };
	if (request.contentType?.startsWith('multipart/') === true) return { ok: true, bytes: undefined };
	try {
		await request.readRawBody?.();
		return { ok: true, bytes: request.rawBody ?? Buffer.alloc(0) };
	} catch (error) {
		return { ok: false, why: (error as Error).message };
	}
}

/** n8n takes up to 16 MiB. A run of this size can be stored, and shown in the editor. */
const mostBytes = 4 * 1024 * 1024;

/** `status` is what it is refused with, `why` is for the log. */
export type Body = { ok: true; value: unknown; text: () => string } | { ok: false; status: 413 | 422; why: string };

/** n8n parses the usual content types. Of the others the bank may use any, and long numbers must be read again, exactly. */
export function bodyOf(context: IWebhookFunctions, raw: RawBody): Body {
	const refused = (why: string, status: 413 | 422 = 422): Body => ({ ok: false, status, why });
	if (!raw.ok) return refused(raw.why);
	if (raw.bytes === undefined) {
		const parsed: unknown = context.getBodyData();
		const { data, files } = isRecord(parsed) ? parsed : {};
		if (Object.keys(files ?? {}).length > 0) return refused('it is a form with files');
		return withinLimits(data);
	}
	if (raw.bytes.length > mostBytes)
		return refused(`it has ${raw.bytes.length} bytes, and ${mostBytes} are the limit`, 413);
	const whole = textOfBody(context, raw.bytes);
	const text = () => whole;
	const json = whole.replace(/^\uFEFF/, '').trim();
	if (json === '') return { ok: true, value: undefined, text };
	const outline = outlineOf(json);
	if (/^[[{]/.test(json) && outline.isTooDeep) return refused(tooDeep);
	const parsed: unknown = context.getBodyData();
	const { contentType } = requestOf(context);
	if (contentType === 'application/json' && parsed !== undefined && !outline.hasLongNumbers)
		return { ok: true, value: parsed, text };
	const exact = parseExact(json, outline);
	if (exact.ok) return { ok: true, value: exact.value, text };
	// A form or XML, which n8n has made an object of.
	return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0
		? withinLimits(parsed, text)
		: refused('it is not whole JSON');
}

const tooDeep = 'it is nested too deeply';

/** Of what was no JSON, the limits can only be held against what n8n has made of it. */
function withinLimits(value: unknown, text?: () => string): Body {
	try {
		const json = JSON.stringify(value) ?? '';
		if (json.length > mostBytes)
			return { ok: false, status: 413, why: `it has more than ${mostBytes} bytes, which are the limit` };
		if (!outlineOf(json).isTooDeep) return { ok: true, value, text: text ?? (() => json) };
	} catch {
		// Nested so deep that it cannot even be written.
	}
	return { ok: false, status: 422, why: tooDeep };
}

/**
 * In the charset that n8n has understood, and read as n8n reads it where it can: what is held against the limits has to be what n8n has
 * parsed. UTF-8 where the sender names none, or one that nobody knows.
 */
function textOfBody(context: IWebhookFunctions, bytes: Buffer): string {
	const { encoding = 'utf-8' } = requestOf(context);
	if (Buffer.isEncoding(encoding)) return bytes.toString(encoding);
	try {
		return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
	} catch {
		return bytes.toString();
	}
}

/** What is remembered of something that was sent: always as long, whatever the sender makes of it. */
export function digestOf(...parts: string[]): string {
	const hash = createHash('sha256');
	// With their lengths, so that no two lists of parts run together, and in UTF-16, in which halves of a character differ too.
	for (const part of parts) hash.update(`${part.length} `).update(part, 'utf16le');
	return hash.digest('hex');
}

const longestIdentifier = 200;

/** An identifier to show and to compare. What is longer than any identifier is named by its digest. */
export function shortIdentifier(id: string): string {
	return id.length > longestIdentifier ? digestOf(id) : id;
}
