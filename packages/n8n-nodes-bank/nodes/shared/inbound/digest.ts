import { createHash } from 'node:crypto';

/** SHA-256, so that a trigger stores the same number of bytes for every request. */
export function digestOf(...parts: string[]): string {
	const hash = createHash('sha256');
	// With their lengths, so that different lists have different digests, and in UTF-16, which keeps unpaired surrogates apart.
	for (const part of parts) hash.update(`${part.length} `).update(part, 'utf16le');
	return hash.digest('hex');
}

const longestIdentifier = 200;

/** An identifier to show and to compare: its digest where it is too long to be one. */
export function shortenIdentifier(id: string): string {
	return id.length > longestIdentifier ? digestOf(id) : id;
}
