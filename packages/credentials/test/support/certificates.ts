/** Keys and certificates made at run time by the sandbox bank, with what its partner would paste into the form. */
import { createPrivateKey } from 'node:crypto';

import { type Certificates, issueCertificates } from '../../../fixtures/src/sandbox/tls/certificates.ts';

let issued: Promise<Certificates> | undefined;

export const certificates = (): Promise<Certificates> => (issued ??= issueCertificates());

export const pemCredential = ({ partner, ca }: Certificates) => ({
	useCertificate: true,
	certificateFormat: 'pem',
	clientCertificate: partner.certificate,
	clientPrivateKey: partner.privateKey,
	bankCa: ca,
});

/** Locked as openssl did before PKCS#8: with headers inside the block. */
export const lockedTheOldWay = (key: string, passphrase: string): string =>
	createPrivateKey(key).export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase }) as string;
