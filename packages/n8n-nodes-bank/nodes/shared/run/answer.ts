import { type Answer, type AnswerFile, headerOf, verbatim } from '@bank/core';

const textual = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i;

/** An answer from its bytes: text or, where the shape of the answer is not shown, perhaps a file such as a print form. */
export function answerOf(
	status: number,
	headers: Record<string, unknown>,
	bytes: Uint8Array,
	mayBeFile: boolean,
): Answer {
	const type = headerOf(headers, 'content-type');
	if (!mayBeFile || status >= 300 || bytes.length === 0 || typeof type !== 'string' || textual.test(type))
		return { status, headers, text: new TextDecoder().decode(bytes) };
	return {
		status,
		headers,
		text: '',
		file: { data: bytes, mimeType: type.split(';')[0] ?? type, ...namedIn(headerOf(headers, 'content-disposition')) },
	};
}

/** `attachment; filename="form.pdf"` (RFC 6266), without any folder. */
function namedIn(disposition: unknown): Pick<AnswerFile, 'fileName'> {
	const fileName = /filename="?([^";]+)"?/i.exec(verbatim(disposition))?.[1]?.split(/[/\\]/).pop()?.trim();
	return fileName === undefined || fileName === '' ? {} : { fileName };
}
