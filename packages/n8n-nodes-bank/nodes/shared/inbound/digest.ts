import { createHash } from 'node:crypto';

/** SHA-256 of a list of texts. Triggers store digests because all have the same length. */
export function digestOf(...parts: string[]): string {
	const hash = createHash('sha256');
	// The length of each text is included, so that `["ab", "c"]` and `["a", "bc"]` differ. UTF-16 keeps unpaired
	// surrogates distinct.
	for (const part of parts) hash.update(`${part.length} `).update(part, 'utf16le');
	return hash.digest('hex');
}

const longestIdentifier = 200;

/** Returns an identifier unchanged, or its digest if it is too long. */
export function shortenIdentifier(id: string): string {
	return id.length > longestIdentifier ? digestOf(id) : id;
}
