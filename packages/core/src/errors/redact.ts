/** Redacts secrets of the credential and the request, which only the sender knows. */
export type Redact = (text: string) => string;

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

/** The pattern also matches JSON inside JSON, where quotes are escaped. x-gw-client-secret is a header (part 5). */
const namedSecret = new RegExp(
	[
		String.raw`((?:${secretNames.join('|')})\\*["']?\s*[=:]\s*(?:\[\s*(?=\\*["']))?\\*["']?)`,
		String.raw`(?:[^\s"'\\&,;}]|\\(?!["']))+`,
	].join(''),
	'gi',
);

export const isSecretName = (name: string): boolean => secretName.test(name);

const secretName = new RegExp(
	[
		'token(?!_?type)|secret|passw|passphrase|signature|signedBody|assertion|verifier|api_?key|private_?key',
		'^(?:code|otp|pin|cvv|cvc|sms_?code|authorization_?code)$',
	].join('|'),
	'i',
);

/** Spaces, dashes and invisible characters of any script, and signs that people group digits with. */
export const digitSeparator = String.raw`[\p{Z}\p{Pd}\p{Cf}\p{M}\t\r\n\u2212._/()\\|·•∙⋅․．／⁄∕'’]`;

/** A pattern for numbers of at least so many digits, of any script and in any grouping. For the flag `u`. */
export const groupedDigits = (least: number): string =>
	String.raw`\p{Nd}(?:${digitSeparator}{0,3}\p{Nd}){${least - 1},}`;

/** The digits of a number. Digits of other forms (full-width) become usual digits. */
export const digitsOfNumber = (number: string): string => number.normalize('NFKC').replace(/\D/g, '');

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1?\d{1,2})`;

/** Account, card and phone numbers in any grouping, but not UUIDs, hexadecimal trace IDs, IP addresses and dates. */
const longNumber = new RegExp(
	[
		String.raw`\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:\d\d-)?(?=\d*[a-f])(?:[\da-f]{16}|[\da-f]{32})`,
		String.raw`|${octet}(?:\.${octet}){3}(?![.\d])`,
		String.raw`|(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]\d\.[01]\d\.(?:19|20)\d\d)\b`,
		String.raw`|(?:\*{4})?${groupedDigits(11)}`,
	].join(''),
	'giu',
);

/**
 * User and password in an address, also with backslashes, escaped or percent-encoded slashes. A password may have slashes, unless it begins
 * like a port.
 */
const login = new RegExp(
	[
		String.raw`(\/\\*\/|:\\{2,}|:(?:\\+u002f){2}|%3a%2f%2f)`,
		String.raw`(?:(?:(?!%2f)[^\s/?#\\])*|[^\s/?#:@\\["]{0,200}:(?!\d{1,5}[/?#\\])[^\s@"]{0,200})(?:@|＠|%40)`,
	].join(''),
	'gi',
);

const masked = (number: string): string => `****${digitsOfNumber(number).slice(-4)}`;

/**
 * Matches JSON Web Tokens, and also paths such as responseData.applicationResult.scoringStatus. Such a path has no
 * digit, so `redact` keeps it.
 */
const jsonWebToken = /(?<![\w-])[\w-]{8,}(?:\.[\w-]{8,}){2,4}/g;

/**
 * Redacts what looks like a secret in text from the bank, a proxy or a library. Account and card numbers keep their
 * last four digits.
 */
export function redact(text: string): string {
	return text
		.replace(/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 [REDACTED]')
		.replace(jsonWebToken, (run) => (/\d/.test(run) ? '[REDACTED]' : run))
		.replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*-----|$)/g, '[REDACTED]')
		.replace(namedSecret, '$1[REDACTED]')
		.replace(/\b(code=)[^\s"'&,;}]+/gi, '$1[REDACTED]') // in an address; elsewhere `code` is the code of an error
		.replace(login, '$1[REDACTED]@')
		.replace(longNumber, (found, kept?: string) => kept ?? masked(found));
}

const maxScanned = 10_000;

/** For people: text of others is escaped where it is shown as HTML. */
const withoutMarkup = (text: string): string =>
	text
		.replace(/<(script|style)[\s\S]*?(?:<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();

/** One redacted line without markup, short enough for a message. */
export function excerpt(text: string, length = 300, redactSecrets: Redact = (words) => words): string {
	const start = text.slice(0, maxScanned);
	const redacted = redact(withoutMarkup(redactSecrets(start)));
	// Drop the last, cut word: a truncated token would not be recognized as one.
	const whole = start === text || redacted.length > 2 * length ? redacted : redacted.replace(/(?<!\S)\S+$/, '').trim();
	return whole.length > length ? `${whole.slice(0, length - 1)}…` : whole;
}
