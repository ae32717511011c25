import type { X509Certificate } from 'node:crypto';

import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { CredentialFault } from './faults.ts';
import {
	certificateFrom,
	dayOf,
	faultIn,
	type IdentityForm,
	identityOf,
	openInBackground,
	passphraseOf,
	pastedPem,
	pastedPfx,
	pfxFault,
	readIdentity,
	sizeFault,
	UnreadPfx,
} from './identity/identity.ts';
import { isCertificate, isKey, pemBlocks, repairPem, writePem } from './identity/pem.ts';

/** Text only, because n8n's credentials hold no files. Certificates are masked as well: their names look like secrets to n8n's lint. */
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
		description: 'Certificate in PEM, followed by intermediate certificates if your bank requires them',
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
	description: "CA certificates of the bank in PEM, if n8n's machine does not trust them. No others are trusted then.",
};

/** For services that may or may not ask for a certificate. */
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

/** For services that cannot be reached without. */
export const requiredCertificateProperties: INodeProperties[] = [
	{ displayName: 'Client Certificate', name: 'useCertificate', type: 'hidden', default: true },
	...certificateFields,
	bankCa,
];

export const usesCertificate = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useCertificate === true;

/** Where in the form above the parts stand. */
const form: IdentityForm = {
	certificate: { name: 'clientCertificate', label: 'Client Certificate' },
	privateKey: { name: 'clientPrivateKey', label: 'Private Key' },
	pfx: { name: 'clientCertificatePfx', label: 'Client Certificate (PFX)' },
	passphrase: { name: 'certificatePassphrase', label: 'Certificate Passphrase' },
	keyAlone: false,
};

export type AgentOptions = NonNullable<IHttpRequestOptions['agentOptions']>;

/** What n8n's HTTP helper needs for mutual TLS and for a CA of the bank; undefined where the credential has neither. */
export function agentOptionsOf(credential: ICredentialDataDecryptedObject): AgentOptions | undefined {
	// Node then trusts these alone. Its own list is in node:tls, which n8n's scan does not allow.
	const ca = repairPem(textOf(credential.bankCa));
	const options: AgentOptions = {
		...(usesCertificate(credential) ? identityOptions(credential) : {}),
		...(ca === '' ? {} : { ca }),
	};
	return Object.keys(options).length === 0 ? undefined : options;
}

function identityOptions(credential: ICredentialDataDecryptedObject): AgentOptions {
	const given = passphraseOf(credential, form);
	const passphrase = given === '' ? {} : { passphrase: given };
	if (isPfx(credential)) return { pfx: pastedPfx(credential, form) ?? Buffer.alloc(0), ...passphrase };
	const { certificates, key } = pastedPem(credential, form);
	return { cert: certificates.map(writePem).join(''), key: key === undefined ? '' : writePem(key), ...passphrase };
}

const isPfx = ({ certificateFormat }: ICredentialDataDecryptedObject): boolean => certificateFormat === 'pfx';

/** What is wrong with certificate, key or CA, as far as it can be told at a glance: this is asked before every request. */
export function certificateFault(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CredentialFault | undefined {
	return (usesCertificate(credential) ? ownFault(credential, now) : undefined) ?? caFault(credential, now);
}

const ownFault = (credential: ICredentialDataDecryptedObject, now: Date): CredentialFault | undefined =>
	isPfx(credential) ? pfxFault(credential, form) : faultIn(() => identityOf(credential, form, now));

/**
 * What is wrong inside a PFX file. To open one takes a while, so only rare requests ask: tests, and those for a token. What cannot be
 * opened here is left to the connection.
 */
export function pfxContentFault(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CredentialFault | undefined {
	if (!usesCertificate(credential) || !isPfx(credential)) return undefined;
	const fault = faultIn(() => identityOf(credential, form, now));
	return fault instanceof UnreadPfx ? undefined : fault;
}

/** To be awaited before the PFX file of a credential is read: opening it then does not block n8n. */
export async function openClientCertificate(credential: ICredentialDataDecryptedObject): Promise<void> {
	if (usesCertificate(credential)) await openInBackground(credential, form);
}

/** The client certificate as everybody may see it. */
export interface ShownCertificate {
	subject: string;
	/** The soonest end in its chain. */
	validUntil: string;
	daysLeft: number;
}

const day = 24 * 3600 * 1000;

/** Undefined where there is none, or none that can be read. */
export function shownCertificate(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): ShownCertificate | undefined {
	let certificates: X509Certificate[] = [];
	const read = () => ({ certificates } = readIdentity(credential, form));
	const [own] = !usesCertificate(credential) || faultIn(read) !== undefined ? [] : certificates;
	if (own === undefined) return undefined;
	const end = Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));
	return {
		subject: own.subject.split('\n').join(', '),
		validUntil: new Date(end).toISOString(),
		daysLeft: Math.floor((end - now.getTime()) / day),
	};
}

function caFault(credential: ICredentialDataDecryptedObject, now: Date): CredentialFault | undefined {
	const given = textOf(credential.bankCa);
	if (given === '') return undefined;
	const fault = (what: string, next: string) => new CredentialFault(what, next);
	const pasteIt = 'Paste the certificate of the authority in PEM, or leave the field empty.';
	// Node passes over a CA that it cannot read, and then trusts nobody.
	const size = sizeFault('CA of the Bank', given);
	if (size !== undefined) return size;
	const parsed = pemBlocks(given).filter(isCertificate).map(certificateFrom);
	if (parsed.length === 0)
		return pemBlocks(given).some(isKey)
			? fault('CA of the Bank holds a private key, but no certificate', pasteIt)
			: fault('CA of the Bank holds no certificate in PEM', pasteIt);
	if (parsed.includes(undefined))
		return fault('CA of the Bank is damaged: one of its certificates cannot be read', pasteIt);
	const [last = ''] = parsed
		.map((certificate) => certificate?.validTo ?? '')
		.sort((a, b) => Date.parse(b) - Date.parse(a));
	return now > new Date(last)
		? fault(`CA of the Bank expired on ${dayOf(last)}`, 'Paste the present certificate of the authority.')
		: undefined;
}
