/** Text as it is; empty where the value is none. For secrets and tokens, to whose end a space may belong. */
export const verbatim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What somebody typed or answered, without the spaces around it; empty where the value is no text. */
export const textOf = (value: unknown): string => verbatim(value).trim();
