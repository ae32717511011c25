/** Whether a text is a valid header field name (RFC 9110, 5.1). */
export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** Headers that belong to the connection or the message (RFC 9110, 7.6.1 and 8.6), or that proxies interpret. */
const reserved = new RegExp(
	[
		'^(?:accept.*|age|allow|connection|content-.*|cookie2?|date|expect|forwarded|http2-settings|keep-alive|max-forwards',
		'origin|proxy-.*|range|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*',
		'x-(?:http-)?method.*|x-original-.*|x-rewrite-url|(?:x-)?host|x-real-ip)$',
	].join('|'),
	'i',
);

/** The reason why a header name cannot be used, as the end of a sentence; undefined if it can. */
export function headerNameProblem(name: string): string | undefined {
	if (!isHeaderName(name)) return 'is not the name of a header';
	return reserved.test(name) ? 'is a header of the connection, which cannot carry your value' : undefined;
}
