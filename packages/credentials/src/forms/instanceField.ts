/**
 * The hidden field with which an administrator sets a restriction for the whole instance, through n8n's credential overwrites. n8n
 * overwrites only empty fields, so the field of the owner cannot serve both.
 */
export const instanceField = (name: string): string => `instance${name.charAt(0).toUpperCase()}${name.slice(1)}`;
