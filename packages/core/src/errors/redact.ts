/**
 * Words that came from elsewhere (the bank, a proxy, a library) before they may stand in a message:
 * tokens go, and of account and card numbers only the last four digits stay.
 */
export function redact(text: string): string {
	return text
		.replace(/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 [removed]')
		.replace(/\b[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}\b/g, '[removed]') // JSON Web Tokens
		.replace(/((?:access_token|refresh_token|client_secret|signedBody|code|assertion)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi, '$1[removed]')
		.replace(/\d(?:[ -]?\d){11,}/g, (digits) => `****${digits.replace(/\D/g, '').slice(-4)}`);
}

/** One line, without markup, short enough for a message. */
export function excerpt(text: string, length = 300): string {
	const plain = redact(text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim());
	return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}
