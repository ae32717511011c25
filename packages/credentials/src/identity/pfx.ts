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
import { mostRounds, roundsOf } from './rounds.ts';

/**
 * PFX files (PKCS#12, RFC 7292). node:crypto does not open them, and node:tls, which does, shows nobody what is inside and is closed
 * to n8n nodes. Read are the kinds that OpenSSL 3, Windows, Java and macOS write today. The checksum (MAC) is not looked at: a wrong
 * passphrase shows itself by what comes out, and who could change the file could change the credential.
 */
export interface PfxContent {
	certificates: X509Certificate[];
	keys: KeyObject[];
}

/**
 * `locked`: the passphrase does not open it. `unknown`: it may be sound, but is not of a kind that can be read here. `slow`: its passphrase
 * is hashed too many times.
 */
export class PfxFault extends Error {
	readonly kind: 'locked' | 'unknown' | 'slow';

	constructor(kind: PfxFault['kind']) {
		super(kind);
		this.kind = kind;
	}
}

/** A key to be derived with PBKDF2. */
interface Derivation {
	salt: Buffer;
	rounds: number;
	length: number;
	digest: string;
}

/** Reads on once it is given the key that it asks for, so that whoever opens the file decides where the key is derived. */
type Opening<Result> = Generator<Derivation, Result, Buffer>;

/**
 * Blocks n8n while keys are derived.
 * @throws PfxFault
 */
export function openPfx(bytes: Buffer, passphrase: string): PfxContent {
	return orFault('unknown', () => {
		const opening = open(bytes, passphrase);
		let step = opening.next();
		while (step.done !== true) {
			const { salt, rounds, length, digest } = step.value;
			step = opening.next(pbkdf2Sync(passphrase, salt, rounds, length, digest));
		}
		return step.value;
	});
}

/**
 * The same, with keys derived in another thread.
 * @throws PfxFault
 */
export async function openPfxInBackground(bytes: Buffer, passphrase: string): Promise<PfxContent> {
	const opening = open(bytes, passphrase);
	let step = orFault('unknown', () => opening.next());
	while (step.done !== true) {
		const key = await derive(passphrase, step.value);
		step = orFault('unknown', () => opening.next(key));
	}
	return step.value;
}

const derive = async (passphrase: string, { salt, rounds, length, digest }: Derivation): Promise<Buffer> =>
	await new Promise((resolve, reject) =>
		pbkdf2(passphrase, salt, rounds, length, digest, (error, key) => (error === null ? resolve(key) : reject(error))),
	);

function* open(bytes: Buffer, passphrase: string): Opening<PfxContent> {
	const content: PfxContent = { certificates: [], keys: [] };
	const unlocker = new Unlocker(passphrase);
	for (const safe of safesOf(bytes))
		yield* collect(isLocked(safe) ? yield* openSafe(safe, unlocker) : Der.read(contentOf(safe)), unlocker, content);
	return content;
}

/**
 * How many times opening the file hashes the passphrase, as far as that can be seen without it: the checksum, which is OpenSSL's
 * business, the locked parts, and the locked keys in parts that are not locked.
 *
 * @throws PfxFault where the bytes are not a PFX file
 */
export function visibleRounds(bytes: Buffer): number {
	return orFault('unknown', () => {
		const [, , mac] = Der.read(bytes).parts;
		const safes = safesOf(bytes).map((safe) =>
			isLocked(safe) ? roundsOf(encryptedOf(safe).part(1)) : lockedKeys(Der.read(contentOf(safe))),
		);
		return safes.reduce((sum, rounds) => sum + rounds, mac === undefined ? 0 : macRounds(mac));
	});
}

/** MacData: the checksum with its algorithm, a salt, and the rounds, which are 1 where they are absent (RFC 7292, 4; RFC 9579). */
function macRounds(mac: Der): number {
	const [checksum, , rounds] = mac.parts;
	const [, parameters] = checksum?.part(0).parts ?? [];
	const hasOwn = parameters !== undefined && parameters.tag === tags.sequence;
	return Math.abs(rounds?.integer ?? 1) + (hasOwn && checksum !== undefined ? roundsOf(checksum.part(0)) : 0);
}

const lockedKeys = (safe: Der): number =>
	bagsIn(safe).reduce((sum, { type, value }) => sum + (type === types.lockedKeyBag ? roundsOf(value.part(0)) : 0), 0);

const safesOf = (bytes: Buffer): Der[] => Der.read(contentOf(Der.read(bytes).part(1))).parts;

const isLocked = (safe: Der): boolean => safe.part(0).objectIdentifier === types.encryptedData;

/** A PFX file is a sequence that begins with version 3 (RFC 7292, 4). */
export function looksLikePfx(bytes: Buffer): boolean {
	const [tag, length = 0] = bytes;
	const content = 2 + (length > 0x80 ? length - 0x80 : 0);
	return tag === 0x30 && bytes.subarray(content, content + 3).equals(Buffer.from([2, 1, 3]));
}

const types = {
	data: '1.2.840.113549.1.7.1',
	encryptedData: '1.2.840.113549.1.7.6',
	keyBag: '1.2.840.113549.1.12.10.1.1',
	lockedKeyBag: '1.2.840.113549.1.12.10.1.2',
	certificateBag: '1.2.840.113549.1.12.10.1.3',
	nestedBags: '1.2.840.113549.1.12.10.1.6',
	x509: '1.2.840.113549.1.9.22.1',
	pbes2: '1.2.840.113549.1.5.13',
	tripleDes: '1.2.840.113549.1.12.1.3',
} as const;

/** Whatever reading stumbles over is a fault of this kind. */
function orFault<Result>(kind: PfxFault['kind'], read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		throw error instanceof PfxFault ? error : new PfxFault(kind);
	}
}

/** ContentInfo: its type, and `[0]` its content. */
function contentOf(info: Der): Buffer {
	if (info.part(0).objectIdentifier !== types.data) throw new PfxFault('unknown');
	return info.part(1).part(0).octets;
}

/** EncryptedData (RFC 5652, 8): version, then type, algorithm and `[0]` content. */
const encryptedOf = (safe: Der): Der => safe.part(1).part(0).part(1);

function* openSafe(safe: Der, unlocker: Unlocker): Opening<Der> {
	const encrypted = encryptedOf(safe);
	return yield* unlocker.open(encrypted.part(1), encrypted.part(2).octets);
}

/** SafeContents: bags of a type, `[0]` a value and attributes, which are only names. Bags may hold bags. */
function bagsIn(safe: Der): { type: string; value: Der }[] {
	return safe.parts.flatMap((bag) => {
		const [type, value] = [bag.part(0).objectIdentifier, bag.part(1).part(0)];
		return type === types.nestedBags ? bagsIn(value) : [{ type, value }];
	});
}

function* collect(safe: Der, unlocker: Unlocker, into: PfxContent): Opening<void> {
	for (const { type, value } of bagsIn(safe)) {
		if (type === types.keyBag) into.keys.push(keyFrom(value));
		if (type === types.lockedKeyBag) into.keys.push(keyFrom(yield* unlocker.open(value.part(0), value.part(1).octets)));
		if (type === types.certificateBag && value.part(0).objectIdentifier === types.x509)
			into.certificates.push(new X509Certificate(value.part(1).part(0).octets));
	}
}

const keyFrom = (pkcs8: Der): KeyObject => createPrivateKey({ key: pkcs8.whole, format: 'der', type: 'pkcs8' });

/** Opens the locked parts of one file, which share one number of rounds. */
class Unlocker {
	readonly #passphrase: string;
	#rounds = 0;

	constructor(passphrase: string) {
		this.#passphrase = passphrase;
	}

	/** What was locked with the passphrase is always one value; a wrong one gives bytes that are none. */
	*open(algorithm: Der, bytes: Buffer): Opening<Der> {
		this.#rounds +=
			roundsOf(algorithm) * (algorithm.part(0).objectIdentifier === types.tripleDes ? costOfTripleDes : 1);
		if (this.#rounds > mostRounds) throw new PfxFault('slow');
		const { cipher, key, iv } = yield* unlockingOf(algorithm, this.#passphrase);
		return orFault('locked', () => {
			const decipher = createDecipheriv(cipher, key, iv);
			return Der.read(Buffer.concat([decipher.update(bytes), decipher.final()]));
		});
	}
}

/** Its rounds run here, one call of node:crypto for each, and not within OpenSSL. */
const costOfTripleDes = 10;

interface Unlocking {
	cipher: string;
	key: Buffer;
	iv: Buffer;
}

function* unlockingOf(algorithm: Der, passphrase: string): Opening<Unlocking> {
	const name = algorithm.part(0).objectIdentifier;
	if (name === types.pbes2) return yield* byPbes2(algorithm.part(1));
	if (name === types.tripleDes) return byTripleDes(algorithm.part(1), passphrase);
	// RC2, above all, which OpenSSL has given up and Node with it.
	throw new PfxFault('unknown');
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

/** RFC 8018: PBKDF2 (salt, rounds, length of the key if it is told, function if it is not SHA-1), then a cipher and its start. */
function* byPbes2(parameters: Der): Opening<Unlocking> {
	const [derivation, encryption] = [parameters.part(0), parameters.part(1)];
	const known = ciphers[encryption.part(0).objectIdentifier];
	const [salt, rounds, ...more] = derivation.part(1).parts;
	const named = more.find(({ tag }) => tag === 0x30);
	const digest = named === undefined ? 'sha1' : pseudoRandom[named.part(0).objectIdentifier];
	const isPbkdf2 = derivation.part(0).objectIdentifier === '1.2.840.113549.1.5.12';
	if (!isPbkdf2 || known === undefined || digest === undefined || salt === undefined || rounds === undefined)
		throw new PfxFault('unknown');
	const key = yield { salt: salt.octets, rounds: rounds.integer, length: known.keyLength, digest };
	return { cipher: known.cipher, key, iv: encryption.part(1).octets };
}

/** The way of Windows and of OpenSSL 1: key and start come from one function, told apart by a number (RFC 7292, appendix B.3). */
function byTripleDes(parameters: Der, passphrase: string): Unlocking {
	const [salt, rounds] = [parameters.part(0).octets, parameters.part(1).integer];
	const derive = (purpose: number, length: number) => deriveBytes(purpose, passphrase, salt, rounds, length);
	return { cipher: 'des-ede3-cbc', key: derive(1, 24), iv: derive(2, 8) };
}

/** RFC 7292, appendix B.2, with SHA-1: blocks of 64 bytes, passphrases in UTF-16 with a zero at the end. */
function deriveBytes(purpose: number, passphrase: string, salt: Buffer, rounds: number, length: number): Buffer {
	const secret = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
	const blocks = [...blocksOf(salt), ...blocksOf(secret)];
	const derived: Buffer[] = [];
	for (let size = 0; size < length; size += 20) {
		let digest = Buffer.concat([Buffer.alloc(64, purpose), ...blocks]);
		for (let round = 0; round < rounds; round++) digest = hash('sha1', digest, 'buffer');
		derived.push(digest);
		const [increment = digest] = blocksOf(digest);
		for (const block of blocks) addTo(block, increment);
	}
	return Buffer.concat(derived).subarray(0, length);
}

/** The bytes again and again, until they fill whole blocks. */
function blocksOf(bytes: Buffer): Buffer[] {
	const count = Math.ceil(bytes.length / 64);
	return Array.from({ length: count }, (_, index) =>
		Buffer.from(Array.from({ length: 64 }, (_byte, at) => bytes[(index * 64 + at) % bytes.length] ?? 0)),
	);
}

/** block = block + increment + 1, as numbers of 64 bytes. */
function addTo(block: Buffer, increment: Buffer): void {
	let carry = 1;
	for (let at = 63; at >= 0; at--) {
		carry += (block[at] ?? 0) + (increment[at] ?? 0);
		block[at] = carry & 0xff;
		carry >>= 8;
	}
}
