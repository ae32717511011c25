/** The name of a header (RFC 9110, 5.1). */
export const isFieldName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** What belongs to the connection or the message itself (RFC 9110, 7.6.1 and 8.6), or would be read by whoever stands in between. */
const reserved = new RegExp(
	[
		'^(?:accept.*|age|allow|connection|content-.*|cookie2?|date|expect|forwarded|http2-settings|keep-alive|max-forwards',
		'origin|proxy-.*|range|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*',
		'x-(?:http-)?method.*|x-original-.*|x-rewrite-url|(?:x-)?host|x-real-ip)$',
	].join('|'),
	'i',
);

/** What keeps a name that the user chooses from being that of a header, as the end of a sentence. */
export function headerNameFault(name: string): string | undefined {
	if (!isFieldName(name)) return 'is not the name of a header';
	return reserved.test(name) ? 'is a header that belongs to the connection, and carries no value of yours' : undefined;
}
