import type { CredentialFault } from '../faults.ts';
import type { Identity } from '../identity/identity.ts';

/**
 * One way to sign a package of payments. The API description shows none (2.2), so these are what banks are known to ask for. A new
 * one is a file in `methods/` and a line in `methods/index.ts`.
 */
export interface SignatureMethod {
	/** As it stands in the form. */
	label: string;
	/** What it makes, for the form. */
	description: string;
	/** Why it cannot be made with this key, or without a certificate. */
	fault(identity: Identity): CredentialFault | undefined;
	/** The signature of the bytes, as it is sent once it is base64. `now`: where it says when it was made. */
	sign(bytes: Uint8Array, identity: Identity, now: Date): Buffer;
}
