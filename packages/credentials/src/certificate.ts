import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CredentialError, credentialErrorOf } from './credentialError.ts';
import { connectionFields as form } from './keyPair/fields.ts';
import { certificatesIn, dayOf, daysUntil, readKeyPair, validKeyPairOf } from './keyPair/keyPair.ts';
import { repairPem } from './keyPair/pem.ts';

export const usesCertificate = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useCertificate === true;

export type AgentOptions = NonNullable<IHttpRequestOptions['agentOptions']>;

/**
 * TLS options for n8n's HTTP helper; undefined if the credential has no certificate and no CA.
 * @throws CredentialError if the certificate or its key cannot be read
 */
export function agentOptionsOf(credential: ICredentialDataDecryptedObject): AgentOptions | undefined {
	// If the credential has CAs, Node trusts only these. Its default list is in node:tls, which n8n's scan does not
	// allow.
	const ca = repairPem(textOf(credential.bankCa));
	const options: AgentOptions = {
		...(usesCertificate(credential) ? keyPairOptions(credential) : {}),
		...(ca === '' ? {} : { ca }),
	};
	return Object.keys(options).length === 0 ? undefined : options;
}

function keyPairOptions(credential: ICredentialDataDecryptedObject): AgentOptions {
	const { certificates, privateKey } = readKeyPair(credential, form);
	return {
		cert: certificates.map(String).join(''),
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
	};
}

/** @throws CredentialError */
export function validateCertificate(credential: ICredentialDataDecryptedObject, now = new Date()): void {
	if (usesCertificate(credential)) validKeyPairOf(credential, form, now);
	validateCa(credential, now);
}

export interface CertificateInfo {
	subject: string;
	/** ISO 8601; the earliest expiry in the chain. */
	validUntil: string;
	daysLeft: number;
}

/** Describes the client certificate; undefined if the credential has none that can be read. */
export function describeCertificate(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): CertificateInfo | undefined {
	if (!usesCertificate(credential) || credentialErrorOf(() => readKeyPair(credential, form)) !== undefined)
		return undefined;
	const { certificates } = readKeyPair(credential, form);
	const [own] = certificates;
	if (own === undefined) return undefined;
	const end = Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));
	return {
		subject: own.subject.split('\n').join(', '),
		validUntil: new Date(end).toISOString(),
		daysLeft: daysUntil(end, now),
	};
}

/** Node ignores a CA that it cannot read, and then trusts no server. */
function validateCa(credential: ICredentialDataDecryptedObject, now: Date): void {
	const given = textOf(credential.bankCa);
	if (given === '') return;
	const next = 'Paste the CA certificate in PEM, or leave the field empty.';
	const certificates = certificatesIn('CA of the Bank', given, next);
	const end = new Date(Math.max(...certificates.map(({ validTo }) => Date.parse(validTo))));
	if (now > end)
		throw new CredentialError(`CA of the Bank expired on ${dayOf(end)}`, 'Paste the current CA certificate.');
}
