const secretNames = ['access[_-]?token', 'refresh[_-]?token', 'client[_-]?secret', 'signedBody', 'assertion'];

/** Also in JSON inside JSON, where quotes are escaped; x-gw-client-secret is a header (part 5). */
const namedSecret = new RegExp(
	[
		String.raw`((?:${secretNames.join('|')})\\*["']?\s*[=:]\s*(?:\[\s*(?=\\*["']))?\\*["']?)`,
		String.raw`(?:[^\s"'\\&,;}]|\\(?!["']))+`,
	].join(''),
	'gi',
);

/**
 * Words that came from elsewhere (the bank, a proxy, a library) before they may stand in a message:
 * tokens go, and of account and card numbers only the last four digits stay.
 */
export function redact(text: string): string {
	return (
		text
			.replace(/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 [removed]')
			.replace(/\b[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}\b/g, '[removed]') // JSON Web Tokens
			.replace(namedSecret, '$1[removed]')
			// An authorization code in an address; elsewhere `code` is the code of an error.
			.replace(/\b(code=)[^\s"'&,;}]+/gi, '$1[removed]')
			// UUIDs stay: a request ID without its digits helps nobody.
			.replace(
				/\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b|\d(?:[ -]?\d){11,}/gi,
				(found, uuid?: string) => uuid ?? `****${found.replace(/\D/g, '').slice(-4)}`,
			)
	);
}

/** What is looked at of a long page: the patterns take time by the square of its length. */
const longest = 10_000;

/** One line, without markup, short enough for a message. */
export function excerpt(text: string, length = 300): string {
	const start = text.slice(0, longest);
	const plain = redact(
		start
			.replace(/<(script|style)[\s\S]*?(?:<\/\1>|$)/gi, ' ')
			.replace(/<[^>]*>/g, ' ')
			.replace(/\s+/g, ' ')
			.trim(),
	);
	// What was cut ends between words where its end would be seen: half a token is not recognised as one.
	const whole = start === text || plain.length > 2 * length ? plain : plain.replace(/\S+$/, '').trim();
	return whole.length > length ? `${whole.slice(0, length - 1)}…` : whole;
}
