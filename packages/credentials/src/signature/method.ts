import type { KeyPair } from '../keyPair/keyPair.ts';

/**
 * A signature method for packages of payments. The API description shows none (2.2), so these are common ones. To add one, create a file in
 * `methods/` and list it in `methods/index.ts`.
 */
export interface SignatureMethod {
	label: string;
	/**
	 * Returns a function that makes the raw signature. `now`: signing time, for methods that include it.
	 * @throws CredentialError if the key or certificate does not fit the method
	 */
	createSigner(keyPair: KeyPair): (bytes: Uint8Array, now: Date) => Buffer;
}
