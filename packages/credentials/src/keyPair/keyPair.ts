import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

import { textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { convertPfxAdvice } from '../connectionMessages.ts';
import { CredentialError } from '../credentialError.ts';
import { Der } from '../der.ts';
import type { KeyPairFields } from './fields.ts';
import { isCertificate, isKey, isEncrypted, encryptedKeyLabel, type PemBlock, pemBlocks, writePem } from './pem.ts';
import { countIterations, maxIterations } from './iterations.ts';
import { inspectPfx, looksLikePfx, openPfx, type PfxContent, PfxError } from './pfx.ts';

export interface KeyPair {
	privateKey: KeyObject;
	/** The own certificate first, then the intermediates. Empty if there is only a key. */
	certificates: X509Certificate[];
}

type Credential = ICredentialDataDecryptedObject;

const invalid = (what: string, next: string): CredentialError => new CredentialError(what, next);

/** Twice the size of a browser's complete CA list. */
const maxCharacters = 500_000;

export function validateSize(label: string, text: string): CredentialError | undefined {
	return text.length > maxCharacters
		? invalid(
				`${label} has ${text.length} characters; the limit is ${maxCharacters}`,
				'Paste only the certificate or key that the field asks for.',
			)
		: undefined;
}

/** OpenSSL does not verify with longer keys, and signing with a much longer key takes minutes. */
const maxKeyBits = 16_384;

/**
 * The entered key and certificates, if they belong together and are currently valid.
 *
 * @throws CredentialError with the labels of the form
 */
export function validKeyPairOf(credential: Credential, form: KeyPairFields, now: Date): KeyPair {
	const keyPair = readKeyPair(credential, form);
	const [own] = keyPair.certificates;
	const { label } = credential.certificateFormat === 'pfx' ? form.pfx : form.certificate;
	if (own !== undefined && now > new Date(own.validTo))
		throw invalid(`${label} expired on ${dayOf(own.validTo)}`, 'Get a new one from the bank and paste it.');
	if (own !== undefined && now < new Date(own.validFrom))
		throw invalid(
			`${label} is not valid before ${dayOf(own.validFrom)}`,
			'Wait until then, or check the clock of this machine.',
		);
	return keyPair;
}

/** Like `validKeyPairOf`, but does not check the validity dates. */
export function readKeyPair(credential: Credential, form: KeyPairFields): KeyPair {
	const isPfx = credential.certificateFormat === 'pfx';
	const keyPair = isPfx ? readPfx(credential, form) : readPem(credential, form);
	const bits = keyPair.privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
	if (bits > maxKeyBits)
		throw invalid(
			`${(isPfx ? form.pfx : form.privateKey).label} is a key of ${bits} bits; the limit is ${maxKeyBits}`,
			'Use a shorter key, such as one of 4096 bits.',
		);
	return keyPair;
}

export const passphraseOf = (credential: Credential, { passphrase }: KeyPairFields): string =>
	verbatim(credential[passphrase.name]);

/** The pasted blocks. The key can also be in the certificate field. */
export function pastedPem(credential: Credential, form: KeyPairFields): { certificates: PemBlock[]; key?: PemBlock } {
	const inCertificate = pemBlocks(textOf(credential[form.certificate.name]));
	const key = [...pemBlocks(textOf(credential[form.privateKey.name])), ...inCertificate].find(isKey);
	return { certificates: inCertificate.filter(isCertificate), key };
}

/** Accepts base64 and data URLs; undefined if the text is neither. */
export function pastedPfx(credential: Credential, { pfx }: KeyPairFields): Buffer | undefined {
	const text = textOf(credential[pfx.name])
		.replace(/^data:[^,]*,/, '')
		.replaceAll(/\\r|\\n|\s/g, '');
	return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Validates what is readable without the passphrase. */
export function validatePfxFile(credential: Credential, form: KeyPairFields): CredentialError | undefined {
	const { label } = form.pfx;
	const given = textOf(credential[form.pfx.name]);
	const size = validateSize(label, given);
	if (size !== undefined) return size;
	const pasteIt = 'Paste the whole file as base64 text, for example from "openssl base64 -A -in partner.pfx".';
	if (given === '') return invalid(`${label} is empty`, pasteIt);
	if (given.includes('-----BEGIN'))
		return invalid(`${label} contains PEM text`, 'Choose the format PEM and paste it there.');
	const bytes = pastedPfx(credential, form);
	if (bytes === undefined) return invalid(`${label} is not base64 text`, pasteIt);
	if (!looksLikePfx(bytes)) return invalid(`${label} is base64 text, but not of a PFX file`, pasteIt);
	try {
		inspectPfx(bytes);
		return undefined;
	} catch (error) {
		return error instanceof PfxError && error.kind === 'slow'
			? tooManyIterations(label)
			: invalid(`${label} is damaged or incomplete`, pasteIt);
	}
}

const tooManyIterations = (label: string): CredentialError =>
	invalid(
		`${label} uses more than ${maxIterations} key derivation iterations, which would block n8n`,
		'Export it again with fewer iterations, such as the default of "openssl pkcs12 -export".',
	);

function readPfx(credential: Credential, form: KeyPairFields): KeyPair {
	const shape = validatePfxFile(credential, form);
	if (shape !== undefined) throw shape;
	const { label } = form.pfx;
	const { certificates, keys } = opened(credential, form);
	const [privateKey] = keys;
	if (privateKey === undefined)
		throw invalid(`${label} contains no private key`, 'Export it again, together with its private key.');
	const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
	if (own === undefined && (certificates.length > 0 || !form.keyAlone))
		throw invalid(
			`${label} contains no certificate for its private key`,
			'Export it again, together with the certificate.',
		);
	const others = certificates.filter((certificate) => certificate !== own);
	return { privateKey, certificates: own === undefined ? [] : [own, ...others] };
}

function opened(credential: Credential, form: KeyPairFields): PfxContent {
	const passphrase = passphraseOf(credential, form);
	try {
		return openPfx(pastedPfx(credential, form) ?? Buffer.alloc(0), passphrase);
	} catch (error) {
		if (!(error instanceof PfxError)) throw error;
		const { label } = form.pfx;
		if (error.kind === 'slow') throw tooManyIterations(label);
		if (error.kind === 'unknown')
			throw invalid(
				`${label} is damaged or in an unsupported format, such as one encrypted with RC2`,
				convertPfxAdvice,
			);
		throw passphrase === ''
			? invalid(`${label} is encrypted and ${form.passphrase.label} is empty`, 'Enter the passphrase of the file.')
			: invalid(
					`${label} cannot be opened: wrong passphrase or incomplete file`,
					`Correct ${form.passphrase.label}, or paste the file again.`,
				);
	}
}

function readPem(credential: Credential, form: KeyPairFields): KeyPair {
	const { certificate: field, privateKey: keyField } = form;
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----.';
	const given = textOf(credential[field.name]);
	const isEmpty = given === '';
	if (isEmpty && !form.keyAlone) throw invalid(`${field.label} is empty`, pasteIt);
	const tooLong = validateSize(field.label, given) ?? validateSize(keyField.label, textOf(credential[keyField.name]));
	if (tooLong !== undefined) throw tooLong;
	const { certificates, key } = pastedPem(credential, form);
	if (certificates.length === 0 && !isEmpty)
		throw key !== undefined && pemBlocks(given).some(isKey)
			? invalid(
					`${field.label} contains a private key but no certificate`,
					`Paste the certificate here, and the key in ${keyField.label}.`,
				)
			: invalid(
					`${field.label} contains no certificate in PEM`,
					`${pasteIt} If you have a .pfx or .p12 file, choose the format PFX.`,
				);
	const parsed = certificates.map(certificateFrom);
	const read = parsed.filter((certificate) => certificate !== undefined);
	if (read.length < parsed.length)
		throw invalid(`${field.label} is damaged: one of its certificates cannot be read`, pasteIt);
	const privateKey = unlockKey(credential, form, key);
	const [own] = read;
	if (own === undefined || own.checkPrivateKey(privateKey)) return { privateKey, certificates: read };
	throw read.some((other) => other.checkPrivateKey(privateKey))
		? invalid(
				`The first certificate in ${field.label} is not your own`,
				'Paste your own certificate first, then the intermediate certificates.',
			)
		: invalid(
				`${keyField.label} does not belong to ${field.label}`,
				'Paste the key that the certificate was issued for.',
			);
}

function unlockKey(credential: Credential, form: KeyPairFields, block: PemBlock | undefined): KeyObject {
	const { label, name } = form.privateKey;
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN … PRIVATE KEY----- and -----END … PRIVATE KEY-----.';
	const given = textOf(credential[name]);
	if (block === undefined && pemBlocks(given).some(isCertificate))
		throw invalid(`${label} contains a certificate but no private key`, `Paste the private key of the certificate.`);
	if (block === undefined)
		throw invalid(given === '' ? `${label} is empty` : `${label} contains no private key in PEM`, pasteIt);
	const passphrase = passphraseOf(credential, form);
	if (isEncrypted(block) && passphrase === '')
		throw invalid(`${label} is encrypted and ${form.passphrase.label} is empty`, 'Enter the passphrase of the key.');
	if (block.label === encryptedKeyLabel && !isQuick(Buffer.from(block.body, 'base64')))
		throw invalid(
			`${label} is damaged, or uses scrypt or more than ${maxIterations} key derivation iterations, which would block n8n`,
			'Encrypt it again with fewer iterations, for example with "openssl pkcs8 -topk8 -in old.key -out new.key".',
		);
	try {
		return createPrivateKey({ key: writePem(block), format: 'pem', passphrase });
	} catch {
		throw isEncrypted(block)
			? invalid(
					`${form.passphrase.label} does not open ${label}`,
					'Correct the passphrase. If it is right, paste the whole key again.',
				)
			: invalid(`${label} is damaged: it cannot be read`, pasteIt);
	}
}

/** Whether an EncryptedPrivateKeyInfo (RFC 5958) can be read and is quick to open. */
function isQuick(bytes: Buffer): boolean {
	try {
		return countIterations(Der.read(bytes).part(0)) <= maxIterations;
	} catch {
		return false;
	}
}

export function certificateFrom(block: PemBlock): X509Certificate | undefined {
	try {
		return new X509Certificate(writePem(block));
	} catch {
		return undefined;
	}
}

export const dayOf = (date: string): string => new Date(date).toISOString().slice(0, 10);
