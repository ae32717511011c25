import type { INodeProperties } from 'n8n-workflow';

import { connectionFields, type KeyPairFields, signatureFields } from '../keyPair/fields.ts';
import { choice, purposeNotice, secret, shownFor, text, toggle } from './fields.ts';

/** n8n's credentials cannot store files, so everything is text. Certificates are masked because n8n's lint requires it for these names. */
function keyPairProperties(
	{ certificate, privateKey, pfx, passphrase, keyAlone }: KeyPairFields,
	[formatLabel, formatDescription]: [label: string, description: string],
	descriptions: { certificate: string; privateKey: string },
): INodeProperties[] {
	const typeOptions = { rows: 4 };
	return [
		choice(formatLabel, 'certificateFormat', formatDescription, 'pem', [
			['PEM', 'pem'],
			['PFX (PKCS#12)', 'pfx'],
		]),
		...shownFor({ certificateFormat: ['pem'] }, [
			secret(certificate.label, certificate.name, descriptions.certificate, {
				typeOptions,
				...(keyAlone ? {} : { required: true }),
				placeholder: '-----BEGIN CERTIFICATE-----',
			}),
			secret(privateKey.label, privateKey.name, descriptions.privateKey, {
				typeOptions,
				placeholder: '-----BEGIN PRIVATE KEY-----',
			}),
		]),
		...shownFor({ certificateFormat: ['pfx'] }, [
			secret(pfx.label, pfx.name, 'PFX file as base64 text, for example from openssl base64 -A -in partner.pfx', {
				typeOptions,
				required: true,
			}),
		]),
		secret(passphrase.label, passphrase.name, 'Passphrase of the private key or PFX file, if it has one'),
	];
}

/** Fields of the client certificate, after the field that turns it on. */
export const certificateProperties: INodeProperties[] = [
	...shownFor(
		{ useCertificate: [true] },
		keyPairProperties(connectionFields, ['Certificate Format', 'Format of the client certificate'], {
			certificate: 'Certificate in PEM, followed by the intermediate certificates if your bank requires them',
			privateKey: 'Private key in PEM. Leave empty if the certificate text contains it.',
		}),
	),
	text('CA of the Bank', 'bankCa', 'CA certificates of the bank in PEM. If set, no other CA is trusted.', {
		typeOptions: { rows: 4 },
		placeholder: '-----BEGIN CERTIFICATE-----',
	}),
];

export const useCertificate = toggle(
	'Client Certificate',
	'useCertificate',
	'Whether to use mutual TLS with a client certificate',
);

export const signatureProperties: INodeProperties[] = [
	purposeNotice('For signing packages of payments in n8n, with a key that is registered with your bank.'),
	...keyPairProperties(signatureFields, ['Format', 'Format of the key and certificate'], {
		certificate:
			'Certificate of the key in PEM, followed by the intermediate certificates if your bank requires them. ' +
			'Included in CMS signatures; optional for RSA-SHA256.',
		privateKey:
			'Private key in PEM: RSA, or EC for CMS. It never leaves n8n. Leave empty if the certificate text contains it.',
	}),
];
