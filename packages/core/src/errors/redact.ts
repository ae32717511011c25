/** Redacts values that the sender knows: secrets of the credential and of the request. Core does not know them. */
export type Hide = (text: string) => string;

const secretNames = [
	'(?:access|refresh|id)[_-]?token',
	'client[_-]?secret',
	'passw(?:or)?d',
	'passphrase',
	'api[_-]?key',
	'private[_-]?key',
	'signedBody',
	'assertion',
];

/** Also in JSON inside JSON, where quotes are escaped; x-gw-client-secret is a header (part 5). */
const namedSecret = new RegExp(
	[
		String.raw`((?:${secretNames.join('|')})\\*["']?\s*[=:]\s*(?:\[\s*(?=\\*["']))?\\*["']?)`,
		String.raw`(?:[^\s"'\\&,;}]|\\(?!["']))+`,
	].join(''),
	'gi',
);

/** Whether a field of this name holds something that proves who asks. */
export const isSecretName = (name: string): boolean => secretName.test(name);

const secretName = new RegExp(
	[
		'token(?!_?type)|secret|passw|passphrase|signature|signedBody|assertion|verifier|api_?key|private_?key',
		'^(?:code|otp|pin|cvv|cvc|sms_?code|authorization_?code)$',
	].join('|'),
	'i',
);

/** Accounts, cards and phones, however they are grouped. UUIDs, IP addresses and dates stay. */
const longNumber = new RegExp(
	[
		String.raw`\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{1,3}(?:\.\d{1,3}){3}(?![.\d])`,
		String.raw`|(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]\d\.[01]\d\.(?:19|20)\d\d)\b`,
		String.raw`|(?:\*{4})?\d(?:[ .()\u00a0-]{0,2}\d){10,}`,
	].join(''),
	'gi',
);

/**
 * Redacts what looks like a secret in a text that came from elsewhere (the bank, a proxy, a library), before it may stand in a
 * message. Of account and card numbers only the last four digits stay.
 */
export function redact(text: string): string {
	return text
		.replace(/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 [REDACTED]')
		.replace(/(?<![\w-])[\w-]{8,}(?:\.[\w-]{8,}){2,4}/g, '[REDACTED]') // JSON Web Tokens
		.replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*-----|$)/g, '[REDACTED]')
		.replace(namedSecret, '$1[REDACTED]')
		.replace(/\b(code=)[^\s"'&,;}]+/gi, '$1[REDACTED]') // in an address; elsewhere `code` is the code of an error
		.replace(longNumber, (found, kept?: string) => kept ?? `****${found.replace(/\D/g, '').slice(-4)}`);
}

/**
 * Redacts a text that should have been a new secret and came in an unknown form: everything in it that could be one, so that the page of
 * a proxy can still be recognised by its words.
 */
export function withoutRuns(text: string): string {
	return redact(text).replace(/[^\s<>"'=&,;:|(){}[\]]{10,}/g, (run) =>
		/^\p{L}{1,24}$/u.test(run) ? run : '[REDACTED]',
	);
}

/** How much of a long page is looked at. */
const longest = 10_000;

function withoutMarkup(text: string): string {
	return text
		.replace(/<(script|style)[\s\S]*?(?:<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

/** One line, redacted, without markup, short enough for a message. */
export function excerpt(text: string, length = 300, hide: Hide = (words) => words): string {
	const start = text.slice(0, longest);
	const redacted = redact(withoutMarkup(hide(start)));
	// A text that was cut ends between words where its end would be seen: half a token is not recognised as one.
	const whole = start === text || redacted.length > 2 * length ? redacted : redacted.replace(/(?<!\S)\S+$/, '').trim();
	return whole.length > length ? `${whole.slice(0, length - 1)}…` : whole;
}
