/** The fields that say something: what an answer leaves out has no place in its simplified form. */
export function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
