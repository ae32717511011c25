import type { IdentityForm } from '../identity/identity.ts';

/** Where in the form of the credential the parts stand. */
export const signatureForm: IdentityForm = {
	certificate: { name: 'signatureCertificate', label: 'Certificate' },
	privateKey: { name: 'signaturePrivateKey', label: 'Private Key' },
	pfx: { name: 'signaturePfx', label: 'Certificate and Key (PFX)' },
	passphrase: { name: 'signaturePassphrase', label: 'Passphrase' },
	keyAlone: true,
};
