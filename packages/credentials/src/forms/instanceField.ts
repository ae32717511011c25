/**
 * Name of the hidden field with which an administrator sets a restriction for the whole instance, through n8n's
 * credential overwrites. It is separate from the owner's field because n8n overwrites only empty fields.
 */
export const instanceField = (name: string): string => `instance${name.charAt(0).toUpperCase()}${name.slice(1)}`;
