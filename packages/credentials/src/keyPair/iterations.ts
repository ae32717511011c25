import { Der } from '../der.ts';

/**
 * Encrypted files and keys set the number of iterations of their key derivation, which blocks n8n's only thread. So the
 * sum per file is limited. OpenSSL uses 2,048 and Java 10,000 per part.
 */
export const maxIterations = 1_000_000;

const ids = {
	pbes2: '1.2.840.113549.1.5.13',
	pbmac1: '1.2.840.113549.1.5.14',
	pbkdf2: '1.2.840.113549.1.5.12',
	scrypt: '1.3.6.1.4.1.11591.4.11',
} as const;

/**
 * Iterations of an AlgorithmIdentifier. PBES2 and PBMAC1 start with a key derivation (RFC 8018); older ones have salt and iterations.
 *
 * @throws DerError if they cannot be read
 */
export function countIterations(algorithm: Der): number {
	const [id, parameters] = [algorithm.part(0).objectIdentifier, algorithm.part(1)];
	if (id !== ids.pbes2 && id !== ids.pbmac1) return Math.abs(parameters.part(1).integer);
	const derivation = parameters.part(0);
	const [, ...numbers] = derivation.part(1).parts;
	// The cost of scrypt is the product of its three parameters (RFC 7914).
	const count = derivation.part(0).objectIdentifier === ids.scrypt ? 3 : 1;
	return numbers.slice(0, count).reduce((product, { integer }) => product * Math.abs(integer), 1);
}

/** Iterations of an EncryptedPrivateKeyInfo (RFC 5958); Infinity if it cannot be read. */
export function countKeyIterations(bytes: Buffer): number {
	try {
		return countIterations(Der.read(bytes).part(0));
	} catch {
		return Infinity;
	}
}
