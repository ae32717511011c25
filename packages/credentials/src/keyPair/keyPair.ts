import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto';

import { BoundedSet, textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from '../credentialError.ts';
import type { KeyPairFields } from './fields.ts';
import { isCertificate, isKey, isEncrypted, encryptedKeyLabel, pemBlocks, writePem } from './pem.ts';
import { KeyFileError, maxIterations, openKey, openPfx, type PfxContent } from './pfx.ts';

export interface KeyPair {
	privateKey: KeyObject;
	/** The own certificate first, then the intermediates. Empty if there is only a key. */
	certificates: X509Certificate[];
}

type Credential = ICredentialDataDecryptedObject;

/** Twice the size of a browser's complete CA list. */
const maxCharacters = 500_000;

function validateSize(label: string, text: string): void {
	if (text.length > maxCharacters)
		throw new CredentialError(
			`${label} has ${text.length} characters; the limit is ${maxCharacters}`,
			'Paste only the certificate or key that the field asks for.',
		);
}

/** OpenSSL does not verify with longer keys, and signing with a much longer key takes minutes. */
const maxKeyBits = 16_384;

const isPfxChosen = (credential: Credential, { format }: KeyPairFields): boolean => credential[format.name] === 'pfx';

/** @throws CredentialError unless key and certificates belong together and are currently valid */
export function validKeyPairOf(credential: Credential, form: KeyPairFields, now: Date): KeyPair {
	const keyPair = readKeyPair(credential, form);
	const [own] = keyPair.certificates;
	const { label } = isPfxChosen(credential, form) ? form.pfx : form.certificate;
	if (own !== undefined && now > new Date(own.validTo))
		throw new CredentialError(`${label} expired on ${dayOf(own.validTo)}`, 'Get a new one from the bank and paste it.');
	if (own !== undefined && now < new Date(own.validFrom))
		throw new CredentialError(
			`${label} is not valid before ${dayOf(own.validFrom)}`,
			'Wait until then, or check the clock of this machine.',
		);
	return keyPair;
}

/** Key pairs by a hash of their fields: opening a PFX file takes milliseconds, and every request needs the key pair. */
const recentlyRead = new BoundedSet<KeyPair>(20);

/** Like `validKeyPairOf`, but does not check the validity dates. */
export function readKeyPair(credential: Credential, form: KeyPairFields): KeyPair {
	const { certificate, privateKey, pfx, passphrase } = form;
	const fields = [certificate, privateKey, pfx, passphrase].map(({ name }) => [name, credential[name]]);
	const key = hash('sha256', JSON.stringify([isPfxChosen(credential, form), ...fields]));
	const keyPair = recentlyRead.get(key) ?? openKeyPair(credential, form);
	recentlyRead.renew(key, keyPair);
	return keyPair;
}

function openKeyPair(credential: Credential, form: KeyPairFields): KeyPair {
	const isPfx = isPfxChosen(credential, form);
	const { certificates, privateKey } = isPfx ? readPfx(credential, form) : readPem(credential, form);
	const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
	if (bits > maxKeyBits)
		throw new CredentialError(
			`${(isPfx ? form.pfx : form.privateKey).label} is a key of ${bits} bits; the limit is ${maxKeyBits}`,
			'Use a shorter key, such as one of 4096 bits.',
		);
	const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
	if (own === undefined && (certificates.length > 0 || !form.keyAlone))
		throw isPfx
			? new CredentialError(
					`${form.pfx.label} contains no certificate for its private key`,
					'Export it again, together with the certificate.',
				)
			: new CredentialError(
					`${form.privateKey.label} does not belong to ${form.certificate.label}`,
					'Paste the key that the certificate was issued for.',
				);
	const others = certificates.filter((certificate) => certificate !== own);
	return { privateKey, certificates: own === undefined ? [] : [own, ...others] };
}

const passphraseOf = (credential: Credential, { passphrase }: KeyPairFields): string =>
	verbatim(credential[passphrase.name]);

/** Spaces can be part of a passphrase, so they are not removed. */
const spacesHint = (passphrase: string): string =>
	/^\s|\s$|[\r\n\u200b-\u200f\u2060\ufeff]/.test(passphrase)
		? ' It has a space or line break that you may not see.'
		: '';

function readPfx(credential: Credential, form: KeyPairFields): KeyPair {
	const { certificates, keys } = openPastedPfx(credential, form);
	const [privateKey] = keys;
	if (privateKey === undefined)
		throw new CredentialError(
			`${form.pfx.label} contains no private key`,
			'Export it again, together with its private key.',
		);
	return { privateKey, certificates };
}

function openPastedPfx(credential: Credential, form: KeyPairFields): PfxContent {
	const { label, name } = form.pfx;
	const given = textOf(credential[name]);
	validateSize(label, given);
	const pasteIt = 'Paste the whole file as base64 text, for example from "openssl base64 -A -in partner.pfx".';
	if (given === '') throw new CredentialError(`${label} is empty`, pasteIt);
	// The text may be a data URL, or have the lines that "certutil -encode" adds.
	const base64 = given
		.replace(/^data:[^,]*,/, '')
		.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '')
		.replaceAll(/\\r|\\n/g, '');
	const passphrase = passphraseOf(credential, form);
	try {
		return openPfx(Buffer.from(base64, 'base64'), passphrase);
	} catch (error) {
		if (!(error instanceof KeyFileError)) throw error;
		// A user may have chosen a PEM certificate instead of a PFX file.
		switch (error.kind === 'unsupported' && given.includes('-----BEGIN') ? 'damaged' : error.kind) {
			case 'damaged':
				throw new CredentialError(
					`${label} is damaged, incomplete or not a PFX file as base64 text`,
					`${pasteIt} For PEM text, choose the format PEM.`,
				);
			case 'unsupported':
				throw new CredentialError(
					`${label} is damaged or in an unsupported format, such as a GOST key or encryption with RC2`,
					'Convert it with "openssl pkcs12 -legacy -in old.pfx -out new.pem", choose the format PEM and paste new.pem.',
				);
			case 'slow':
				throw new CredentialError(
					`${label} uses more than ${maxIterations} key derivation iterations, which would block n8n`,
					'Convert it with "openssl pkcs12 -in partner.p12 -out partner.pem", choose the format PEM and paste partner.pem. ' +
						'Firefox writes such files.',
				);
			case 'locked':
				throw passphrase === ''
					? new CredentialError(
							`${label} is encrypted and ${form.passphrase.label} is empty`,
							'Enter the passphrase of the file.',
						)
					: new CredentialError(
							`${label} cannot be opened: wrong passphrase or incomplete file`,
							`Correct ${form.passphrase.label}, or paste the file again.${spacesHint(passphrase)}`,
						);
		}
	}
}

function readPem(credential: Credential, form: KeyPairFields): KeyPair {
	const { label, name } = form.certificate;
	const next =
		'Paste the whole text, with the lines -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----. ' +
		'For a .pfx or .p12 file, choose the format PFX.';
	const given = textOf(credential[name]);
	if (given === '' && !form.keyAlone) throw new CredentialError(`${label} is empty`, next);
	const certificates = given === '' ? [] : certificatesIn(label, given, next);
	return { certificates, privateKey: unlockKey(credential, form) };
}

/**
 * @param next advice for the user if the text has no certificate, or one that cannot be read
 * @throws CredentialError
 */
export function certificatesIn(label: string, text: string, next: string): X509Certificate[] {
	validateSize(label, text);
	const blocks = pemBlocks(text);
	const certificates = blocks.filter(isCertificate);
	if (certificates.length === 0)
		throw new CredentialError(
			`${label} contains ${blocks.some(isKey) ? 'a private key but no certificate' : 'no certificate in PEM'}`,
			next,
		);
	try {
		return certificates.map((block) => new X509Certificate(writePem(block)));
	} catch {
		throw new CredentialError(`${label} is damaged: one of its certificates cannot be read`, next);
	}
}

function unlockKey(credential: Credential, form: KeyPairFields): KeyObject {
	const { label, name } = form.privateKey;
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN … PRIVATE KEY----- and -----END … PRIVATE KEY-----.';
	const given = textOf(credential[name]);
	validateSize(label, given);
	// The key can also be in the certificate field.
	const block = [given, textOf(credential[form.certificate.name])].flatMap(pemBlocks).find(isKey);
	if (block === undefined) {
		const found = pemBlocks(given).some(isCertificate) ? 'a certificate but no private key' : 'no private key in PEM';
		throw new CredentialError(given === '' ? `${label} is empty` : `${label} contains ${found}`, pasteIt);
	}
	const passphrase = passphraseOf(credential, form);
	if (isEncrypted(block) && passphrase === '')
		throw new CredentialError(
			`${label} is encrypted and ${form.passphrase.label} is empty`,
			'Enter the passphrase of the key.',
		);
	try {
		return block.label === encryptedKeyLabel
			? openKey(Buffer.from(block.body, 'base64'), passphrase)
			: createPrivateKey({ key: writePem(block), format: 'pem', passphrase });
	} catch (error) {
		if (error instanceof KeyFileError && error.kind !== 'locked')
			throw new CredentialError(
				`${label} is damaged, of a kind such as GOST, or uses scrypt or more than ${maxIterations} key derivation iterations`,
				'Encrypt it again with fewer iterations, for example with "openssl pkcs8 -topk8 -in old.key -out new.key".',
			);
		throw isEncrypted(block)
			? new CredentialError(
					`${form.passphrase.label} does not open ${label}`,
					`Correct the passphrase. If it is right, paste the whole key again.${spacesHint(passphrase)}`,
				)
			: new CredentialError(
					`${label} cannot be read: it is damaged, or of a kind that Node does not support, such as GOST or OpenSSH`,
					pasteIt,
				);
	}
}

export const dayOf = (date: string | Date): string => new Date(date).toISOString().slice(0, 10);

/** Whole days until `end`, in milliseconds since 1970. */
export const daysUntil = (end: number, now: Date): number => Math.floor((end - now.getTime()) / (24 * 3600 * 1000));
