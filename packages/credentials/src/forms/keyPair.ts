import type { INodeProperties } from 'n8n-workflow';

import { connectionFields, type KeyPairFields, signatureFields } from '../keyPair/fields.ts';
import { choice, secret, shownFor, text, toggle } from './fields.ts';

/** n8n's credentials cannot store files, so everything is text. Certificates are masked because n8n's lint requires it for these names. */
function keyPairProperties(
	{ format, certificate, privateKey, pfx, passphrase, keyAlone }: KeyPairFields,
	descriptions: { format: string; certificate: string; privateKey: string },
): INodeProperties[] {
	const typeOptions = { rows: 4 };
	return [
		choice(format.label, format.name, descriptions.format, 'pem', [
			['PEM', 'pem'],
			['PFX (PKCS#12)', 'pfx'],
		]),
		...shownFor({ [format.name]: ['pem'] }, [
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
		...shownFor({ [format.name]: ['pfx'] }, [
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
		keyPairProperties(connectionFields, {
			format: 'Format of the client certificate',
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

/** How packages of payments are signed. The key is seldom that of the connection. */
export const signatureProperties: INodeProperties[] = [
	choice(
		'Signature',
		'signature',
		'How packages of payments are signed (signedBody). The signed text is the JSON of the package without signedBody, exactly as it ' +
			'is sent.',
		'none',
		[
			['CMS Detached', 'cmsDetached', 'Sign in n8n with an RSA or EC key and its certificate (PKCS#7, base64)'],
			['Made Elsewhere', 'given', 'A signing service makes it: Package Signature under Options of the node'],
			['None', 'none', 'This credential sends no payments'],
			['RSA-SHA256', 'rsaSha256', 'Sign in n8n with an RSA key (raw signature, base64)'],
		],
		{ hint: 'For payments. Ask your bank which one it expects.' },
	),
	...shownFor(
		{ signature: ['cmsDetached', 'rsaSha256'] },
		keyPairProperties(signatureFields, {
			format: 'Format of the key that packages are signed with',
			certificate:
				'Certificate of the key in PEM, followed by the intermediate certificates if your bank requires them. ' +
				'Included in CMS signatures; optional for RSA-SHA256.',
			privateKey:
				'Private key in PEM: RSA, or EC for CMS. It never leaves n8n. Leave empty if the certificate text contains it.',
		}),
	),
	...shownFor({ signature: ['cmsDetached', 'given', 'rsaSha256'] }, [
		choice('Signature Position', 'signaturePosition', 'Position of signedBody in the package. Ask your bank.', 'last', [
			['First', 'first'],
			['Last', 'last'],
		]),
	]),
];
