import { isRecord, scanJson, parseLossless } from '@bank/core';
import type { IWebhookFunctions } from 'n8n-workflow';

/** Properties that n8n adds to the Express request without declaring them. */
export function requestOf(context: IWebhookFunctions): {
	rawBody?: Buffer;
	contentType?: string;
	/** The charset, in lower case. */
	encoding?: string;
	readRawBody?: () => Promise<void>;
} {
	return context.getRequestObject();
}

/** `bytes` is undefined for multipart bodies, which n8n parses while reading. */
export type RawBody = { ok: true; bytes: Buffer | undefined } | { ok: false; why: string };

/**
 * The body byte for byte. n8n reads only some content types itself; for the others, reading may fail here (incomplete,
 * too large, not gzip).
 */
export async function readRawBody(context: IWebhookFunctions): Promise<RawBody> {
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

/** n8n accepts up to 16 MiB, but larger executions than this are hard to store and to show in the editor. */
const maxBytes = 4 * 1024 * 1024;

/** `status` is the status of the response, `why` is for the log. */
export type ParsedBody =
	{ ok: true; value: unknown; text: () => string } | { ok: false; status: 413 | 422; why: string };

/**
 * The bank may use any content type, and long numbers must keep all digits. So the body is parsed as JSON first, and
 * n8n's parsed body is used only if that fails.
 */
export function parseBody(context: IWebhookFunctions, raw: RawBody): ParsedBody {
	const rejected = (why: string, status: 413 | 422 = 422): ParsedBody => ({ ok: false, status, why });
	if (!raw.ok) return rejected(raw.why);
	if (raw.bytes === undefined) {
		const parsed: unknown = context.getBodyData();
		const { data, files } = isRecord(parsed) ? parsed : {};
		if (Object.keys(files ?? {}).length > 0) return rejected('it is a form with files');
		return withinLimits(data);
	}
	if (raw.bytes.length > maxBytes)
		return rejected(`it has ${raw.bytes.length} bytes, and ${maxBytes} are the limit`, 413);
	const whole = textOfBody(context, raw.bytes);
	const text = () => whole;
	const json = whole.replace(/^\uFEFF/, '').trim();
	if (json === '') return { ok: true, value: undefined, text };
	const outline = scanJson(json);
	if (/^[[{]/.test(json) && outline.isTooDeep) return rejected(tooDeep);
	const exact = parseLossless(json, outline);
	if (exact.ok) return { ok: true, value: exact.value, text };
	// A form or XML, which n8n has parsed to an object.
	const parsed: unknown = context.getBodyData();
	return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0
		? withinLimits(parsed, text)
		: rejected('it is not valid JSON');
}

const tooDeep = 'it is nested too deeply';

/** For bodies other than JSON, the limits apply to what n8n has parsed. */
function withinLimits(value: unknown, text?: () => string): ParsedBody {
	try {
		const json = JSON.stringify(value) ?? '';
		if (json.length > maxBytes)
			return { ok: false, status: 413, why: `it has more than ${maxBytes} bytes, which are the limit` };
		if (!scanJson(json).isTooDeep) return { ok: true, value, text: text ?? (() => json) };
	} catch {
		// Nested too deeply to be serialized.
	}
	return { ok: false, status: 422, why: tooDeep };
}

/** UTF-8 if the sender names no charset, or an unknown one. */
function textOfBody(context: IWebhookFunctions, bytes: Buffer): string {
	try {
		return new TextDecoder(requestOf(context).encoding, { ignoreBOM: true }).decode(bytes);
	} catch {
		return bytes.toString();
	}
}
