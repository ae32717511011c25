/** Builds parts of PFX files (RFC 7292), for files that no program writes. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

import { der, objectIdentifier as oid, tags } from '../../src/der.ts';

const { sequence, octetString, context } = tags;

export const integer = (value: number): Buffer => {
	const bytes = Buffer.alloc(6);
	bytes.writeIntBE(value, 0, 6);
	return der(tags.integer, bytes);
};
export const octets = (content: string | Uint8Array): Buffer => der(octetString, Buffer.from(content));
const data = oid('1.2.840.113549.1.7.1');
export const info = (type: Buffer, content: Buffer): Buffer => der(sequence, type, der(context(0), content));

/** A PFX file with these parts. */
export const pfxOf = (safes: Buffer[], ...mac: Buffer[]): Buffer =>
	der(sequence, der(tags.integer, Buffer.from([3])), info(data, octets(der(sequence, ...safes))), ...mac);

/** An unencrypted part. */
export const plainSafe = (...bags: Buffer[]): Buffer => info(data, octets(der(sequence, ...bags)));

/** An encrypted part. `kind` is its encryption algorithm; by default the content is arbitrary. */
export const encryptedSafe = (kind: Buffer, content = Buffer.alloc(16)): Buffer =>
	info(oid('1.2.840.113549.1.7.6'), der(sequence, integer(0), der(sequence, data, kind, der(0x80, content))));

export const bag = (type: number, value: Buffer): Buffer => info(oid(`1.2.840.113549.1.12.10.1.${type}`), value);
export const keyBag = (pem: string): Buffer => bag(1, createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }));
/** EncryptedPrivateKeyInfo with arbitrary content. */
export const encryptedKeyInfo = (kind: Buffer): Buffer => der(sequence, kind, octets(Buffer.alloc(16)));
export const encryptedKeyBag = (kind: Buffer): Buffer => bag(2, encryptedKeyInfo(kind));
export const encryptedKey = (kind: Buffer): string =>
	`-----BEGIN ENCRYPTED PRIVATE KEY-----\n${encryptedKeyInfo(kind).toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----`;
/** `kind` 1 is X.509. */
export const certificateBag = (pem: string, kind = 1): Buffer =>
	bag(3, info(oid(`1.2.840.113549.1.9.22.${kind}`), octets(new X509Certificate(pem).raw)));

/** AlgorithmIdentifiers of passphrase encryption. */
const salt = octets(Buffer.alloc(8));
export const algorithm = (id: string, ...parameters: Buffer[]): Buffer => der(sequence, oid(id), ...parameters);
export const ids = {
	pbes2: '1.2.840.113549.1.5.13',
	pbkdf2: '1.2.840.113549.1.5.12',
	scrypt: '1.3.6.1.4.1.11591.4.11',
	aes256: '2.16.840.1.101.3.4.1.42',
	sha256: '2.16.840.1.101.3.4.2.1',
	hmacSha256: '1.2.840.113549.2.9',
	tripleDes: '1.2.840.113549.1.12.1.3',
};
/** An AlgorithmIdentifier with salt, numbers and more. */
export const derivation = (id: string, numbers: number[], ...more: Buffer[]): Buffer =>
	algorithm(id, der(sequence, salt, ...numbers.map(integer), ...more));
export const pbes2 = (key: Buffer, cipher = ids.aes256): Buffer =>
	algorithm(ids.pbes2, der(sequence, key, algorithm(cipher, octets(Buffer.alloc(16)))));
