/** A file cannot make n8n hash its passphrase for minutes: OpenSSL is not called before its rounds have been added up. */
import crypto from 'node:crypto';

import { Der, der, objectIdentifier, tags } from '../src/der.ts';
import { openPfx, visibleRounds } from '../src/identity/pfx.ts';
import { mostRounds } from '../src/identity/rounds.ts';
import { certificateFault, pfxContentFault, shownCertificate, signatureFault, testSignature } from '../src/index.ts';
import { reach } from '../src/reach.ts';
import { certificates } from './support/certificates.ts';
import { describeWithOpenssl, Openssl } from './support/openssl.ts';

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

/** AlgorithmIdentifiers that lock with a passphrase. */
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

/** One for each place where a file can have rounds. */
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
const said =
	/has its passphrase hashed more than 1000000 times, during which n8n could do nothing else\. Export it again/;

test.each(places)('too many rounds in %s are refused before anything is opened', (_name, fileWith) => {
	expect(visibleRounds(fileWith(1000)) - 1000).toBeLessThan(2);
	for (const rounds of [1_500_000, 8_000_000, -8_000_000, 2 ** 40]) {
		expect(certificateFault(connecting(fileWith(rounds)))?.message).toMatch(said);
		expect(pfxContentFault(connecting(fileWith(rounds)))?.message).toMatch(said);
		expect(signatureFault(signing(fileWith(rounds)))?.message).toMatch(said);
	}
	expect(certificateFault(connecting(fileWith(2000)))).toBeUndefined();
});

test('rounds that cannot be read are refused as well', () => {
	const unreadable = file([
		safe(der(sequence, oid('1.2.840.113549.1.12.1.3'), der(sequence, salt, der(integer, Buffer.alloc(9, 1))))),
	]);
	expect(certificateFault(connecting(unreadable))?.message).toMatch(/is damaged, or not a whole PFX file/);
});

test('the locked parts of a file share the rounds, also those that are seen only when another is open', async () => {
	const { pfx, passphrase } = await certificates();
	const { parts } = Der.read(Der.read(Buffer.from(pfx, 'base64')).part(1).part(1).part(0).octets);
	const [small] = parts.toSorted((a, b) => a.whole.length - b.whole.length);
	if (small === undefined) throw new Error('no part');
	const derive = jest.spyOn(crypto, 'pbkdf2Sync');
	const opened = () => openPfx(file(Array.from({ length: 2000 }, () => small.whole)), passphrase);
	expect(opened).toThrow(expect.objectContaining({ kind: 'slow' }) as Error);
	const rounds = derive.mock.calls.reduce((sum, [, , count]) => sum + count, 0);
	derive.mockRestore();
	expect(rounds).toBeGreaterThan(0);
	expect(rounds).toBeLessThanOrEqual(mostRounds);
});

test('tests and token requests have keys derived in another thread, each once', async () => {
	const { pfx, passphrase, partner } = await certificates();
	const [here, elsewhere] = [jest.spyOn(crypto, 'pbkdf2Sync'), jest.spyOn(crypto, 'pbkdf2')];
	const signature = { certificateFormat: 'pfx', signaturePfx: pfx, signaturePassphrase: passphrase };
	expect(await testSignature(signature)).toMatchObject({ status: 'OK' });
	const signed = elsewhere.mock.calls.length;
	expect(signed).toBeGreaterThan(0);

	const wrong = connecting(Buffer.from(pfx, 'base64'));
	const right = { ...wrong, certificatePassphrase: passphrase, sandboxBaseUrl: 'https://bank.test' };
	const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body: '' });
	await reach(http as never, right);
	expect(shownCertificate(right)?.subject).toContain(new crypto.X509Certificate(partner.certificate).subject);
	await expect(reach(http as never, { ...right, certificatePassphrase: 'x' })).rejects.toThrow(/wrong passphrase/);
	expect(here).not.toHaveBeenCalled();

	// Another passphrase in the same credential is not taken for the one that opened it.
	Object.assign(right, { certificatePassphrase: 'x' });
	expect(pfxContentFault(right)?.message).toMatch(/wrong passphrase/);
	for (const spy of [here, elsewhere]) spy.mockRestore();
});

test.each([
	['of the old kind', oldKind(2_000_000)],
	['of the new kind', newKind(2_000_000)],
	['with scrypt', scrypt(2000)],
	['that cannot be read', der(sequence, der(tags.null))],
])('a locked key in PEM with too many rounds is not opened: %s', async (_name, algorithm) => {
	const { partner } = await certificates();
	const body = der(sequence, algorithm, der(octetString, locked)).toString('base64');
	const key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----`;
	const credential = { clientCertificate: partner.certificate, clientPrivateKey: key, certificatePassphrase: 'x' };
	const open = jest.spyOn(crypto, 'createPrivateKey');
	crypto.createPrivateKey(partner.privateKey);
	expect(open).toHaveBeenCalledTimes(1);
	expect(certificateFault({ useCertificate: true, certificateFormat: 'pem', ...credential })?.message).toMatch(
		/^Private Key is damaged, or has its passphrase hashed more than 1000000 times.*Lock it again with fewer/,
	);
	expect(open).toHaveBeenCalledTimes(1);
	open.mockRestore();
});

describeWithOpenssl('what OpenSSL writes', () => {
	const openssl = new Openssl();
	beforeAll(() => openssl.certify('own', { kind: 'EC P-256' }));
	afterAll(() => openssl.remove());

	it.each([
		['by itself', [], 3 * 2048],
		['with other counts', ['-iter', '5000'], 3 * 5000],
		['the older way', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES'], 3 * 2048],
		['without a checksum and with certificates in the clear', ['-nomac', '-certpbe', 'NONE'], 2048],
	])('has the rounds that it was told: %s', (_name, options, rounds) => {
		openssl.run(
			...['pkcs12', '-export', '-inkey', 'own.key', '-in', 'own.pem', '-passout', 'pass:x', '-out', 'file.pfx'],
			...options,
		);
		expect(visibleRounds(openssl.bytes('file.pfx'))).toBe(rounds);
	});

	it.each([['-iter', '5000'], ['-scrypt']])('as a locked key is opened (%s)', (...options) => {
		openssl.run('pkcs8', '-topk8', '-in', 'own.key', '-out', 'locked.key', '-passout', 'pass:x', ...options);
		const credential = { clientCertificate: openssl.text('own.pem'), clientPrivateKey: openssl.text('locked.key') };
		const whole = { useCertificate: true, certificateFormat: 'pem', certificatePassphrase: 'x', ...credential };
		expect(certificateFault(whole)).toBeUndefined();
	});
});

test('a key that is so long that one signature takes minutes is refused', async () => {
	// Only its size is looked at, so its numbers may be any.
	const size = 20_000 / 8;
	const large = der(integer, Buffer.alloc(size, 0x7f));
	const small = der(integer, Buffer.from([3]));
	const pkcs1 = der(sequence, der(integer, Buffer.from([0])), large, small, large, large, small, small, small, small);
	const key = `-----BEGIN RSA PRIVATE KEY-----\n${pkcs1.toString('base64')}\n-----END RSA PRIVATE KEY-----`;
	const { partner } = await certificates();
	for (const signatureCertificate of ['', partner.certificate])
		expect(
			signatureFault({ method: 'rsaSha256', credential: { signaturePrivateKey: key, signatureCertificate } })?.message,
		).toMatch(/Private Key (?:is a key of \d+ bits, and 16384 are the limit|does not belong)/);
});
