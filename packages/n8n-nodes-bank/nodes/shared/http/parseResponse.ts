import { type HttpResponse, headerOf, verbatim } from '@bank/core';

import { safeFileName } from '../base/fileName.ts';

const textual = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i;

/** `type/subtype` (RFC 9110, 8.3.1). Longer types are not registered and are ignored. */
const mediaType = /^([a-z\d][\w!#$&^+.-]{0,63}\/[a-z\d][\w!#$&^+.-]{0,99})\s*(?:;|$)/i;

/** Turns bytes into a response: text or, if the schema is unknown, possibly a file such as a print form. */
export function parseResponse(
	status: number,
	headers: Record<string, unknown>,
	bytes: Uint8Array,
	mayBeFile: boolean,
): HttpResponse {
	const type = verbatim(headerOf(headers, 'content-type')).trim();
	if (!mayBeFile || status >= 300 || bytes.length === 0 || type === '' || textual.test(type))
		return { status, headers, text: textOfBytes(bytes, type) };
	return {
		status,
		headers,
		text: '',
		file: {
			data: bytes,
			mimeType: mediaType.exec(type)?.[1]?.toLowerCase() ?? 'application/octet-stream',
			fileName: fileNameIn(headerOf(headers, 'content-disposition')),
		},
	};
}

function textOfBytes(bytes: Uint8Array, type: string): string {
	const [, charset] = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(type) ?? [];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** RFC 6266. `filename*` (RFC 8187) has priority, because it is the complete name. */
export function fileNameIn(disposition: unknown): string | undefined {
	const text = verbatim(disposition);
	const [, encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(text) ?? [];
	const [, quoted, bare = ''] = /(?:^|;)\s*filename\s*=\s*(?:"([^"]*)"?|([^;]*))/i.exec(text) ?? [];
	return safeFileName(percentDecoded(encoded)) ?? safeFileName(fromHeader(quoted ?? bare));
}

function percentDecoded(text: string): string {
	const bytes = text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
	return new TextDecoder().decode(Buffer.from(bytes, 'latin1'));
}

/** Node reads headers as Latin-1; banks write names in UTF-8. */
function fromHeader(text: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}
