/** Files with too many key derivation iterations are rejected before any key is derived. */
import crypto from 'node:crypto';

import { der, objectIdentifier, tags } from '../src/der.ts';
import { validateCertificate, validatePfxContent, validateSignature } from '../src/index.ts';
import { certificates } from './support/certificates.ts';
import * as pfx from './support/pfx.ts';

const { sequence } = tags;
const { algorithm, derivation, encryptedKeyBag, encryptedSafe, ids, octets, pfxOf, plainSafe } = pfx;

const tripleDes = (rounds: number) => derivation(ids.tripleDes, [rounds]);
const pbes2 = (rounds: number) => pfx.pbes2(derivation(ids.pbkdf2, [rounds]));
const scrypt = (...costs: number[]) => pfx.pbes2(derivation(ids.scrypt, costs));

const nested = (bag: Buffer) => pfx.info(objectIdentifier('1.2.840.113549.1.12.10.1.6'), der(sequence, bag));
const sha256 = algorithm(ids.sha256, der(tags.null));
const mac = (checksum: Buffer, ...rounds: Buffer[]) =>
	pfxOf([plainSafe()], der(sequence, der(sequence, checksum, octets('x')), octets('salt'), ...rounds));

/** Every part of a file that specifies iterations. */
const places: [string, (rounds: number) => Buffer][] = [
	...Object.entries({ tripleDes, pbes2 }).flatMap(([name, kind]): [string, (rounds: number) => Buffer][] => [
		[`an encrypted part (${name})`, (rounds) => pfxOf([encryptedSafe(kind(rounds))])],
		[`an encrypted key (${name})`, (rounds) => pfxOf([plainSafe(encryptedKeyBag(kind(rounds)))])],
		[`a nested encrypted key (${name})`, (rounds) => pfxOf([plainSafe(nested(encryptedKeyBag(kind(rounds))))])],
	]),
	['the checksum', (rounds) => mac(sha256, pfx.integer(rounds))],
	[
		'a checksum with a derivation of its own',
		(rounds) => mac(algorithm('1.2.840.113549.1.5.14', der(sequence, derivation(ids.pbkdf2, [rounds]), sha256))),
	],
	[
		'many keys, each with a few',
		(rounds) => pfxOf([plainSafe(...Array.from({ length: 50 }, () => encryptedKeyBag(pbes2(rounds / 50))))]),
	],
];

const connecting = (bytes: Buffer) => ({
	useCertificate: true,
	certificateFormat: 'pfx',
	clientCertificatePfx: bytes.toString('base64'),
	certificatePassphrase: 'x',
});
const signing = (bytes: Buffer) => ({
	method: 'rsaSha256' as const,
	credential: { certificateFormat: 'pfx', signaturePfx: bytes.toString('base64'), signaturePassphrase: 'x' },
});
const said = /uses more than 200000 key derivation iterations, which would block n8n\. Export it again/;

function expectRejected(bytes: Buffer): void {
	expect(validateCertificate(connecting(bytes))?.message).toMatch(said);
	expect(validatePfxContent(connecting(bytes))?.message).toMatch(said);
	expect(validateSignature(signing(bytes))?.message).toMatch(said);
}

test.each(places)('too many iterations in %s are rejected before anything is opened', (_name, fileWith) => {
	for (const rounds of [250_000, 8_000_000, -8_000_000, 2 ** 40]) expectRejected(fileWith(rounds));
	expect(validateCertificate(connecting(fileWith(150_000)))).toBeUndefined();
});

test('scrypt is rejected, because its cost is a product', () => {
	expectRejected(pfxOf([encryptedSafe(scrypt(1024, 8, 1))]));
});

test('many iterations inside an encrypted part are rejected when it is opened', () => {
	const { salt, iv } = { salt: Buffer.alloc(8), iv: Buffer.alloc(16) };
	const cipher = crypto.createCipheriv('aes-256-cbc', crypto.pbkdf2Sync('x', salt, 1, 32, 'sha1'), iv);
	const bags = der(sequence, encryptedKeyBag(pbes2(2 ** 40)));
	const file = connecting(pfxOf([encryptedSafe(pbes2(1), Buffer.concat([cipher.update(bags), cipher.final()]))]));
	expect(validateCertificate(file)).toBeUndefined();
	expect(validatePfxContent(file)?.message).toMatch(said);
});

test.each([
	['of the old kind', tripleDes(2_000_000)],
	['of the new kind', pbes2(2_000_000)],
	['with scrypt', scrypt(2000, 8, 1)],
	['with a number too long to be read', algorithm(ids.pbkdf2, der(tags.integer, Buffer.alloc(7, 1)))],
])('an encrypted PEM key with too many iterations is not opened: %s', async (_name, kind) => {
	const { partner } = await certificates();
	const body = der(sequence, kind, octets(Buffer.alloc(16))).toString('base64');
	const key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----`;
	const credential = { clientCertificate: partner.certificate, clientPrivateKey: key, certificatePassphrase: 'x' };
	const open = jest.spyOn(crypto, 'createPrivateKey');
	crypto.createPrivateKey(partner.privateKey);
	expect(open).toHaveBeenCalledTimes(1);
	expect(validateCertificate({ useCertificate: true, certificateFormat: 'pem', ...credential })?.message).toMatch(
		/^Private Key is damaged, or uses scrypt or more than 200000 key derivation iterations.*Encrypt it again with fewer/,
	);
	expect(open).toHaveBeenCalledTimes(1);
	open.mockRestore();
});

test('a key that is too long for signing in reasonable time is rejected', async () => {
	// Only the key size is checked, so the numbers are arbitrary.
	const large = der(tags.integer, Buffer.alloc(20_000 / 8, 0x7f));
	const small = der(tags.integer, Buffer.from([3]));
	const pkcs1 = der(
		sequence,
		der(tags.integer, Buffer.from([0])),
		large,
		small,
		large,
		large,
		small,
		small,
		small,
		small,
	);
	const key = `-----BEGIN RSA PRIVATE KEY-----\n${pkcs1.toString('base64')}\n-----END RSA PRIVATE KEY-----`;
	const { partner } = await certificates();
	for (const signatureCertificate of ['', partner.certificate])
		expect(
			validateSignature({ method: 'rsaSha256', credential: { signaturePrivateKey: key, signatureCertificate } })
				?.message,
		).toMatch(/Private Key (?:is a key of \d+ bits; the limit is 16384|does not belong)/);
});
