import type { INodeProperties } from 'n8n-workflow';

import { signatureFields } from '../signature/fields.ts';
import { purposeNotice } from './purpose.ts';

const { certificate, privateKey, pfx, passphrase } = signatureFields;

const shownFor = (format: 'pem' | 'pfx'): INodeProperties['displayOptions'] => ({
	show: { certificateFormat: [format] },
});

export const signatureProperties: INodeProperties[] = [
	purposeNotice('For signing packages of payments in n8n, with a key that is registered with your bank.'),
	{
		displayName: 'Format',
		name: 'certificateFormat',
		type: 'options',
		options: [
			{ name: 'PEM', value: 'pem', description: 'Text that starts with -----BEGIN' },
			{
				name: 'PFX (PKCS#12)',
				value: 'pfx',
				description: 'File with key and certificate (.pfx or .p12), as base64 text',
			},
		],
		default: 'pem',
		description: 'Format of the key and certificate',
	},
	{
		displayName: privateKey.label,
		name: privateKey.name,
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		placeholder: '-----BEGIN PRIVATE KEY-----',
		description:
			'Private key in PEM: RSA, or EC for CMS. It never leaves n8n. Leave empty if the certificate text contains it.',
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
			'Certificate of the key in PEM, followed by the intermediate certificates if your bank requires them. ' +
			'Included in CMS signatures; optional for RSA-SHA256.',
		displayOptions: shownFor('pem'),
	},
	{
		displayName: pfx.label,
		name: pfx.name,
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		required: true,
		description: 'PFX file as base64 text, for example from openssl base64 -A -in signer.pfx',
		displayOptions: shownFor('pfx'),
	},
	{
		displayName: passphrase.label,
		name: passphrase.name,
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Passphrase of the private key or PFX file, if it has one',
	},
];
