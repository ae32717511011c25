import { sign } from 'node:crypto';

import { CredentialFault } from '../../faults.ts';
import type { SignatureMethod } from '../method.ts';

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2). The bank needs the public key, or the certificate, beforehand. */
export const rsaSha256: SignatureMethod = {
	label: 'RSA-SHA256',
	description: 'The bare signature of the bytes with an RSA key, as base64',

	fault({ privateKey: { asymmetricKeyType } }) {
		return asymmetricKeyType === 'rsa'
			? undefined
			: new CredentialFault(
					'Private Key is not an RSA key, and RSA-SHA256 signs with no other',
					'Paste an RSA key, or choose CMS Detached if the bank takes that.',
				);
	},

	sign(bytes, { privateKey }) {
		return sign('sha256', bytes, privateKey);
	},
};
