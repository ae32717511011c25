import type { INodeProperties } from 'n8n-workflow';

import { signatureForm } from '../signature/credential.ts';

const { certificate, privateKey, pfx, passphrase } = signatureForm;

const shownFor = (format: 'pem' | 'pfx'): INodeProperties['displayOptions'] => ({
	show: { certificateFormat: [format] },
});

export const signatureProperties: INodeProperties[] = [
	{
		displayName: 'Format',
		name: 'certificateFormat',
		type: 'options',
		options: [
			{ name: 'PEM', value: 'pem', description: 'Text that begins with -----BEGIN: key and certificate' },
			{
				name: 'PFX (PKCS#12)',
				value: 'pfx',
				description: 'One file with key and certificate (.pfx or .p12), as base64 text',
			},
		],
		default: 'pem',
		description: 'In which form you have key and certificate',
	},
	{
		displayName: privateKey.label,
		name: privateKey.name,
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		placeholder: '-----BEGIN PRIVATE KEY-----',
		description:
			'The key that signs, in PEM: RSA, or EC for CMS. It never leaves n8n. ' +
			'Leave it empty if it stands in the same text as the certificate',
		displayOptions: shownFor('pem'),
	},
	{
		displayName: certificate.label,
		name: certificate.name,
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		placeholder: '-----BEGIN CERTIFICATE-----',
		description:
			'The certificate of the key in PEM, followed by those of its authorities if the bank wants them: ' +
			'they travel with a CMS signature. May be empty for RSA-SHA256. Lost line breaks do not matter',
		displayOptions: shownFor('pem'),
	},
	{
		displayName: pfx.label,
		name: pfx.name,
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		required: true,
		description: 'The whole file as base64 text, made for example with: openssl base64 -A -in signer.pfx',
		displayOptions: shownFor('pfx'),
	},
	{
		displayName: passphrase.label,
		name: passphrase.name,
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'What the private key or the PFX file is locked with, if it is',
	},
];
