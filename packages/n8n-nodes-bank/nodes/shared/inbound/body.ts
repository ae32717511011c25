import { scanJson, parseLossless } from '@bank/core';
import type { IWebhookFunctions } from 'n8n-workflow';

/** Properties that n8n adds to the Express request without declaring them. */
interface ReadRequest {
	rawBody?: Buffer;
	contentType?: string;
	/** The charset, in lower case. */
	encoding?: string;
	readRawBody?: () => Promise<void>;
}

export type RawBody = { ok: true; bytes: Buffer } | { ok: false; why: string };

/**
 * The body byte for byte. n8n reads only some content types itself; for the others, reading may fail here (incomplete,
 * too large, not gzip).
 */
export async function readRawBody(context: IWebhookFunctions): Promise<RawBody> {
	const request: ReadRequest = context.getRequestObject();
	// n8n keeps no bytes of a form that may have files.
	if (request.contentType?.startsWith('multipart/') === true) return { ok: false, why: 'it is a form' };
	try {
		if (request.rawBody === undefined) await request.readRawBody?.();
		return { ok: true, bytes: request.rawBody ?? Buffer.alloc(0) };
	} catch (error) {
		return { ok: false, why: (error as Error).message };
	}
}

/** n8n accepts up to 16 MiB, but larger executions than this are hard to store and to show in the editor. */
const maxBytes = 4 * 1024 * 1024;

/** `status` is the status of the response, `why` is for the log. */
export type ParsedBody = { ok: true; value: unknown } | { ok: false; status: 413 | 422; why: string };

/** "All bodies are JSON" (part 1), of any content type. n8n's own parser would change long numbers. */
export function parseBody(context: IWebhookFunctions, raw: RawBody): ParsedBody {
	const rejected = (why: string, status: 413 | 422 = 422): ParsedBody => ({ ok: false, status, why });
	if (!raw.ok) return rejected(raw.why);
	if (raw.bytes.length > maxBytes)
		return rejected(`it has ${raw.bytes.length} bytes, and ${maxBytes} are the limit`, 413);
	const json = textOfBody(context, raw.bytes).trim();
	if (json === '') return { ok: true, value: undefined };
	const scan = scanJson(json);
	if (scan.excess !== undefined) return rejected(`it has ${scan.excess}`);
	const { ok, value } = parseLossless(json, scan);
	return ok ? { ok, value } : rejected('it is not valid JSON');
}

/** UTF-8 if the sender names no charset, or an unknown one. */
function textOfBody(context: IWebhookFunctions, bytes: Buffer): string {
	const { encoding }: ReadRequest = context.getRequestObject();
	try {
		return new TextDecoder(encoding).decode(bytes);
	} catch {
		return bytes.toString();
	}
}
