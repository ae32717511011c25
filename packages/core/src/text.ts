/** Text as it is; empty where the value is none. For secrets and tokens, to whose end a space may belong. */
export const verbatim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What somebody typed or answered, without the spaces around it; empty where the value is no text. */
export const textOf = (value: unknown): string => verbatim(value).trim();

/** The same, where a number will do as well: identifiers and codes come as either. */
export const textOrNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));

/** Marks that change how the text around them reads. */
const marks: Readonly<Record<string, string>> = { '\t': 'a tab', '\n': 'a line break', '\r': 'a line break' };

/**
 * What a text holds that nobody sees, such as `a line break`: control characters, and those that turn the direction of what follows.
 * Undefined where it holds none. `allowed`: those that may stand in it.
 */
export function invisibleIn(text: string, allowed = ''): string | undefined {
	const found = text.match(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu)?.find((character) => !allowed.includes(character));
	if (found === undefined) return undefined;
	const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return marks[found] ?? `a control character (U+${code})`;
}
