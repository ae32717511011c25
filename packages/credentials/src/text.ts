/** What the user typed into a field, without the spaces that come with pasting; empty where there is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
