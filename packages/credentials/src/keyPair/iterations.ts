import { type Der, tags } from '../der.ts';

/**
 * Encrypted files and keys set the number of iterations of their key derivation, which blocks n8n's only thread. So the sum per file is
 * limited. OpenSSL and Windows use about 2,000 per part, Java 10,000, Bouncy Castle 51,200; 200,000 take a tenth of a second.
 */
export const maxIterations = 200_000;

const scrypt = '1.3.6.1.4.1.11591.4.11';

/**
 * Sum of all numbers in a value: the iterations of its key derivations, and small numbers such as versions. Infinity with scrypt, whose
 * cost is a product, and which no common program uses by default.
 *
 * @throws DerError if it cannot be read
 */
export function countIterations(value: Der): number {
	if (value.tag === tags.integer) return Math.abs(value.integer);
	if (value.tag === tags.objectIdentifier) return value.objectIdentifier === scrypt ? Infinity : 0;
	return value.isConstructed ? value.parts.reduce((sum, part) => sum + countIterations(part), 0) : 0;
}
