import { hash } from 'node:crypto';

/** SHA-256 of a list of texts. Triggers store digests because all have the same length. */
export const digestOf = (...parts: string[]): string => hash('sha256', JSON.stringify(parts));

const longestIdentifier = 200;

/** Returns an identifier unchanged, or its digest if it is too long. */
export function shortenIdentifier(id: string): string {
	return id.length > longestIdentifier ? digestOf(id) : id;
}
