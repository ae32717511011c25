import type { KeyPair } from '../keyPair/keyPair.ts';

/**
 * A signature method for packages of payments: returns a function that makes the raw signature. `now`: signing time, for methods that
 * include it. The API description shows no method (2.2), so these are common ones.
 * @throws CredentialError if the key or certificate does not fit the method
 */
export type SignatureMethod = (keyPair: KeyPair) => (bytes: Uint8Array, now: Date) => Buffer;
