/** The text unchanged, or empty if the value is not text. For secrets, whose surrounding spaces may be significant. */
export const verbatim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Trimmed text, or empty if the value is not text. */
export const textOf = (value: unknown): string => verbatim(value).trim();

/** Trimmed text; numbers are converted. */
export const textOrNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));

/**
 * A number in one spelling: full-width digits and other dashes are replaced, characters without a width removed. Superscripts stay,
 * because a footnote would become a digit.
 */
export const plainNumber = (number: string): string =>
	number
		.replace(/\P{No}+/gu, (part) => part.normalize('NFKC'))
		.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
		.replace(/\p{Pd}|\u2212/gu, '-')
		.trim();

/** `plainNumber` of a phone, without the direction marks of an address book and the `.0` that a spreadsheet adds to a number. */
export const normalizePhone = (phone: string): string =>
	plainNumber(phone.replace(/\p{Cf}/gu, '')).replace(/^(\+?\d{10,})\.0+$/, '$1');

/** The phone number without separators. */
export const plainPhone = (phone: string): string => normalizePhone(phone).replace(/[\s().\p{Pd}\u2212]/gu, '');

/** `payloadBinaryField` -> `Payload Binary Field`. */
export const titleCase = (name: string): string =>
	name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').replace(/^./, (first) => first.toUpperCase());

const marks: Readonly<Record<string, string>> = { '\t': 'a tab', '\n': 'a line break', '\r': 'a line break' };

/** Control and text-direction characters. */
const invisible = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
/** Also those without a width, and the no-break space: for names. */
export const invisibleInName = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00A0]/gu;

/**
 * Describes the first invisible character, for example `a line break`; otherwise undefined.
 * @param allowed characters to ignore
 */
export function findInvisibleCharacter(text: string, allowed = '', wanted = invisible): string | undefined {
	const found = text.match(wanted)?.find((character) => !allowed.includes(character));
	if (found === undefined) return undefined;
	const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return marks[found] ?? `an invisible character (U+${code})`;
}

const damages = [
	[/\[object Object\]/, 'contains an object that an expression turned into text: choose one of its fields'],
	[/\p{Surrogate}/u, 'contains half a character: the text was probably cut in the middle of an emoji'],
] as const;

/** Describes how a text was damaged before it was entered; undefined if it was not. */
export const findDamage = (text: string): string | undefined => damages.find(([sign]) => sign.test(text))?.[1];
