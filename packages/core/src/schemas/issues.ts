import type * as v from 'valibot';

/** The kind of a value, for error messages that must not quote names, phones or accounts. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'text';
	if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is not finite';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const typeNames: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	boolean: 'true or false',
	array: 'a list',
	strict_object: 'an object',
	record: 'an object',
};

/** The message of an issue. valibot's own messages are replaced, because they mention TypeScript types. */
export function messageOf({ message, type, input, received, expected }: v.BaseIssue<unknown>): string {
	if (received === 'undefined') return 'is required';
	const isOwn = /^(?:must|is) /.test(message) && (type !== 'strict_object' || expected === 'never');
	return isOwn ? message : `must be ${typeNames[type] ?? type}, got ${kindOf(input)}`;
}

export const pathOf = ({ path }: v.BaseIssue<unknown>): (string | number)[] =>
	(path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
