interface FormField {
	name: string;
	label: string;
}

/** The form fields of a key pair. The field `certificateFormat` (`pem` or `pfx`) chooses between them. */
export interface KeyPairFields {
	certificate: FormField;
	privateKey: FormField;
	pfx: FormField;
	passphrase: FormField;
	/** Whether a key without a certificate is valid. */
	keyAlone: boolean;
}

export const connectionFields: KeyPairFields = {
	certificate: { name: 'clientCertificate', label: 'Client Certificate' },
	privateKey: { name: 'clientPrivateKey', label: 'Private Key' },
	pfx: { name: 'clientCertificatePfx', label: 'Client Certificate (PFX)' },
	passphrase: { name: 'certificatePassphrase', label: 'Certificate Passphrase' },
	keyAlone: false,
};

export const signatureFields: KeyPairFields = {
	certificate: { name: 'signatureCertificate', label: 'Certificate' },
	privateKey: { name: 'signaturePrivateKey', label: 'Private Key' },
	pfx: { name: 'signaturePfx', label: 'Certificate and Key (PFX)' },
	passphrase: { name: 'signaturePassphrase', label: 'Passphrase' },
	keyAlone: true,
};
