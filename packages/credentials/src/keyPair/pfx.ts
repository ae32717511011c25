import {
	createDecipheriv,
	createPrivateKey,
	hash,
	type KeyObject,
	pbkdf2,
	pbkdf2Sync,
	X509Certificate,
} from 'node:crypto';

import { Der, tags } from '../der.ts';
import { maxIterations, countIterations } from './iterations.ts';

/**
 * Reader of PFX files (PKCS#12, RFC 7292), because node:crypto cannot open them and n8n's scan does not allow node:tls. Supports the
 * formats that OpenSSL 3, Windows, Java and macOS write today. The MAC is not verified: a wrong passphrase yields no valid DER, and
 * anyone who can change the file can change the whole credential.
 */
export interface PfxContent {
	certificates: X509Certificate[];
	keys: KeyObject[];
}

/** `locked`: wrong passphrase. `unknown`: damaged, or an unsupported format. `slow`: too many key derivation iterations. */
export class PfxError extends Error {
	readonly kind: 'locked' | 'unknown' | 'slow';

	constructor(kind: PfxError['kind']) {
		super(kind);
		this.kind = kind;
	}
}

/** Parameters of a PBKDF2 key derivation. */
interface Derivation {
	salt: Buffer;
	iterations: number;
	length: number;
	digest: string;
}

/** Yields each key derivation to its caller, which runs it synchronously or in another thread. */
type KeyRequests<Result> = Generator<Derivation, Result, Buffer>;

/**
 * Derives keys synchronously, which blocks n8n.
 *
 * @throws PfxError
 */
export function openPfx(bytes: Buffer, passphrase: string): PfxContent {
	return asPfxError('unknown', () => {
		const steps = open(bytes, passphrase);
		let step = steps.next();
		while (step.done !== true) {
			const { salt, iterations, length, digest } = step.value;
			step = steps.next(pbkdf2Sync(passphrase, salt, iterations, length, digest));
		}
		return step.value;
	});
}

/**
 * Derives keys in another thread.
 *
 * @throws PfxError
 */
export async function openPfxInBackground(bytes: Buffer, passphrase: string): Promise<PfxContent> {
	const steps = open(bytes, passphrase);
	let step = asPfxError('unknown', () => steps.next());
	while (step.done !== true) {
		const key = await derive(passphrase, step.value);
		step = asPfxError('unknown', () => steps.next(key));
	}
	return step.value;
}

const derive = async (passphrase: string, { salt, iterations, length, digest }: Derivation): Promise<Buffer> =>
	await new Promise((resolve, reject) =>
		pbkdf2(passphrase, salt, iterations, length, digest, (error, key) =>
			error === null ? resolve(key) : reject(error),
		),
	);

function* open(bytes: Buffer, passphrase: string): KeyRequests<PfxContent> {
	const content: PfxContent = { certificates: [], keys: [] };
	const decryptor = new Decryptor(passphrase);
	for (const safe of safesOf(bytes)) {
		const bags = isEncrypted(safe) ? yield* openSafe(safe, decryptor) : Der.read(contentOf(safe));
		yield* collect(bags, decryptor, content);
	}
	return content;
}

/**
 * Sum of the iterations that are readable without the passphrase: of the MAC, which OpenSSL verifies, of encrypted parts, and of encrypted
 * keys in plain parts.
 *
 * @throws PfxError if the bytes are not a PFX file
 */
export function countVisibleIterations(bytes: Buffer): number {
	return asPfxError('unknown', () => {
		const [, , mac] = Der.read(bytes).parts;
		const safes = safesOf(bytes).map((safe) =>
			isEncrypted(safe) ? countIterations(encryptedOf(safe).part(1)) : countKeyBagIterations(Der.read(contentOf(safe))),
		);
		return safes.reduce((sum, iterations) => sum + iterations, mac === undefined ? 0 : countMacIterations(mac));
	});
}

/** MacData: digest with algorithm, salt, and iterations, which default to 1 (RFC 7292, 4; RFC 9579). */
function countMacIterations(mac: Der): number {
	const [checksum, , iterations] = mac.parts;
	const [, parameters] = checksum?.part(0).parts ?? [];
	const hasOwn = checksum !== undefined && parameters?.tag === tags.sequence;
	return Math.abs(iterations?.integer ?? 1) + (hasOwn ? countIterations(checksum.part(0)) : 0);
}

const countKeyBagIterations = (safe: Der): number =>
	bagsIn(safe).reduce(
		(sum, { type, value }) => sum + (type === types.shroudedKeyBag ? countIterations(value.part(0)) : 0),
		0,
	);

const safesOf = (bytes: Buffer): Der[] => Der.read(contentOf(Der.read(bytes).part(1))).parts;

const isEncrypted = (safe: Der): boolean => safe.part(0).objectIdentifier === types.encryptedData;

/** A PFX file is a sequence that starts with version 3 (RFC 7292, 4). */
export function looksLikePfx(bytes: Buffer): boolean {
	const [tag, length = 0] = bytes;
	const content = 2 + (length > 0x80 ? length - 0x80 : 0);
	return tag === 0x30 && bytes.subarray(content, content + 3).equals(Buffer.from([2, 1, 3]));
}

const types = {
	data: '1.2.840.113549.1.7.1',
	encryptedData: '1.2.840.113549.1.7.6',
	keyBag: '1.2.840.113549.1.12.10.1.1',
	shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
	certificateBag: '1.2.840.113549.1.12.10.1.3',
	nestedBags: '1.2.840.113549.1.12.10.1.6',
	x509: '1.2.840.113549.1.9.22.1',
	pbes2: '1.2.840.113549.1.5.13',
	tripleDes: '1.2.840.113549.1.12.1.3',
} as const;

/** Maps every error of `read` to a PfxError of this kind. */
function asPfxError<Result>(kind: PfxError['kind'], read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		throw error instanceof PfxError ? error : new PfxError(kind);
	}
}

/** ContentInfo: its type, and `[0]` its content. */
function contentOf(info: Der): Buffer {
	if (info.part(0).objectIdentifier !== types.data) throw new PfxError('unknown');
	return info.part(1).part(0).octets;
}

/** EncryptedData (RFC 5652, 8): version, then type, algorithm and `[0]` content. */
const encryptedOf = (safe: Der): Der => safe.part(1).part(0).part(1);

function* openSafe(safe: Der, decryptor: Decryptor): KeyRequests<Der> {
	const encrypted = encryptedOf(safe);
	return yield* decryptor.open(encrypted.part(1), encrypted.part(2).octets);
}

/** SafeContents: bags with a type, `[0]` a value, and attributes that are not needed here. Bags can be nested. */
function bagsIn(safe: Der): { type: string; value: Der }[] {
	return safe.parts.flatMap((bag) => {
		const [type, value] = [bag.part(0).objectIdentifier, bag.part(1).part(0)];
		return type === types.nestedBags ? bagsIn(value) : [{ type, value }];
	});
}

function* collect(safe: Der, decryptor: Decryptor, into: PfxContent): KeyRequests<void> {
	for (const { type, value } of bagsIn(safe)) {
		if (type === types.keyBag) into.keys.push(keyFrom(value));
		if (type === types.shroudedKeyBag)
			into.keys.push(keyFrom(yield* decryptor.open(value.part(0), value.part(1).octets)));
		if (type === types.certificateBag && value.part(0).objectIdentifier === types.x509)
			into.certificates.push(new X509Certificate(value.part(1).part(0).octets));
	}
}

const keyFrom = (pkcs8: Der): KeyObject => createPrivateKey({ key: pkcs8.whole, format: 'der', type: 'pkcs8' });

/** Decrypts the parts of one file, which share the limit of iterations. */
class Decryptor {
	readonly #passphrase: string;
	#iterations = 0;

	constructor(passphrase: string) {
		this.#passphrase = passphrase;
	}

	/** The plaintext is one DER value; a wrong passphrase gives other bytes. */
	*open(algorithm: Der, bytes: Buffer): KeyRequests<Der> {
		this.#iterations +=
			countIterations(algorithm) * (algorithm.part(0).objectIdentifier === types.tripleDes ? tripleDesWeight : 1);
		if (this.#iterations > maxIterations) throw new PfxError('slow');
		const { cipher, key, iv } = yield* cipherParametersOf(algorithm, this.#passphrase);
		return asPfxError('locked', () => {
			const decipher = createDecipheriv(cipher, key, iv);
			return Der.read(Buffer.concat([decipher.update(bytes), decipher.final()]));
		});
	}
}

/** Its iterations run in JavaScript, which is slower than PBKDF2 in OpenSSL. */
const tripleDesWeight = 10;

interface CipherParameters {
	cipher: string;
	key: Buffer;
	iv: Buffer;
}

function* cipherParametersOf(algorithm: Der, passphrase: string): KeyRequests<CipherParameters> {
	const name = algorithm.part(0).objectIdentifier;
	if (name === types.pbes2) return yield* byPbes2(algorithm.part(1));
	if (name === types.tripleDes) return byTripleDes(algorithm.part(1), passphrase);
	// Mostly RC2, which OpenSSL 3 and Node do not support.
	throw new PfxError('unknown');
}

const ciphers: Readonly<Record<string, { cipher: string; keyLength: number } | undefined>> = {
	'2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyLength: 16 },
	'2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyLength: 24 },
	'2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyLength: 32 },
	'1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyLength: 24 },
};

const pseudoRandom: Readonly<Record<string, string | undefined>> = {
	'1.2.840.113549.2.7': 'sha1',
	'1.2.840.113549.2.8': 'sha224',
	'1.2.840.113549.2.9': 'sha256',
	'1.2.840.113549.2.10': 'sha384',
	'1.2.840.113549.2.11': 'sha512',
};

/** RFC 8018: PBKDF2 (salt, iterations, optional key length, function if not SHA-1), then a cipher and its IV. */
function* byPbes2(parameters: Der): KeyRequests<CipherParameters> {
	const [derivation, encryption] = [parameters.part(0), parameters.part(1)];
	const known = ciphers[encryption.part(0).objectIdentifier];
	const [salt, iterations, ...more] = derivation.part(1).parts;
	const named = more.find(({ tag }) => tag === 0x30);
	const digest = named === undefined ? 'sha1' : pseudoRandom[named.part(0).objectIdentifier];
	const isPbkdf2 = derivation.part(0).objectIdentifier === '1.2.840.113549.1.5.12';
	if (!isPbkdf2 || known === undefined || digest === undefined || salt === undefined || iterations === undefined)
		throw new PfxError('unknown');
	const key = yield { salt: salt.octets, iterations: iterations.integer, length: known.keyLength, digest };
	return { cipher: known.cipher, key, iv: encryption.part(1).octets };
}

/** Used by Windows and OpenSSL 1: one function derives key and IV, with different IDs (RFC 7292, appendix B.3). */
function byTripleDes(parameters: Der, passphrase: string): CipherParameters {
	const [salt, iterations] = [parameters.part(0).octets, parameters.part(1).integer];
	const derive = (purpose: number, length: number) => deriveBytes(purpose, passphrase, salt, iterations, length);
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
	let carry = 1;
	for (let at = 63; at >= 0; at--) {
		carry += (block[at] ?? 0) + (increment[at] ?? 0);
		block[at] = carry & 0xff;
		carry >>= 8;
	}
}
