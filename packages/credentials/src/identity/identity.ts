import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

import { textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialFault } from '../faults.ts';
import { convertPfx } from '../words.ts';
import { isCertificate, isKey, isLocked, lockedKeyLabel, type PemBlock, pemBlocks, writePem } from './pem.ts';
import { looksLikePfx, openPfx, openPfxInBackground, type PfxContent, PfxFault, visibleRounds } from './pfx.ts';
import { mostRounds, roundsOfKey } from './rounds.ts';

/** Somebody's private key, and what others know it by. */
export interface Identity {
	privateKey: KeyObject;
	/** One's own first, then those of the authorities. Empty where there is a key alone. */
	certificates: X509Certificate[];
}

/** A field of a credential's form, as it is stored and as a person sees it. */
interface FormField {
	name: string;
	label: string;
}

/** The fields of a form into which key and certificate go. `certificateFormat` beside them says which: `pem` or `pfx`. */
export interface IdentityForm {
	certificate: FormField;
	privateKey: FormField;
	pfx: FormField;
	passphrase: FormField;
	/** Whether a key alone is of any use. */
	keyAlone: boolean;
}

type Credential = ICredentialDataDecryptedObject;

const fault = (what: string, next: string): CredentialFault => new CredentialFault(what, next);

/** All certificate authorities that a browser trusts fill half of it. */
const mostCharacters = 500_000;

/** A pasted text that is too long to be read at all. */
export function sizeFault(label: string, text: string): CredentialFault | undefined {
	return text.length > mostCharacters
		? fault(
				`${label} has ${text.length} characters, and ${mostCharacters} are the limit`,
				'Paste only the certificate or key that the field asks for.',
			)
		: undefined;
}

/** OpenSSL needs minutes for one signature of a key that is long enough. It verifies with none that is longer than this. */
const mostKeyBits = 16_384;

/** A PFX file of a kind that is not read here. OpenSSL, in a connection, may read it all the same. */
export class UnreadPfx extends CredentialFault {}

/**
 * Key and certificate as they were entered, when they fit together and are in force.
 *
 * @throws CredentialFault in the words of the form
 */
export function identityOf(credential: Credential, form: IdentityForm, now: Date): Identity {
	const identity = readIdentity(credential, form);
	const [own] = identity.certificates;
	const { label } = credential.certificateFormat === 'pfx' ? form.pfx : form.certificate;
	if (own !== undefined && now > new Date(own.validTo))
		throw fault(`${label} expired on ${dayOf(own.validTo)}`, 'Get a new one from the bank and paste it.');
	if (own !== undefined && now < new Date(own.validFrom))
		throw fault(
			`${label} is not valid before ${dayOf(own.validFrom)}`,
			'Wait until then, or check the clock of this machine.',
		);
	return identity;
}

/** The same, whether in force or not. */
export function readIdentity(credential: Credential, form: IdentityForm): Identity {
	const isPfx = credential.certificateFormat === 'pfx';
	const identity = isPfx ? ofPfx(credential, form) : ofPem(credential, form);
	const bits = identity.privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
	if (bits > mostKeyBits)
		throw fault(
			`${(isPfx ? form.pfx : form.privateKey).label} is a key of ${bits} bits, and ${mostKeyBits} are the limit`,
			'Use a shorter key, such as one of 4096 bits.',
		);
	return identity;
}

/** What the reading comes to grief over, if it does. */
export function faultIn(read: () => unknown): CredentialFault | undefined {
	const result = attempt(read);
	return result instanceof CredentialFault ? result : undefined;
}

/** What is read, or the fault that reading it fails with. */
export function attempt<Result>(read: () => Result): Result | CredentialFault {
	try {
		return read();
	} catch (error) {
		if (error instanceof CredentialFault) return error;
		throw error;
	}
}

export const passphraseOf = (credential: Credential, { passphrase }: IdentityForm): string =>
	verbatim(credential[passphrase.name]);

/** What the user has pasted, sorted: a key in the field of the certificate is found as well. */
export function pastedPem(credential: Credential, form: IdentityForm): { certificates: PemBlock[]; key?: PemBlock } {
	const inCertificate = pemBlocks(textOf(credential[form.certificate.name]));
	const key = [...pemBlocks(textOf(credential[form.privateKey.name])), ...inCertificate].find(isKey);
	return { certificates: inCertificate.filter(isCertificate), ...(key === undefined ? {} : { key }) };
}

/** Also of a data URL; undefined where the text is no base64. */
export function pastedPfx(credential: Credential, { pfx }: IdentityForm): Buffer | undefined {
	const text = textOf(credential[pfx.name])
		.replace(/^data:[^,]*,/, '')
		.replaceAll(/\\r|\\n|\s/g, '');
	return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** What can be said of a PFX file from outside. */
export function pfxFault(credential: Credential, form: IdentityForm): CredentialFault | undefined {
	const { label } = form.pfx;
	const given = textOf(credential[form.pfx.name]);
	const size = sizeFault(label, given);
	if (size !== undefined) return size;
	const pasteIt = 'Paste the whole file as base64 text, made for example with "openssl base64 -A -in partner.pfx".';
	if (given === '') return fault(`${label} is empty`, pasteIt);
	if (given.includes('-----BEGIN')) return fault(`${label} holds PEM`, 'Choose the format PEM and paste it there.');
	const bytes = pastedPfx(credential, form);
	if (bytes === undefined) return fault(`${label} is not base64 text`, pasteIt);
	if (!looksLikePfx(bytes)) return fault(`${label} is base64, but not of a PFX file`, pasteIt);
	try {
		return visibleRounds(bytes) > mostRounds ? tooManyRounds(label) : undefined;
	} catch {
		return fault(`${label} is damaged, or not a whole PFX file`, pasteIt);
	}
}

const tooManyRounds = (label: string): CredentialFault =>
	fault(
		`${label} has its passphrase hashed more than ${mostRounds} times, during which n8n could do nothing else`,
		'Export it again with fewer iterations, such as the default of "openssl pkcs12 -export".',
	);

function ofPfx(credential: Credential, form: IdentityForm): Identity {
	const shape = pfxFault(credential, form);
	if (shape !== undefined) throw shape;
	const { label } = form.pfx;
	const { certificates, keys } = opened(credential, form);
	const [privateKey] = keys;
	if (privateKey === undefined)
		throw fault(`${label} holds no private key`, 'Export it again, together with its private key.');
	const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
	if (own === undefined && (certificates.length > 0 || !form.keyAlone))
		throw fault(`${label} holds no certificate of its private key`, 'Export it again, together with the certificate.');
	const others = certificates.filter((certificate) => certificate !== own);
	return { privateKey, certificates: own === undefined ? [] : [own, ...others] };
}

interface OpenedPfx {
	file: unknown;
	passphrase: string;
	outcome: PfxContent | PfxFault;
}

/** By the decrypted credential, of which n8n makes a new one for each request, so none is kept for long. */
const openedInBackground = new WeakMap<Credential, OpenedPfx>();

/** Opens a PFX file in another thread, so that reading the credential afterwards does not block n8n. Faults are left to that reading. */
export async function openInBackground(credential: Credential, form: IdentityForm): Promise<void> {
	if (credential.certificateFormat !== 'pfx' || pfxFault(credential, form) !== undefined) return;
	const bytes = pastedPfx(credential, form) ?? Buffer.alloc(0);
	const passphrase = passphraseOf(credential, form);
	const outcome = await openPfxInBackground(bytes, passphrase).catch((error: unknown) => {
		if (error instanceof PfxFault) return error;
		throw error;
	});
	openedInBackground.set(credential, { file: credential[form.pfx.name], passphrase, outcome });
}

function opened(credential: Credential, form: IdentityForm): PfxContent {
	const passphrase = passphraseOf(credential, form);
	const known = openedInBackground.get(credential);
	try {
		if (known !== undefined && known.file === credential[form.pfx.name] && known.passphrase === passphrase) {
			if (known.outcome instanceof PfxFault) throw known.outcome;
			return known.outcome;
		}
		return openPfx(pastedPfx(credential, form) ?? Buffer.alloc(0), passphrase);
	} catch (error) {
		if (!(error instanceof PfxFault)) throw error;
		const { label } = form.pfx;
		if (error.kind === 'slow') throw tooManyRounds(label);
		if (error.kind === 'unknown')
			throw new UnreadPfx(
				`${label} is damaged, or of a kind that cannot be read here, such as the old one that is locked with RC2`,
				convertPfx,
			);
		throw passphrase === ''
			? fault(`${label} is locked and ${form.passphrase.label} is empty`, 'Enter the passphrase of the file.')
			: fault(
					`${label} cannot be opened: wrong passphrase, or not a whole PFX file`,
					`Correct the ${form.passphrase.label}, or paste the file again.`,
				);
	}
}

function ofPem(credential: Credential, form: IdentityForm): Identity {
	const { certificate: field, privateKey: keyField } = form;
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----.';
	const given = textOf(credential[field.name]);
	const isEmpty = given === '';
	if (isEmpty && !form.keyAlone) throw fault(`${field.label} is empty`, pasteIt);
	const tooLong = sizeFault(field.label, given) ?? sizeFault(keyField.label, textOf(credential[keyField.name]));
	if (tooLong !== undefined) throw tooLong;
	const { certificates, key } = pastedPem(credential, form);
	if (certificates.length === 0 && !isEmpty)
		throw key !== undefined && pemBlocks(given).some(isKey)
			? fault(
					`${field.label} holds a private key, but no certificate`,
					`Paste the certificate here, and the key in ${keyField.label}.`,
				)
			: fault(
					`${field.label} holds no certificate in PEM`,
					`${pasteIt} If you have a .pfx or .p12 file, choose the format PFX.`,
				);
	const parsed = certificates.map(certificateFrom);
	const read = parsed.filter((certificate) => certificate !== undefined);
	if (read.length < parsed.length)
		throw fault(`${field.label} is damaged: one of its certificates cannot be read`, pasteIt);
	const privateKey = unlocked(credential, form, key);
	const [own] = read;
	if (own === undefined || own.checkPrivateKey(privateKey)) return { privateKey, certificates: read };
	throw read.some((other) => other.checkPrivateKey(privateKey))
		? fault(
				`The first certificate in ${field.label} is not your own`,
				'Paste yours first, then those of the authorities.',
			)
		: fault(
				`${keyField.label} does not belong to ${field.label}`,
				'Paste the key that the certificate was requested with.',
			);
}

function unlocked(credential: Credential, form: IdentityForm, block: PemBlock | undefined): KeyObject {
	const { label, name } = form.privateKey;
	const pasteIt = 'Paste the whole text, with the lines -----BEGIN … PRIVATE KEY----- and -----END … PRIVATE KEY-----.';
	const given = textOf(credential[name]);
	if (block === undefined && pemBlocks(given).some(isCertificate))
		throw fault(`${label} holds a certificate, but no private key`, `Paste the private key of the certificate.`);
	if (block === undefined)
		throw fault(given === '' ? `${label} is empty` : `${label} holds no private key in PEM`, pasteIt);
	const passphrase = passphraseOf(credential, form);
	if (isLocked(block) && passphrase === '')
		throw fault(`${label} is locked and ${form.passphrase.label} is empty`, 'Enter the passphrase of the key.');
	if (block.label === lockedKeyLabel && roundsOfKey(Buffer.from(block.body, 'base64')) > mostRounds)
		throw fault(
			`${label} is damaged, or has its passphrase hashed more than ${mostRounds} times, during which n8n could do nothing else`,
			'Lock it again with fewer iterations, for example with "openssl pkcs8 -topk8 -in old.key -out new.key".',
		);
	try {
		return createPrivateKey({ key: writePem(block), format: 'pem', passphrase });
	} catch {
		throw isLocked(block)
			? fault(
					`${form.passphrase.label} does not open ${label}`,
					'Correct the passphrase; if it is right, the key was not pasted whole.',
				)
			: fault(`${label} is damaged: it cannot be read`, pasteIt);
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
