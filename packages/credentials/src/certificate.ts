import type { X509Certificate } from 'node:crypto';

import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { CredentialError, credentialErrorOf } from './credentialError.ts';
import {
	certificateFrom,
	dayOf,
	type KeyPairFields,
	validKeyPairOf,
	openInBackground,
	passphraseOf,
	pastedPem,
	pastedPfx,
	validatePfxFile,
	readKeyPair,
	validateSize,
	UnsupportedPfxError,
} from './keyPair/keyPair.ts';
import { isCertificate, isKey, pemBlocks, repairPem, writePem } from './keyPair/pem.ts';

/** n8n's credentials cannot store files, so everything is text. Certificates are masked because n8n's lint requires it for these names. */
const certificateFields: INodeProperties[] = [
	{
		displayName: 'Certificate Format',
		name: 'certificateFormat',
		type: 'options',
		options: [
			{ name: 'PEM', value: 'pem' },
			{ name: 'PFX (PKCS#12)', value: 'pfx' },
		],
		default: 'pem',
		description: 'Format of the client certificate',
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
		description: 'Certificate in PEM, followed by the intermediate certificates if your bank requires them',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pem'] } },
	},
	{
		displayName: 'Private Key',
		name: 'clientPrivateKey',
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		placeholder: '-----BEGIN PRIVATE KEY-----',
		description: 'Private key in PEM. Leave empty if the certificate text contains it.',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pem'] } },
	},
	{
		displayName: 'Client Certificate (PFX)',
		name: 'clientCertificatePfx',
		type: 'string',
		typeOptions: { password: true, rows: 4 },
		default: '',
		required: true,
		description: 'PFX file as base64 text, for example from openssl base64 -A -in partner.pfx',
		displayOptions: { show: { useCertificate: [true], certificateFormat: ['pfx'] } },
	},
	{
		displayName: 'Certificate Passphrase',
		name: 'certificatePassphrase',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Passphrase of the private key or PFX file, if it has one',
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
	description: 'CA certificates of the bank in PEM. If set, no other CA is trusted.',
};

export const optionalCertificateProperties: INodeProperties[] = [
	{
		displayName: 'Client Certificate',
		name: 'useCertificate',
		type: 'boolean',
		default: false,
		description: 'Whether to use mutual TLS with a client certificate',
	},
	...certificateFields,
	bankCa,
];

export const requiredCertificateProperties: INodeProperties[] = [
	{ displayName: 'Client Certificate', name: 'useCertificate', type: 'hidden', default: true },
	...certificateFields,
	bankCa,
];

export const usesCertificate = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useCertificate === true;

const form: KeyPairFields = {
	certificate: { name: 'clientCertificate', label: 'Client Certificate' },
	privateKey: { name: 'clientPrivateKey', label: 'Private Key' },
	pfx: { name: 'clientCertificatePfx', label: 'Client Certificate (PFX)' },
	passphrase: { name: 'certificatePassphrase', label: 'Certificate Passphrase' },
	keyAlone: false,
};

export type AgentOptions = NonNullable<IHttpRequestOptions['agentOptions']>;

/** TLS options for n8n's HTTP helper; undefined if the credential has no certificate and no CA. */
export function agentOptionsOf(credential: ICredentialDataDecryptedObject): AgentOptions | undefined {
	// Node then trusts only these CAs. Its default list is in node:tls, which n8n's scan does not allow.
	const ca = repairPem(textOf(credential.bankCa));
	const options: AgentOptions = {
		...(usesCertificate(credential) ? keyPairOptions(credential) : {}),
		...(ca === '' ? {} : { ca }),
	};
	return Object.keys(options).length === 0 ? undefined : options;
}

function keyPairOptions(credential: ICredentialDataDecryptedObject): AgentOptions {
	const given = passphraseOf(credential, form);
	const passphrase = given === '' ? {} : { passphrase: given };
	if (isPfx(credential)) return { pfx: pastedPfx(credential, form) ?? Buffer.alloc(0), ...passphrase };
	const { certificates, key } = pastedPem(credential, form);
	return { cert: certificates.map(writePem).join(''), key: key === undefined ? '' : writePem(key), ...passphrase };
}

const isPfx = ({ certificateFormat }: ICredentialDataDecryptedObject): boolean => certificateFormat === 'pfx';

/** Quick validation of certificate, key and CA, run before every request. Does not open PFX files. */
export function validateCertificate(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CredentialError | undefined {
	return (
		(usesCertificate(credential) ? validateOwnCertificate(credential, now) : undefined) ?? validateCa(credential, now)
	);
}

const validateOwnCertificate = (credential: ICredentialDataDecryptedObject, now: Date): CredentialError | undefined =>
	isPfx(credential)
		? validatePfxFile(credential, form)
		: credentialErrorOf(() => validKeyPairOf(credential, form, now));

/**
 * Opens and validates the PFX file. This is slow, so it runs only for credential tests and token requests. Formats that are not supported
 * here pass, because OpenSSL may still read them when connecting.
 */
export function validatePfxContent(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CredentialError | undefined {
	if (!usesCertificate(credential) || !isPfx(credential)) return undefined;
	const error = credentialErrorOf(() => validKeyPairOf(credential, form, now));
	return error instanceof UnsupportedPfxError ? undefined : error;
}

/** Opens the PFX file in another thread. Await it before reading the credential, so that n8n is not blocked. */
export async function openClientCertificate(credential: ICredentialDataDecryptedObject): Promise<void> {
	if (usesCertificate(credential)) await openInBackground(credential, form);
}

/** Public facts of the client certificate. */
export interface CertificateInfo {
	subject: string;
	/** ISO 8601; the earliest expiry in the chain. */
	validUntil: string;
	daysLeft: number;
}

const day = 24 * 3600 * 1000;

/** Undefined if there is no certificate, or it cannot be read. */
export function describeCertificate(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CertificateInfo | undefined {
	let certificates: X509Certificate[] = [];
	const read = () => ({ certificates } = readKeyPair(credential, form));
	const [own] = !usesCertificate(credential) || credentialErrorOf(read) !== undefined ? [] : certificates;
	if (own === undefined) return undefined;
	const end = Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));
	return {
		subject: own.subject.split('\n').join(', '),
		validUntil: new Date(end).toISOString(),
		daysLeft: Math.floor((end - now.getTime()) / day),
	};
}

function validateCa(credential: ICredentialDataDecryptedObject, now: Date): CredentialError | undefined {
	const given = textOf(credential.bankCa);
	if (given === '') return undefined;
	const invalid = (what: string, next: string) => new CredentialError(what, next);
	const pasteIt = 'Paste the CA certificate in PEM, or leave the field empty.';
	// Node ignores a CA that it cannot read, and then trusts no server.
	const size = validateSize('CA of the Bank', given);
	if (size !== undefined) return size;
	const parsed = pemBlocks(given).filter(isCertificate).map(certificateFrom);
	if (parsed.length === 0)
		return pemBlocks(given).some(isKey)
			? invalid('CA of the Bank contains a private key but no certificate', pasteIt)
			: invalid('CA of the Bank contains no certificate in PEM', pasteIt);
	if (parsed.includes(undefined))
		return invalid('CA of the Bank is damaged: one of its certificates cannot be read', pasteIt);
	const [last = ''] = parsed
		.map((certificate) => certificate?.validTo ?? '')
		.sort((a, b) => Date.parse(b) - Date.parse(a));
	return now > new Date(last)
		? invalid(`CA of the Bank expired on ${dayOf(last)}`, 'Paste the current CA certificate.')
		: undefined;
}
