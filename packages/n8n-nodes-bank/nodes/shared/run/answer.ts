import { type Answer, type AnswerFile, headerOf, isRecord } from '@bank/core';

const textual = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i;

/** The full response of n8n's helper as an answer. */
export function answerOf(response: unknown): Answer {
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	const status = Number(statusCode);
	const named = isRecord(headers) ? headers : {};
	if (body instanceof Uint8Array) return decodedAnswer(status, named, body);
	return { status, headers: named, text: bodyText(body) };
}

/** An answer whose shape is not shown, from its bytes: text, or a file such as a print form. */
function decodedAnswer(status: number, headers: Record<string, unknown>, bytes: Uint8Array): Answer {
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

/** The body as text, whatever n8n's helper has made of it. */
export function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	if (body instanceof Uint8Array || body instanceof ArrayBuffer)
		return Buffer.from(body as Uint8Array).toString('utf8');
	return body === undefined || body === null ? '' : JSON.stringify(body);
}
