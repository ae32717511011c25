/** Files with too many key derivation iterations are rejected before any key is derived. */
import crypto from 'node:crypto';

import { der, objectIdentifier, tags } from '../src/der.ts';
import { countVisibleIterations } from '../src/keyPair/pfx.ts';
import {
	validateCertificate,
	validatePfxContent,
	describeCertificate,
	validateSignature,
	testSignature,
} from '../src/index.ts';
import { ping } from '../src/credentialHttp.ts';
import { certificates } from './support/certificates.ts';

const { sequence, octetString, integer, context } = tags;

const number = (value: number) => {
	const bytes = Buffer.alloc(6);
	bytes.writeIntBE(value, 0, 6);
	return der(integer, bytes);
};
const salt = der(octetString, Buffer.alloc(8));
const oid = objectIdentifier;
const data = oid('1.2.840.113549.1.7.1');
const info = (type: Buffer, content: Buffer) => der(sequence, type, der(context(0), content));

/** AlgorithmIdentifiers of passphrase encryption. */
const oldKind = (rounds: number) => der(sequence, oid('1.2.840.113549.1.12.1.3'), der(sequence, salt, number(rounds)));
const derivation = (rounds: number) => der(sequence, oid('1.2.840.113549.1.5.12'), der(sequence, salt, number(rounds)));
const aes = der(sequence, oid('2.16.840.1.101.3.4.1.42'), der(octetString, Buffer.alloc(16)));
const newKind = (rounds: number) => der(sequence, oid('1.2.840.113549.1.5.13'), der(sequence, derivation(rounds), aes));
const scrypt = (cost: number) =>
	der(
		sequence,
		oid('1.2.840.113549.1.5.13'),
		der(
			sequence,
			der(sequence, oid('1.3.6.1.4.1.11591.4.11'), der(sequence, salt, number(1024), number(cost), number(1))),
			aes,
		),
	);
const kinds = { oldKind, newKind };

const locked = Buffer.alloc(16);
const safe = (algorithm: Buffer) =>
	info(oid('1.2.840.113549.1.7.6'), der(sequence, number(0), der(sequence, data, algorithm, der(0x80, locked))));
const keyBag = (algorithm: Buffer) =>
	der(sequence, oid('1.2.840.113549.1.12.10.1.2'), der(context(0), der(sequence, algorithm, der(octetString, locked))));
const nested = (bag: Buffer) => der(sequence, oid('1.2.840.113549.1.12.10.1.6'), der(context(0), der(sequence, bag)));
const openSafe = (...bags: Buffer[]) => info(data, der(octetString, der(sequence, ...bags)));
const version = der(integer, Buffer.from([3]));
const file = (safes: Buffer[], ...mac: Buffer[]) =>
	der(sequence, version, info(data, der(octetString, der(sequence, ...safes))), ...mac);
const sha256 = der(sequence, oid('2.16.840.1.101.3.4.2.1'), der(tags.null));
const mac = (algorithm: Buffer, ...rounds: Buffer[]) =>
	der(sequence, der(sequence, algorithm, der(octetString, locked)), salt, ...rounds);
const pbmac1 = (rounds: number) =>
	der(sequence, oid('1.2.840.113549.1.5.14'), der(sequence, derivation(rounds), sha256));

/** Every part of a file that specifies iterations. */
const places: [string, (rounds: number) => Buffer][] = [
	...Object.entries(kinds).flatMap(([name, kind]): [string, (rounds: number) => Buffer][] => [
		[`a locked part (${name})`, (rounds) => file([safe(kind(rounds))])],
		[`a locked key (${name})`, (rounds) => file([openSafe(keyBag(kind(rounds)))])],
		[`a locked key in a bag in a bag (${name})`, (rounds) => file([openSafe(nested(nested(keyBag(kind(rounds)))))])],
	]),
	['the checksum', (rounds) => file([openSafe()], mac(sha256, number(rounds)))],
	['a checksum with a derivation of its own', (rounds) => file([openSafe()], mac(pbmac1(rounds)))],
	[
		'many keys, each with a few',
		(rounds) => file([openSafe(...Array.from({ length: 50 }, () => keyBag(newKind(rounds / 50))))]),
	],
];

const connecting = (bytes: Buffer) => ({
	environment: 'sandbox',
	useCertificate: true,
	certificateFormat: 'pfx',
	clientCertificatePfx: bytes.toString('base64'),
	certificatePassphrase: 'x',
});
const signing = (bytes: Buffer) => ({
	method: 'rsaSha256' as const,
	credential: { certificateFormat: 'pfx', signaturePfx: bytes.toString('base64'), signaturePassphrase: 'x' },
});
const said = /uses more than 1000000 key derivation iterations, which would block n8n\. Export it again/;

test.each(places)('too many iterations in %s are rejected before anything is opened', (_name, fileWith) => {
	expect(countVisibleIterations(fileWith(1000)) - 1000).toBeLessThan(2);
	for (const rounds of [1_500_000, 8_000_000, -8_000_000, 2 ** 40]) {
		expect(validateCertificate(connecting(fileWith(rounds)))?.message).toMatch(said);
		expect(validatePfxContent(connecting(fileWith(rounds)))?.message).toMatch(said);
		expect(validateSignature(signing(fileWith(rounds)))?.message).toMatch(said);
	}
	expect(validateCertificate(connecting(fileWith(2000)))).toBeUndefined();
});

test('tests and token requests derive keys in another thread, once each', async () => {
	const { pfx, passphrase, partner } = await certificates();
	const [here, elsewhere] = [jest.spyOn(crypto, 'pbkdf2Sync'), jest.spyOn(crypto, 'pbkdf2')];
	const signature = { certificateFormat: 'pfx', signaturePfx: pfx, signaturePassphrase: passphrase };
	expect(await testSignature(signature)).toMatchObject({ status: 'OK' });
	const signed = elsewhere.mock.calls.length;
	expect(signed).toBeGreaterThan(0);

	const wrong = connecting(Buffer.from(pfx, 'base64'));
	const right = { ...wrong, certificatePassphrase: passphrase, sandboxBaseUrl: 'https://bank.test' };
	const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body: '' });
	await ping(http as never, right);
	expect(describeCertificate(right)?.subject).toContain(new crypto.X509Certificate(partner.certificate).subject);
	await expect(ping(http as never, { ...right, certificatePassphrase: 'x' })).rejects.toThrow(/wrong passphrase/);
	expect(here).not.toHaveBeenCalled();

	// The opened file is not reused for another passphrase.
	Object.assign(right, { certificatePassphrase: 'x' });
	expect(validatePfxContent(right)?.message).toMatch(/wrong passphrase/);
	for (const spy of [here, elsewhere]) spy.mockRestore();
});

test.each([
	['of the old kind', oldKind(2_000_000)],
	['of the new kind', newKind(2_000_000)],
	['with scrypt', scrypt(2000)],
	['that cannot be read', der(sequence, der(tags.null))],
])('an encrypted PEM key with too many iterations is not opened: %s', async (_name, algorithm) => {
	const { partner } = await certificates();
	const body = der(sequence, algorithm, der(octetString, locked)).toString('base64');
	const key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----`;
	const credential = { clientCertificate: partner.certificate, clientPrivateKey: key, certificatePassphrase: 'x' };
	const open = jest.spyOn(crypto, 'createPrivateKey');
	crypto.createPrivateKey(partner.privateKey);
	expect(open).toHaveBeenCalledTimes(1);
	expect(validateCertificate({ useCertificate: true, certificateFormat: 'pem', ...credential })?.message).toMatch(
		/^Private Key is damaged, or uses more than 1000000 key derivation iterations.*Encrypt it again with fewer/,
	);
	expect(open).toHaveBeenCalledTimes(1);
	open.mockRestore();
});

test('a key that is too long for signing in reasonable time is rejected', async () => {
	// Only the key size is checked, so the numbers are arbitrary.
	const size = 20_000 / 8;
	const large = der(integer, Buffer.alloc(size, 0x7f));
	const small = der(integer, Buffer.from([3]));
	const pkcs1 = der(sequence, der(integer, Buffer.from([0])), large, small, large, large, small, small, small, small);
	const key = `-----BEGIN RSA PRIVATE KEY-----\n${pkcs1.toString('base64')}\n-----END RSA PRIVATE KEY-----`;
	const { partner } = await certificates();
	for (const signatureCertificate of ['', partner.certificate])
		expect(
			validateSignature({ method: 'rsaSha256', credential: { signaturePrivateKey: key, signatureCertificate } })
				?.message,
		).toMatch(/Private Key (?:is a key of \d+ bits; the limit is 16384|does not belong)/);
});
