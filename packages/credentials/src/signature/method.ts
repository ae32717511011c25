import type { KeyPair } from '../keyPair/keyPair.ts';

/**
 * A signature method for packages of payments. The API description shows none (2.2), so these are common ones. To add one, create a file in
 * `methods/` and list it in `methods/index.ts`.
 */
export interface SignatureMethod {
	label: string;
	/** @throws CredentialError if the key or certificate does not fit the method */
	validate(keyPair: KeyPair): void;
	/** Returns the raw signature. `now`: signing time, for methods that include it. */
	sign(bytes: Uint8Array, keyPair: KeyPair, now: Date): Buffer;
}
