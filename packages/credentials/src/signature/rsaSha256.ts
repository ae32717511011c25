import { sign } from 'node:crypto';

import { CredentialError } from '../credentialError.ts';
import type { SignatureMethod } from './method.ts';

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2). Includes no certificate, so the bank must have registered it. */
export const rsaSha256: SignatureMethod = ({ privateKey }) => {
	if (privateKey.asymmetricKeyType !== 'rsa')
		throw new CredentialError(
			'Signature Key is not an RSA key, which RSA-SHA256 requires',
			'Paste an RSA key, or choose "CMS Detached" if your bank accepts it.',
		);
	return (bytes) => sign('sha256', bytes, privateKey);
};
