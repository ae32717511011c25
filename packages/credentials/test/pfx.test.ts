/** Supported PFX formats, and the errors for formats that are not supported. */
import { createCipheriv, createPrivateKey, type KeyObject, pbkdf2Sync } from 'node:crypto';

import { Der, der, objectIdentifier, tags } from '../src/der.ts';
import { type KeyFileError, openKey, openPfx } from '../src/keyPair/pfx.ts';
import { made } from './support/certificates.ts';
import { describeWithOpenssl, Openssl } from './support/openssl.ts';
import * as pfx from './support/pfx.ts';

const { algorithm, derivation, encryptedKeyBag, encryptedSafe, ids, pfxOf, plainSafe } = pfx;

const kindOf = (open: () => unknown): KeyFileError['kind'] | undefined => {
	try {
		open();
		return undefined;
	} catch (error) {
		return (error as KeyFileError).kind;
	}
};
const faultOf = (bytes: Buffer, passphrase: string) => kindOf(() => openPfx(bytes, passphrase));

const pem = (key: KeyObject | undefined) => key?.export({ type: 'pkcs8', format: 'pem' });

/** Re-encodes the value in BER with indefinite lengths and split octet strings. */
function inPieces(value: Der): Buffer {
	const until = (tag: number, ...parts: Buffer[]) =>
		Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);
	if (value.tag !== tags.octetString)
		return (value.tag & 0x20) === 0 ? value.whole : until(value.tag, ...value.parts.map(inPieces));
	const half = value.content.length >> 1;
	const pieces = [value.content.subarray(0, half), value.content.subarray(half)];
	return until(0x24, ...pieces.map((piece) => der(tags.octetString, piece)));
}

describe('the file of the sandbox bank', () => {
	it('holds key and certificates', () => {
		const { pfx, passphrase, partner, ca } = made;
		const { keys, certificates: found } = openPfx(Buffer.from(pfx, 'base64'), passphrase);
		expect(keys.map(pem)).toEqual([partner.privateKey]);
		expect(found.map(String)).toEqual([partner.certificate, ca]);
	});

	it('may have indefinite lengths and split octet strings, as Firefox and some Java programs write them', () => {
		const { pfx, passphrase, partner } = made;
		const file = inPieces(Der.read(Buffer.from(pfx, 'base64')));
		expect(file.length).toBeGreaterThan(Buffer.from(pfx, 'base64').length);
		expect(openPfx(file, passphrase).keys.map(pem)).toEqual([partner.privateKey]);
		expect(openPfx(file, passphrase).certificates).toHaveLength(2);
	});

	it('cannot be opened without its passphrase', () => {
		const { pfx } = made;
		for (const passphrase of ['', 'wrong']) expect(faultOf(Buffer.from(pfx, 'base64'), passphrase)).toBe('locked');
	});
});

describe('unsupported files', () => {
	const pbes2 = (key: string, cipher: string, prf: string) =>
		pfxOf([encryptedSafe(pfx.pbes2(derivation(key, [1], algorithm(prf, der(tags.null))), cipher))]);
	const old = (id: string) => pfxOf([encryptedSafe(derivation(id, [1]))]);
	const { pbkdf2, aes256, hmacSha256 } = ids;

	it.each([
		['the old kind with RC2 of 40 bits', old('1.2.840.113549.1.12.1.6'), 'unsupported'],
		['RC2 of 128 bits', old('1.2.840.113549.1.12.1.5'), 'unsupported'],
		['a cipher of GOST', pbes2(pbkdf2, '1.2.643.2.2.21', hmacSha256), 'unsupported'],
		['a function of GOST', pbes2(pbkdf2, aes256, '1.2.643.7.1.1.4.2'), 'unsupported'],
		['another derivation', pbes2('1.2.840.113549.1.5.11', aes256, hmacSha256), 'unsupported'],
		['scrypt', pbes2(ids.scrypt, aes256, hmacSha256), 'unsupported'],
		['one that could be read, but is locked with something else', pbes2(pbkdf2, aes256, hmacSha256), 'locked'],
		[
			'one that is locked for a person',
			pfxOf([pfx.info(objectIdentifier('1.2.840.113549.1.7.3'), der(tags.null))]),
			'unsupported',
		],
		[
			'a key of GOST',
			pfxOf([
				plainSafe(pfx.bag(1, der(tags.sequence, pfx.integer(0), algorithm('1.2.643.7.1.1.1.1'), pfx.octets('key')))),
			]),
			'unsupported',
		],
		['nothing', Buffer.alloc(0), 'damaged'],
		[
			'nesting without an end',
			Buffer.from([0x30, 0x80, 2, 1, 3].concat(Array(300_000).fill([0x30, 0x80]).flat())),
			'damaged',
		],
		['half a file', old(ids.tripleDes).subarray(0, 60), 'damaged'],
	])('is %s', (_name, file, kind) => {
		expect(faultOf(file, 'secret')).toBe(kind);
	});

	it('an empty file has no content', () => {
		expect(openPfx(pfxOf([]), 'secret')).toEqual({ certificates: [], keys: [] });
	});
});

/** Key derivation blocks n8n's only thread, so its iterations are limited. */
describe('too many iterations', () => {
	const tripleDes = (rounds: number) => derivation(ids.tripleDes, [rounds]);
	const pbes2 = (rounds: number) => pfx.pbes2(derivation(ids.pbkdf2, [rounds]));
	const places: [string, (rounds: number) => () => unknown][] = Object.entries({ tripleDes, pbes2 }).flatMap(
		([name, kind]): typeof places => [
			[`an encrypted part (${name})`, (rounds) => () => openPfx(pfxOf([encryptedSafe(kind(rounds))]), 'x')],
			[`an encrypted key (${name})`, (rounds) => () => openPfx(pfxOf([plainSafe(encryptedKeyBag(kind(rounds)))]), 'x')],
			[`an encrypted key in PEM (${name})`, (rounds) => () => openKey(pfx.encryptedKeyInfo(kind(rounds)), 'x')],
		],
	);

	it.each(places)('in %s are rejected before a key is derived', (_name, open) => {
		for (const rounds of [250_000, 8_000_000, -8_000_000, 2 ** 40]) expect(kindOf(open(rounds))).toBe('slow');
		expect(kindOf(open(1000))).toBe('locked');
	});

	it('are counted over all parts together', () => {
		const cipher = createCipheriv(
			'aes-256-cbc',
			pbkdf2Sync('x', Buffer.alloc(8), 120_000, 32, 'sha1'),
			Buffer.alloc(16),
		);
		const bags = der(tags.sequence, encryptedKeyBag(pbes2(120_000)));
		const content = Buffer.concat([cipher.update(bags), cipher.final()]);
		expect(faultOf(pfxOf([encryptedSafe(pbes2(120_000), content)]), 'x')).toBe('slow');
	});
});

describeWithOpenssl('the files of OpenSSL', () => {
	const openssl = new Openssl();

	beforeAll(() => {
		openssl.certify('authority', { kind: 'EC P-256', isCa: true });
		openssl.certify('own', { kind: 'EC P-256', issuer: 'authority' });
	});
	afterAll(() => openssl.remove());

	const exported = (passphrase: string, ...options: string[]) => {
		const parts = ['-inkey', 'own.key', '-in', 'own.pem', '-certfile', 'authority.pem', '-name', 'Имя'];
		openssl.run('pkcs12', '-export', ...parts, '-passout', `pass:${passphrase}`, '-out', 'file.pfx', ...options);
		return openssl.bytes('file.pfx');
	};
	const contentOf = (file: Buffer, passphrase: string) => {
		const { keys, certificates: found } = openPfx(file, passphrase);
		return { keys: keys.map(pem), certificates: found.map(String) };
	};
	const expected = () => ({
		keys: [pem(createPrivateKey(openssl.text('own.key')))],
		certificates: [openssl.text('own.pem'), openssl.text('authority.pem')],
	});
	const locked = (cipher: string) => ['-keypbe', cipher, '-certpbe', cipher];

	it.each([
		['as OpenSSL 3 makes them: AES-256', []],
		['with AES-128', locked('AES-128-CBC')],
		['with AES-192 and SHA-512', [...locked('AES-192-CBC'), '-macalg', 'sha512']],
		['as Windows and OpenSSL 1 make them: Triple DES', [...locked('PBE-SHA1-3DES'), '-macalg', 'sha1']],
		['with Triple DES the new way', locked('DES-EDE3-CBC')],
		['with certificates in the clear', ['-certpbe', 'NONE']],
		['with nothing locked', [...locked('NONE')]],
		['without a checksum', ['-nomac']],
		['with other counts', ['-iter', '7', '-maciter']],
	])('%s are read', (_name, options) => {
		expect(contentOf(exported('secret', ...options), 'secret')).toEqual(expected());
	});

	it.each(['AES-256-CBC', 'PBE-SHA1-3DES'])(
		'with %s are opened with their passphrase only, of any letters or empty',
		(cipher) => {
			for (const passphrase of ['secret', '', 'пароль 🔑', 'x'.repeat(100)]) {
				const file = exported(passphrase, ...locked(cipher));
				expect(contentOf(file, passphrase)).toEqual(expected());
				expect(faultOf(file, `${passphrase} `)).toBe('locked');
			}
		},
	);
});
