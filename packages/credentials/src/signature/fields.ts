import type { KeyPairFields } from '../keyPair/keyPair.ts';

export const signatureFields: KeyPairFields = {
	certificate: { name: 'signatureCertificate', label: 'Certificate' },
	privateKey: { name: 'signaturePrivateKey', label: 'Private Key' },
	pfx: { name: 'signaturePfx', label: 'Certificate and Key (PFX)' },
	passphrase: { name: 'signaturePassphrase', label: 'Passphrase' },
	keyAlone: true,
};
