import { type Answer, type AnswerFile, headerOf, type PreparedRequest } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

/**
 * What goes to n8n's HTTP helper as body. Bytes, because the helper leaves them alone: text it would trim, an object it would
 * write again, and a form it would send only once even where sending again is right (a read after a 401).
 */
export async function encodedBody({
	body,
	parts,
}: PreparedRequest): Promise<{ body?: string | Buffer; headers?: Record<string, string> }> {
	if (parts === undefined) return body === undefined ? {} : { body };
	const form = new FormData();
	for (const part of parts) {
		if ('value' in part) form.append(part.name, part.value);
		else
			form.append(
				part.name,
				new Blob([Buffer.from(part.file.base64, 'base64')], { type: part.file.mimeType }),
				part.file.fileName,
			);
	}
	// The platform's own encoder of multipart forms.
	const encoded = new Response(form);
	return {
		body: Buffer.from(await encoded.arrayBuffer()),
		headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
	};
}

const textual = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i;

/** An answer whose shape is not shown, from its bytes: text, or a file such as a print form. */
export function decodedAnswer(status: number, headers: IDataObject, bytes: Uint8Array): Answer {
	const type = headerOf(headers, 'content-type');
	if (status >= 300 || bytes.length === 0 || typeof type !== 'string' || textual.test(type))
		return { status, headers, text: Buffer.from(bytes).toString('utf8') };
	return {
		status,
		headers,
		text: '',
		file: { data: bytes, mimeType: type.split(';')[0] ?? type, ...namedIn(headerOf(headers, 'content-disposition')) },
	};
}

/** `attachment; filename="form.pdf"` (RFC 6266), without any folder. */
function namedIn(disposition: unknown): Pick<AnswerFile, 'fileName'> {
	const fileName = /filename="?([^";]+)"?/i
		.exec(typeof disposition === 'string' ? disposition : '')?.[1]
		?.split(/[/\\]/)
		.pop()
		?.trim();
	return fileName === undefined || fileName === '' ? {} : { fileName };
}
