import { createDecipheriv, createPrivateKey, hash, type KeyObject, pbkdf2Sync, X509Certificate } from 'node:crypto';

import { Der, tags } from '../der.ts';

/**
 * Reader of PFX files (PKCS#12, RFC 7292) and encrypted keys (PKCS#8, RFC 5958), because node:crypto cannot open PFX files and n8n's
 * scan does not allow node:tls. Supports the formats that OpenSSL 3, Windows, Java and macOS write today. The MAC is not verified: a
 * wrong passphrase yields no valid DER, and anyone who can change the file can change the whole credential.
 */
export interface PfxContent {
	certificates: X509Certificate[];
	keys: KeyObject[];
}

/** `locked`: wrong passphrase. `slow`: too many key derivation iterations. */
export class KeyFileError extends Error {
	readonly kind: 'damaged' | 'locked' | 'slow' | 'unsupported';

	constructor(kind: KeyFileError['kind']) {
		super(kind);
		this.kind = kind;
	}
}

/**
 * Encrypted files set the number of iterations of their key derivation, which blocks n8n's only thread. So the sum per file is limited.
 * OpenSSL and Windows use about 2,000 per part, Java 10,000, Bouncy Castle 51,200; 200,000 take a tenth of a second.
 */
export const maxIterations = 200_000;

interface Opening {
	passphrase: string;
	/** Key derivation iterations so far. */
	iterations: number;
}

/** @throws KeyFileError */
export function openPfx(bytes: Buffer, passphrase: string): PfxContent {
	return mapErrors('damaged', () => {
		const content: PfxContent = { certificates: [], keys: [] };
		const opening = { passphrase, iterations: 0 };
		for (const safe of Der.read(contentOf(Der.read(bytes).part(1))).parts)
			for (const bag of bagsOf(safe, opening)) collect(bag, opening, content);
		return content;
	});
}

/**
 * Opens an EncryptedPrivateKeyInfo.
 * @throws KeyFileError
 */
export function openKey(bytes: Buffer, passphrase: string): KeyObject {
	return mapErrors('damaged', () => decryptKey(Der.read(bytes), { passphrase, iterations: 0 }));
}

const types = {
	data: '1.2.840.113549.1.7.1',
	encryptedData: '1.2.840.113549.1.7.6',
	keyBag: '1.2.840.113549.1.12.10.1.1',
	shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
	certificateBag: '1.2.840.113549.1.12.10.1.3',
	x509: '1.2.840.113549.1.9.22.1',
	pbes2: '1.2.840.113549.1.5.13',
	pbkdf2: '1.2.840.113549.1.5.12',
	tripleDes: '1.2.840.113549.1.12.1.3',
} as const;

/** Maps every other error of `read` to a KeyFileError of this kind. */
function mapErrors<Result>(kind: KeyFileError['kind'], read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		throw error instanceof KeyFileError ? error : new KeyFileError(kind);
	}
}

/** ContentInfo: its type, and `[0]` its content. */
function contentOf(info: Der): Buffer {
	if (!info.part(0).is(types.data)) throw new KeyFileError('unsupported');
	return info.part(1).part(0).octets;
}

function bagsOf(safe: Der, opening: Opening): Der[] {
	if (!safe.part(0).is(types.encryptedData)) return Der.read(contentOf(safe)).parts;
	// EncryptedData (RFC 5652, 8): version, then type, algorithm and `[0]` content.
	const encrypted = safe.part(1).part(0).part(1);
	return decrypt(encrypted.part(1), encrypted.part(2).octets, opening).parts;
}

/** A bag has a type, `[0]` a value, and attributes that are not needed here. */
function collect(bag: Der, opening: Opening, into: PfxContent): void {
	const [type, value] = [bag.part(0), bag.part(1).part(0)];
	if (type.is(types.keyBag)) into.keys.push(keyFrom(value));
	if (type.is(types.shroudedKeyBag)) into.keys.push(decryptKey(value, opening));
	if (type.is(types.certificateBag) && value.part(0).is(types.x509))
		into.certificates.push(new X509Certificate(value.part(1).part(0).octets));
}

/** Node does not support GOST keys. */
const keyFrom = (pkcs8: Der): KeyObject =>
	mapErrors('unsupported', () => createPrivateKey({ key: pkcs8.whole, format: 'der', type: 'pkcs8' }));

const decryptKey = (encrypted: Der, opening: Opening): KeyObject =>
	keyFrom(decrypt(encrypted.part(0), encrypted.part(1).octets, opening));

/** The plaintext is one DER value; a wrong passphrase gives other bytes. */
function decrypt(algorithm: Der, bytes: Buffer, opening: Opening): Der {
	const { cipher, key, iv } = cipherParametersOf(algorithm, opening);
	return mapErrors('locked', () => {
		const decipher = createDecipheriv(cipher, key, iv);
		return Der.read(Buffer.concat([decipher.update(bytes), decipher.final()]));
	});
}

interface CipherParameters {
	cipher: string;
	key: Buffer;
	iv: Buffer;
}

function cipherParametersOf(algorithm: Der, opening: Opening): CipherParameters {
	const name = algorithm.part(0);
	if (name.is(types.pbes2)) return byPbes2(algorithm.part(1), opening);
	if (name.is(types.tripleDes)) return byTripleDes(algorithm.part(1), opening);
	// The algorithm is mostly RC2, which OpenSSL 3 and Node do not support.
	throw new KeyFileError('unsupported');
}

/** Reads a number of iterations, if the file may still use that many. */
function iterationsIn(value: Der, opening: Opening): number {
	opening.iterations += Math.abs(value.integer);
	if (opening.iterations > maxIterations) throw new KeyFileError('slow');
	return value.integer;
}

const ciphers = {
	'2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyLength: 16 },
	'2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyLength: 24 },
	'2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyLength: 32 },
	'1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyLength: 24 },
};

const pseudoRandom = {
	'1.2.840.113549.2.7': 'sha1',
	'1.2.840.113549.2.8': 'sha224',
	'1.2.840.113549.2.9': 'sha256',
	'1.2.840.113549.2.10': 'sha384',
	'1.2.840.113549.2.11': 'sha512',
};

const valueFor = <Value>(name: Der, values: Readonly<Record<string, Value>>): Value | undefined =>
	Object.entries(values).find(([dotted]) => name.is(dotted))?.[1];

/** RFC 8018: PBKDF2 (salt, iterations, optional key length, function if not SHA-1), then a cipher and its IV. */
function byPbes2(parameters: Der, opening: Opening): CipherParameters {
	const [derivation, encryption] = [parameters.part(0), parameters.part(1)];
	const known = valueFor(encryption.part(0), ciphers);
	const [salt, iterations, ...more] = derivation.part(1).parts;
	const named = more.find(({ tag }) => tag === tags.sequence);
	const digest = named === undefined ? 'sha1' : valueFor(named.part(0), pseudoRandom);
	const isPbkdf2 = derivation.part(0).is(types.pbkdf2);
	if (!isPbkdf2 || known === undefined || digest === undefined || salt === undefined || iterations === undefined)
		throw new KeyFileError('unsupported');
	const rounds = iterationsIn(iterations, opening);
	const key = pbkdf2Sync(opening.passphrase, salt.octets, rounds, known.keyLength, digest);
	return { cipher: known.cipher, key, iv: encryption.part(1).octets };
}

/** Used by Windows and OpenSSL 1: one function derives key and IV, with different IDs (RFC 7292, appendix B.3). */
function byTripleDes(parameters: Der, opening: Opening): CipherParameters {
	const [salt, rounds] = [parameters.part(0).octets, iterationsIn(parameters.part(1), opening)];
	const derive = (purpose: number, length: number) => deriveBytes(purpose, opening.passphrase, salt, rounds, length);
	return { cipher: 'des-ede3-cbc', key: derive(1, 24), iv: derive(2, 8) };
}

/** RFC 7292, appendix B.2, with SHA-1: blocks of 64 bytes, zero-terminated UTF-16 passphrase. */
function deriveBytes(purpose: number, passphrase: string, salt: Buffer, iterations: number, length: number): Buffer {
	const secret = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
	const blocks = [...blocksOf(salt), ...blocksOf(secret)];
	const derived: Buffer[] = [];
	for (let size = 0; size < length; size += 20) {
		let digest = Buffer.concat([Buffer.alloc(64, purpose), ...blocks]);
		for (let iteration = 0; iteration < iterations; iteration++) digest = hash('sha1', digest, 'buffer');
		derived.push(digest);
		const [increment = digest] = blocksOf(digest);
		for (const block of blocks) addTo(block, increment);
	}
	return Buffer.concat(derived).subarray(0, length);
}

/** Repeats the bytes until they fill whole blocks. */
function blocksOf(bytes: Buffer): Buffer[] {
	const count = Math.ceil(bytes.length / 64);
	return Array.from({ length: count }, (_, index) =>
		Buffer.from(Array.from({ length: 64 }, (_byte, at) => bytes[(index * 64 + at) % bytes.length] ?? 0)),
	);
}

/** block = block + increment + 1, as 64-byte integers. */
function addTo(block: Buffer, increment: Buffer): void {
	const [one, other] = [block, increment].map((bytes) => BigInt(`0x${bytes.toString('hex')}`));
	const sum = (one ?? 0n) + (other ?? 0n) + 1n;
	block.write(sum.toString(16).padStart(128, '0').slice(-128), 'hex');
}
