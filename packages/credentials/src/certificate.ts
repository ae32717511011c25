import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

import { textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { CredentialFault } from './faults.ts';

/** Text only, because n8n's credentials hold no files. Certificates are masked as well: their names look like secrets to n8n's lint. */
const certificateFields: INodeProperties[] = [
	{
		displayName: 'Certificate Format',
		name: 'certificateFormat',
		type: 'options',
		options: [
			{ name: 'PEM', value: 'pem', description: 'Text that begins with -----BEGIN: certificate and key' },
			{
				name: 'PFX (PKCS#12)',
				value: 'pfx',
				description: 'One file with certificate and key (.pfx or .p12), as base64 text',
			},
		],
		default: 'pem',
		description: 'In which form you have the client certificate',
		displayOptions: { show: { useCertificate: [true] } },
	},
	{
		displayName: 'Client Certificate',
		name: 'clientCertificate',
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		required: true,
		placeholder: '-----BEGIN CERTIFICATE-----',
		description:
			'Your certificate in PEM, followed by the intermediate certificates if the bank wants them. Lost line breaks do not matter',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pem'] } },
	},
	{
		displayName: 'Private Key',
		name: 'clientPrivateKey',
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		placeholder: '-----BEGIN PRIVATE KEY-----',
		description: 'The key of the certificate in PEM. Leave it empty if it stands in the same text as the certificate',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pem'] } },
	},
	{
		displayName: 'Client Certificate (PFX)',
		name: 'clientCertificatePfx',
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		required: true,
		description: 'The whole file as base64 text, made for example with: openssl base64 -A -in partner.pfx',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pfx'] } },
	},
	{
		displayName: 'Certificate Passphrase',
		name: 'certificatePassphrase',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'What the private key or the PFX file is locked with, if it is',
		displayOptions: { show: { useCertificate: [true] } },
	},
];

const bankCa: INodeProperties = {
	displayName: 'CA of the Bank',
	name: 'bankCa',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: '-----BEGIN CERTIFICATE-----',
	description:
		'Certificates of the authorities that have issued those of the bank, in PEM. Only needed where ' +
		'this machine does not know them. If filled in, this credential trusts no others',
};

/** For services that may or may not ask for a certificate. */
export const optionalCertificateProperties: INodeProperties[] = [
	{
		displayName: 'Client Certificate',
		name: 'useCertificate',
		type: 'boolean',
		default: false,
		description: 'Whether requests go over mutual TLS, with your client certificate',
	},
	...certificateFields,
	bankCa,
];

/** For services that cannot be reached without. */
export const requiredCertificateProperties: INodeProperties[] = [
	{ displayName: 'Client Certificate', name: 'useCertificate', type: 'hidden', default: true },
	...certificateFields,
	bankCa,
];

export const usesCertificate = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useCertificate === true;

interface PemBlock {
	label: string;
	/** `Proc-Type` and `DEK-Info` of keys that were locked the old way. */
	headers: string[];
	body: string;
}

function pemBlocks(text: string): PemBlock[] {
	const lines = text.replaceAll(/\\r|\\n/g, '\n');
	return [...lines.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)].map(
		([, label = '', content = '']) => {
			const head = /^\s*(?:[\w-]+:\s*\S+\s+)*/.exec(content)?.[0] ?? '';
			return {
				label,
				headers: [...head.matchAll(/([\w-]+):\s*(\S+)/g)].map(([, name, value]) => `${name}: ${value}`),
				body: content.slice(head.length).replaceAll(/\s/g, ''),
			};
		},
	);
}

function written({ label, headers, body }: PemBlock): string {
	return [
		`-----BEGIN ${label}-----`,
		...(headers.length === 0 ? [] : [...headers, '']),
		...(body.match(/.{1,64}/g) ?? []),
		`-----END ${label}-----`,
		'',
	].join('\n');
}

/**
 * PEM as it was before somebody pasted it into a field of one line, where line breaks became spaces, `\n` or nothing. Words around
 * the blocks go. Empty where there is no block.
 */
export function repairPem(text: string): string {
	return pemBlocks(text).map(written).join('');
}

const isCertificate = ({ label }: PemBlock) => /^(?:X509 |TRUSTED )?CERTIFICATE$/.test(label);
const isKey = ({ label }: PemBlock) => label.endsWith('PRIVATE KEY');

/** What the user has pasted, sorted: a key in the field of the certificate is found as well. */
function pemOf(credential: ICredentialDataDecryptedObject): { certificates: PemBlock[]; key?: PemBlock } {
	const inCertificate = pemBlocks(textOf(credential.clientCertificate));
	const key = [...pemBlocks(textOf(credential.clientPrivateKey)), ...inCertificate].find(isKey);
	return { certificates: inCertificate.filter(isCertificate), ...(key === undefined ? {} : { key }) };
}

/** Also of a data URL; undefined where the text is no base64. */
function pfxOf(credential: ICredentialDataDecryptedObject): Buffer | undefined {
	const text = textOf(credential.clientCertificatePfx)
		.replace(/^data:[^,]*,/, '')
		.replaceAll(/\\r|\\n|\s/g, '');
	return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** A PFX file is a sequence that begins with version 3 (RFC 7292, 4). */
function looksLikePfx(bytes: Buffer): boolean {
	const [tag, length = 0] = bytes;
	const content = 2 + (length > 0x80 ? length - 0x80 : 0);
	return tag === 0x30 && bytes.subarray(content, content + 3).equals(Buffer.from([2, 1, 3]));
}

export type AgentOptions = NonNullable<IHttpRequestOptions['agentOptions']>;

/** What n8n's HTTP helper needs for mutual TLS and for a CA of the bank; undefined where the credential has neither. */
export function agentOptionsOf(credential: ICredentialDataDecryptedObject): AgentOptions | undefined {
	// Node then trusts these alone. Its own list is in node:tls, which n8n's scan does not allow.
	const ca = repairPem(textOf(credential.bankCa));
	const options: AgentOptions = {
		...(usesCertificate(credential) ? identityOf(credential) : {}),
		...(ca === '' ? {} : { ca }),
	};
	return Object.keys(options).length === 0 ? undefined : options;
}

const passphraseOf = ({ certificatePassphrase }: ICredentialDataDecryptedObject): string =>
	verbatim(certificatePassphrase);

function identityOf(credential: ICredentialDataDecryptedObject): AgentOptions {
	const passphrase = passphraseOf(credential) === '' ? {} : { passphrase: passphraseOf(credential) };
	if (credential.certificateFormat === 'pfx') return { pfx: pfxOf(credential) ?? Buffer.alloc(0), ...passphrase };
	const { certificates, key } = pemOf(credential);
	return { cert: certificates.map(written).join(''), key: key === undefined ? '' : written(key), ...passphrase };
}

/** What is wrong with certificate, key or CA, as far as it can be told without the bank. */
export function certificateFault(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CredentialFault | undefined {
	if (!usesCertificate(credential)) return caFault(credential, now);
	return (
		(credential.certificateFormat === 'pfx' ? pfxFault(credential) : pemFault(credential, now)) ??
		caFault(credential, now)
	);
}

const fault = (what: string, next: string): CredentialFault => new CredentialFault(what, next);

function pemFault(credential: ICredentialDataDecryptedObject, now: Date): CredentialFault | undefined {
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----.';
	if (textOf(credential.clientCertificate) === '') return fault('Client Certificate is empty', pasteIt);
	const { certificates, key } = pemOf(credential);
	if (certificates.length === 0)
		return fault(
			'Client Certificate holds no certificate in PEM',
			`${pasteIt} If you have a .pfx or .p12 file, choose the format PFX.`,
		);
	const parsed = certificates.map((block) => certificateFrom(written(block)));
	const [own] = parsed;
	if (own === undefined || parsed.includes(undefined))
		return fault('Client Certificate is damaged: one of its certificates cannot be read', pasteIt);
	const privateKey = unlocked(credential, key);
	if (privateKey instanceof CredentialFault) return privateKey;
	if (!own.checkPrivateKey(privateKey)) {
		return parsed.some((other) => other?.checkPrivateKey(privateKey))
			? fault(
					'The first certificate in Client Certificate is not your own',
					'Paste yours first, then those of the authorities.',
				)
			: fault(
					'Private Key does not belong to Client Certificate',
					'Paste the key that the certificate was requested with.',
				);
	}
	if (now > new Date(own.validTo))
		return fault(`Client Certificate expired on ${dayOf(own.validTo)}`, 'Get a new one from the bank and paste it.');
	if (now < new Date(own.validFrom))
		return fault(
			`Client Certificate is not valid before ${dayOf(own.validFrom)}`,
			'Wait until then, or check the clock of this machine.',
		);
	return undefined;
}

function unlocked(
	credential: ICredentialDataDecryptedObject,
	block: PemBlock | undefined,
): KeyObject | CredentialFault {
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN … PRIVATE KEY----- and -----END … PRIVATE KEY-----.';
	if (block === undefined)
		return fault(
			textOf(credential.clientPrivateKey) === '' ? 'Private Key is empty' : 'Private Key holds no private key in PEM',
			pasteIt,
		);
	const isLocked =
		block.label === 'ENCRYPTED PRIVATE KEY' || block.headers.some((header) => header.includes('ENCRYPTED'));
	const passphrase = passphraseOf(credential);
	if (isLocked && passphrase === '')
		return fault('Private Key is locked and Certificate Passphrase is empty', 'Enter the passphrase of the key.');
	try {
		return createPrivateKey({ key: written(block), format: 'pem', passphrase });
	} catch {
		return isLocked
			? fault(
					'Certificate Passphrase does not open Private Key',
					'Correct the passphrase; if it is right, the key was not pasted whole.',
				)
			: fault('Private Key is damaged: it cannot be read', pasteIt);
	}
}

/** What the container holds cannot be seen without the bank: node:crypto does not open it. */
function pfxFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	const given = textOf(credential.clientCertificatePfx);
	const pasteIt = 'Paste the whole file as base64 text, made for example with "openssl base64 -A -in partner.pfx".';
	if (given === '') return fault('Client Certificate (PFX) is empty', pasteIt);
	if (given.includes('-----BEGIN'))
		return fault('Client Certificate (PFX) holds PEM', 'Choose the format PEM and paste it there.');
	const bytes = pfxOf(credential);
	if (bytes === undefined) return fault('Client Certificate (PFX) is not base64 text', pasteIt);
	return looksLikePfx(bytes) ? undefined : fault('Client Certificate (PFX) is base64, but not of a PFX file', pasteIt);
}

function caFault(credential: ICredentialDataDecryptedObject, now: Date): CredentialFault | undefined {
	const given = textOf(credential.bankCa);
	if (given === '') return undefined;
	const pasteIt = 'Paste the certificate of the authority in PEM, or leave the field empty.';
	// Node passes over a CA that it cannot read, and then trusts nobody.
	const parsed = pemBlocks(given)
		.filter(isCertificate)
		.map((block) => certificateFrom(written(block)));
	if (parsed.length === 0) return fault('CA of the Bank holds no certificate in PEM', pasteIt);
	if (parsed.includes(undefined))
		return fault('CA of the Bank is damaged: one of its certificates cannot be read', pasteIt);
	const [last = ''] = parsed
		.map((certificate) => certificate?.validTo ?? '')
		.sort((a, b) => Date.parse(b) - Date.parse(a));
	return now > new Date(last)
		? fault(`CA of the Bank expired on ${dayOf(last)}`, 'Paste the present certificate of the authority.')
		: undefined;
}

function certificateFrom(pem: string): X509Certificate | undefined {
	try {
		return new X509Certificate(pem);
	} catch {
		return undefined;
	}
}

const dayOf = (date: string): string => new Date(date).toISOString().slice(0, 10);
