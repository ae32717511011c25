/** Takes out of words of others what must not be repeated, by its value. Whoever sends makes it: only they know the values. */
export type Hide = (text: string) => string;

const secretNames = ['access[_-]?token', 'refresh[_-]?token', 'client[_-]?secret', 'signedBody', 'assertion'];

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

/**
 * Accounts, cards and phones, however they are grouped. UUIDs stay: a request ID without its digits helps nobody. So do IP addresses
 * and dates.
 */
const longNumber = new RegExp(
	[
		String.raw`\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{1,3}(?:\.\d{1,3}){3}(?![.\d])`,
		String.raw`|(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]\d\.[01]\d\.(?:19|20)\d\d)\b`,
		String.raw`|(?<!\*\d{0,4})\d(?:[ .()\u00a0-]{0,2}\d){10,}`,
	].join(''),
	'gi',
);

/** A word for what proves who asks, and the value that follows it: long, and with a digit or a break that no word has. */
const secretWord = /(?:\b|_)(?:tokens?|secrets?|passwords?|passphrases?|sessions?|api[ -]?keys?)\b/;
const spokenSecret = new RegExp(
	String.raw`(${secretWord.source}(?:\W{1,4}[a-z]{1,14}){0,3}?\W{1,4})` +
		String.raw`(?=[^\s"']{0,200}\d)[\w~+/-]{16,}(?:\.[\w~+/-]+)*=*`,
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
			.replace(/(?<![\w-])[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '[removed]') // JSON Web Tokens
			.replace(namedSecret, '$1[removed]')
			.replace(spokenSecret, '$1[removed]')
			// An authorization code in an address; elsewhere `code` is the code of an error.
			.replace(/\b(code=)[^\s"'&,;}]+/gi, '$1[removed]')
			// What is left of a number whose beginning was that of one that is known.
			.replace(/\*{4}\d+(?=\d{4}(?!\d))/g, '****')
			.replace(longNumber, (found, kept?: string) => kept ?? `****${found.replace(/\D/g, '').slice(-4)}`)
	);
}

/**
 * The same of what was to be a secret that nobody knows yet, and came in an unknown form: whatever in it could be one goes, so that a
 * page of a proxy can still be told by its words.
 */
export function withoutRuns(text: string): string {
	return redact(text).replace(/[^\s<>"'=&,;:|(){}[\]]{10,}/g, (run) =>
		/^\p{L}{1,24}$/u.test(run) ? run : '[removed]',
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

/** One line, without markup, short enough for a message. */
export function excerpt(text: string, length = 300, hide: Hide = (words) => words): string {
	const start = text.slice(0, longest);
	// Twice, because a value may hold what looks like markup, or have some inside.
	const hidden = redact(hide(withoutMarkup(hide(start))));
	// What was cut ends between words where its end would be seen: half a token is not recognised as one.
	const whole = start === text || hidden.length > 2 * length ? hidden : hidden.replace(/(?<!\S)\S+$/, '').trim();
	return whole.length > length ? `${whole.slice(0, length - 1)}…` : whole;
}
