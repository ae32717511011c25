import { Der } from '../der.ts';

/**
 * A file or key that is locked with a passphrase says itself how many times the passphrase is hashed. OpenSSL does so in n8n's one thread,
 * so the number is limited for all parts of a file together. OpenSSL writes 2,048, Java 10,000 for each part.
 */
export const mostRounds = 1_000_000;

const ids = {
	pbes2: '1.2.840.113549.1.5.13',
	pbmac1: '1.2.840.113549.1.5.14',
	pbkdf2: '1.2.840.113549.1.5.12',
	scrypt: '1.3.6.1.4.1.11591.4.11',
} as const;

/**
 * The rounds of an AlgorithmIdentifier. PBES2 and PBMAC1 begin with a derivation (RFC 8018); all older ones have salt and rounds.
 *
 * @throws DerFault where it has none that can be read
 */
export function roundsOf(algorithm: Der): number {
	const [id, parameters] = [algorithm.part(0).objectIdentifier, algorithm.part(1)];
	if (id !== ids.pbes2 && id !== ids.pbmac1) return Math.abs(parameters.part(1).integer);
	const derivation = parameters.part(0);
	const [, ...numbers] = derivation.part(1).parts;
	// The work of scrypt is the product of its three numbers (RFC 7914).
	const count = derivation.part(0).objectIdentifier === ids.scrypt ? 3 : 1;
	return numbers.slice(0, count).reduce((product, { integer }) => product * Math.abs(integer), 1);
}

/** The same of an EncryptedPrivateKeyInfo (RFC 5958). Infinity where it cannot be read. */
export function roundsOfKey(bytes: Buffer): number {
	try {
		return roundsOf(Der.read(bytes).part(0));
	} catch {
		return Infinity;
	}
}
