/** Text as it is; empty where the value is none. For secrets and tokens, to whose end a space may belong. */
export const verbatim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What somebody typed or answered, without the spaces around it; empty where the value is no text. */
export const textOf = (value: unknown): string => verbatim(value).trim();

/** The same, where a number will do as well: identifiers and codes come as either. */
export const textOrNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));
