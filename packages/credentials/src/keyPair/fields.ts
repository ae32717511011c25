interface FormField {
	name: string;
	label: string;
}

/** The form fields of a key pair. The field `format` (`pem` or `pfx`) chooses between the others. */
export interface KeyPairFields {
	format: FormField;
	certificate: FormField;
	privateKey: FormField;
	pfx: FormField;
	passphrase: FormField;
	/** Whether a key without a certificate is valid. */
	keyAlone: boolean;
}

export const connectionFields: KeyPairFields = {
	format: { name: 'certificateFormat', label: 'Certificate Format' },
	certificate: { name: 'clientCertificate', label: 'Client Certificate' },
	privateKey: { name: 'clientPrivateKey', label: 'Private Key' },
	pfx: { name: 'clientCertificatePfx', label: 'Client Certificate (PFX)' },
	passphrase: { name: 'certificatePassphrase', label: 'Certificate Passphrase' },
	keyAlone: false,
};

export const signatureFields: KeyPairFields = {
	format: { name: 'signatureKeyFormat', label: 'Signature Key Format' },
	certificate: { name: 'signatureCertificate', label: 'Signature Certificate' },
	privateKey: { name: 'signaturePrivateKey', label: 'Signature Key' },
	pfx: { name: 'signaturePfx', label: 'Signature Key (PFX)' },
	passphrase: { name: 'signaturePassphrase', label: 'Signature Key Passphrase' },
	keyAlone: true,
};
