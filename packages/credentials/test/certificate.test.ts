/** Reads pasted client certificates and explains invalid ones. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

import type { Certificates } from '../../fixtures/src/sandbox/tls/certificates.ts';
import { agentOptionsOf, validateCertificate, repairPem, describeCertificate } from '../src/index.ts';
import { certificates, lockedTheOldWay, pemCredential } from './support/certificates.ts';
import { describeWithOpenssl, Openssl } from './support/openssl.ts';
import { algorithm, derivation, encryptedKey, encryptedSafe, ids, pfxOf } from './support/pfx.ts';

let made: Certificates;
let good: Record<string, unknown> & ReturnType<typeof pemCredential>;

beforeAll(async () => {
	made = await certificates();
	good = pemCredential(made);
});

const day = 24 * 3600 * 1000;
const inPfx = (changes: Record<string, unknown> = {}) => ({
	certificateFormat: 'pfx',
	clientCertificatePfx: made.pfx,
	certificatePassphrase: made.passphrase,
	...changes,
});
const saidOf = (changes: Record<string, unknown>, now?: Date) =>
	validateCertificate({ ...good, ...changes } as never, now)?.message;

describe('PEM that was pasted', () => {
	const flatten: [string, (pem: string) => string][] = [
		['as it is', (pem) => pem],
		['with line breaks of Windows', (pem) => pem.replaceAll('\n', '\r\n')],
		['with line breaks of old Macs', (pem) => pem.replaceAll('\n', '\r')],
		['with spaces for line breaks', (pem) => pem.replaceAll('\n', ' ')],
		['with line breaks that are written out', (pem) => pem.replaceAll('\n', '\\n')],
		['with Windows line breaks that are written out', (pem) => pem.replaceAll('\n', '\\r\\n')],
		['with tabs and empty lines', (pem) => pem.replaceAll('\n', '\n\n\t')],
		['without a space after colons', (pem) => pem.replaceAll(': ', ':')],
		['without any line break', (pem) => pem.replaceAll('\n', '')],
		['with words around it', (pem) => `Bag Attributes\n friendlyName: partner\nsubject=CN = x\n${pem}\nsincerely`],
	];

	it.each(flatten)('%s is whole again', (_name, change) => {
		const chain = made.partner.certificate + made.ca;
		expect(repairPem(change(chain))).toBe(repairPem(chain));
		const blocks = repairPem(change(chain)).split(/(?<=-----END CERTIFICATE-----\n)/);
		expect(blocks.map((block) => new X509Certificate(block).subject)).toEqual([
			new X509Certificate(made.partner.certificate).subject,
			new X509Certificate(made.ca).subject,
		]);
		expect(createPrivateKey(repairPem(change(made.partner.privateKey))).export({ type: 'pkcs8', format: 'pem' })).toBe(
			made.partner.privateKey,
		);
	});

	it.each(flatten.filter(([, change]) => /\s|\\/.test(change('a:\nb'))))(
		'%s is whole again, also a key that was locked the old way',
		(_name, change) => {
			const locked = lockedTheOldWay(made.partner.privateKey, 'open sesame');
			expect(locked).toContain('DEK-Info');
			expect(saidOf({ clientPrivateKey: change(locked), certificatePassphrase: 'open sesame' })).toBeUndefined();
		},
	);

	it.each(['', 'hello', '-----BEGIN CERTIFICATE-----', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----'])(
		'%j is nothing',
		(text) => expect(repairPem(text)).toBe(''),
	);
});

describe('what n8n is given', () => {
	const given = () => ({ cert: made.partner.certificate, key: made.partner.privateKey, ca: made.ca });
	const flat = () =>
		Object.entries(good).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replaceAll('\n', ' ') : value,
		]);

	it.each([
		['PEM that lost its line breaks', () => Object.fromEntries(flat())],
		['a locked key', () => ({ clientPrivateKey: made.encryptedPrivateKey, certificatePassphrase: made.passphrase })],
		[
			'a key in the same text as the certificate',
			() => ({ clientCertificate: made.partner.privateKey + made.partner.certificate, clientPrivateKey: '' }),
		],
	])('of %s is certificate, key and CA', (_name, changes) => {
		expect(saidOf(changes())).toBeUndefined();
		expect(agentOptionsOf({ ...good, ...changes() })).toEqual(given());
	});

	it('of a PFX file is its content, with the intermediate certificates', () => {
		const clientCertificatePfx = `data:application/x-pkcs12;base64,${made.pfx.replaceAll(/.{60}/g, '$&\n')}`;
		expect(agentOptionsOf({ ...good, ...inPfx({ clientCertificatePfx }) })).toEqual({
			...given(),
			cert: made.partner.certificate + made.ca,
		});
	});

	it('is the CA alone where no certificate is used, and nothing where there is neither', () => {
		expect(agentOptionsOf({ ...good, useCertificate: false })).toEqual({ ca: made.ca });
		expect(agentOptionsOf({ useCertificate: false, bankCa: '' })).toBeUndefined();
	});
});

describe('a certificate that cannot be used', () => {
	it('is not one that can', () => {
		expect(saidOf({})).toBeUndefined();
		expect(saidOf({ clientCertificate: made.partner.certificate + made.ca })).toBeUndefined();
		expect(saidOf({ certificatePassphrase: 'of a key that is not locked' })).toBeUndefined();
		expect(saidOf(inPfx())).toBeUndefined();
		expect(saidOf({ useCertificate: false, clientCertificate: '' })).toBeUndefined();
	});

	it.each([
		['no certificate', () => ({ clientCertificate: '' }), /^Client Certificate is empty/],
		[
			'something else',
			() => ({ clientCertificate: 'hello' }),
			/^Client Certificate contains no certificate in PEM.*choose the format PFX/,
		],
		[
			'a key in its place',
			() => ({ clientCertificate: made.partner.privateKey }),
			/^Client Certificate contains a private key but no certificate\. Paste the certificate here, and the key in Private Key/,
		],
		[
			'the certificate twice',
			() => ({ clientPrivateKey: made.partner.certificate }),
			/^Private Key contains a certificate but no private key/,
		],
		[
			'a text of a megabyte',
			() => ({ clientCertificate: '-'.repeat(1024 * 1024) }),
			/^Client Certificate has 1048576 characters; the limit is 500000/,
		],
		[
			'a key of a megabyte',
			() => ({ clientPrivateKey: '-'.repeat(1024 * 1024) }),
			/^Private Key has 1048576 characters; the limit is 500000/,
		],
		[
			'a PFX file of a megabyte',
			() => ({ certificateFormat: 'pfx', clientCertificatePfx: 'A'.repeat(1024 * 1024) }),
			/^Client Certificate \(PFX\) has 1048576 characters; the limit is 500000/,
		],
		[
			'a CA of a megabyte',
			() => ({ bankCa: '-'.repeat(1024 * 1024) }),
			/^CA of the Bank has 1048576 characters; the limit is 500000/,
		],
		[
			'a key for a CA',
			() => ({ bankCa: made.partner.privateKey }),
			/^CA of the Bank contains a private key but no certificate/,
		],
		[
			'half a PFX file',
			() => ({ certificateFormat: 'pfx', clientCertificatePfx: made.pfx.slice(0, 400) }),
			/^Client Certificate \(PFX\) is damaged or incomplete/,
		],
		[
			'half a certificate',
			() => ({ clientCertificate: made.partner.certificate.replace(/\n.{64}\n.{64}/, '') }),
			/^Client Certificate is damaged/,
		],
		[
			'a damaged intermediate',
			() => ({
				clientCertificate: `${made.partner.certificate}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
			}),
			/^Client Certificate is damaged/,
		],
		['no key', () => ({ clientPrivateKey: ' ' }), /^Private Key is empty/],
		[
			'half a key',
			() => ({ clientPrivateKey: made.partner.privateKey.replace(/\n.{64}\n.{64}/, '') }),
			/^Private Key is damaged/,
		],
		[
			'a locked key without a passphrase',
			() => ({ clientPrivateKey: made.encryptedPrivateKey }),
			/^Private Key is encrypted and Certificate Passphrase is empty/,
		],
		[
			'a locked key with a wrong passphrase',
			() => ({ clientPrivateKey: made.encryptedPrivateKey, certificatePassphrase: 'wrong' }),
			/^Certificate Passphrase does not open Private Key/,
		],
		[
			'the key of another certificate',
			() => ({ clientPrivateKey: made.server.privateKey }),
			/^Private Key does not belong to Client Certificate/,
		],
		[
			'the authority before the own one',
			() => ({ clientCertificate: made.ca + made.partner.certificate }),
			/^The first certificate in Client Certificate is not your own.*own certificate first/,
		],
		[
			'one that expired',
			() => ({ clientCertificate: made.refused.expired.certificate }),
			/^Client Certificate expired on \d{4}-\d\d-\d\d\. Get a new one/,
		],
		[
			'one that is not valid yet',
			() => ({ clientCertificate: made.refused.notYetValid.certificate }),
			/^Client Certificate is not valid before \d{4}-\d\d-\d\d/,
		],
		[
			'a key with too many iterations',
			() => ({ clientPrivateKey: encryptedKey(derivation(ids.tripleDes, [2_000_000])), certificatePassphrase: 'x' }),
			/^Private Key is damaged, or uses scrypt or more than 200000 key derivation iterations.*Encrypt it again with fewer/,
		],
		[
			'a key of which the iterations cannot be read',
			() => ({ clientPrivateKey: encryptedKey(algorithm(ids.pbkdf2)), certificatePassphrase: 'x' }),
			/^Private Key is damaged, or uses scrypt/,
		],
		[
			'a PFX file with too many iterations',
			() =>
				inPfx({
					clientCertificatePfx: pfxOf([encryptedSafe(derivation(ids.tripleDes, [2_000_000]))]).toString('base64'),
				}),
			/^Client Certificate \(PFX\) uses more than 200000 key derivation iterations, which would block n8n\. Export it again/,
		],
		[
			'a PFX file with RC2',
			() =>
				inPfx({
					clientCertificatePfx: pfxOf([encryptedSafe(derivation('1.2.840.113549.1.12.1.6', [1]))]).toString('base64'),
				}),
			/^Client Certificate \(PFX\) is damaged or in an unsupported format, .*openssl pkcs12 -legacy/,
		],
		[
			'a PFX file without its passphrase',
			() => inPfx({ certificatePassphrase: '' }),
			/^Client Certificate \(PFX\) is encrypted and Certificate Passphrase is empty\. Enter the passphrase of the file\.$/,
		],
		[
			'a PFX file with another passphrase',
			() => inPfx({ certificatePassphrase: 'other' }),
			/^Client Certificate \(PFX\) cannot be opened: wrong passphrase or incomplete file\. Correct Certificate Passphrase/,
		],
		['no PFX', () => ({ certificateFormat: 'pfx' }), /^Client Certificate \(PFX\) is empty/],
		[
			'PEM for PFX',
			() => ({ certificateFormat: 'pfx', clientCertificatePfx: made.partner.certificate }),
			/^Client Certificate \(PFX\) contains PEM text.*Choose the format PEM/,
		],
		[
			'a PFX that is not base64',
			() => ({ certificateFormat: 'pfx', clientCertificatePfx: '0\u0082\u0001 binary' }),
			/^Client Certificate \(PFX\) is not base64/,
		],
		[
			'base64 of something else',
			() => ({ certificateFormat: 'pfx', clientCertificatePfx: Buffer.from('hello').toString('base64') }),
			/^Client Certificate \(PFX\) is base64 text, but not of a PFX file/,
		],
		['a CA that is no certificate', () => ({ bankCa: 'hello' }), /^CA of the Bank contains no certificate in PEM/],
		[
			'a damaged CA',
			() => ({ bankCa: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }),
			/^CA of the Bank is damaged/,
		],
		[
			"an unusable CA without a certificate of one's own",
			() => ({ useCertificate: false, bankCa: 'hello' }),
			/^CA of the Bank contains no certificate/,
		],
	])('is told apart: %s', (_name, changes, words) => {
		const said = saidOf(changes());
		expect(said).toMatch(words);
		expect(said).toMatch(/\.$/);
		expect(said).not.toMatch(/MII|undefined/);
	});

	it.each(['X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])('may be called %s', (label) => {
		const pem = made.partner.certificate.replaceAll('CERTIFICATE', label);
		expect(repairPem(pem)).toContain(`-----BEGIN ${label}-----`);
		expect(saidOf({ clientCertificate: pem }) ?? '').not.toMatch(/contains no certificate/);
	});

	it.each(['CERTIFICATE REQUEST', 'NEW CERTIFICATE'])('is none where it is called %s', (label) => {
		expect(saidOf({ clientCertificate: made.partner.certificate.replaceAll('CERTIFICATE', label) })).toMatch(
			/contains no certificate in PEM/,
		);
	});

	it('is locked also where its key was locked the old way', () => {
		expect(saidOf({ clientPrivateKey: lockedTheOldWay(made.partner.privateKey, 'open sesame') })).toMatch(
			/^Private Key is encrypted and Certificate Passphrase is empty/,
		);
	});

	it('is not the authority of the bank as long as one of them is in force, in whatever order they stand', () => {
		const expired = made.refused.expired.certificate;
		for (const bankCa of [expired + made.ca, made.ca + expired, made.partner.privateKey + made.ca])
			expect(saidOf({ useCertificate: false, bankCa })).toBeUndefined();
		expect(saidOf({ useCertificate: false, bankCa: expired })).toMatch(
			/^CA of the Bank expired on .*Paste the current/,
		);
	});

	it('is judged by the clock', () => {
		const later = new Date(Date.now() + 400 * day);
		expect(saidOf({ bankCa: '' }, later)).toMatch(/^Client Certificate expired/);
		expect(saidOf(inPfx({ bankCa: '' }), later)).toMatch(/^Client Certificate \(PFX\) expired on/);
		expect(saidOf({ useCertificate: false }, new Date(Date.now() + 4000 * day))).toMatch(/^CA of the Bank expired/);
	});
});

describe('the certificate as everybody may see it', () => {
	it('says whose it is, and how long it lasts', () => {
		const { subject, validTo } = new X509Certificate(made.partner.certificate);
		const end = Date.parse(validTo);
		expect(describeCertificate(pemCredential(made), new Date(end - 2.5 * day))).toEqual({
			subject,
			validUntil: new Date(end).toISOString(),
			daysLeft: 2,
		});
	});

	it('lasts no longer than the others of its chain', () => {
		const { expired } = made.refused;
		const shown = describeCertificate({
			...pemCredential(made),
			clientCertificate: made.partner.certificate + expired.certificate,
		});
		expect(shown?.validUntil).toBe(new Date(new X509Certificate(expired.certificate).validTo).toISOString());
		expect(shown?.daysLeft).toBeLessThan(0);
	});

	it('is none where none is used, or none can be read', () => {
		for (const changes of [{ useCertificate: false }, { clientCertificate: '' }, { clientPrivateKey: 'damaged' }])
			expect(describeCertificate({ ...pemCredential(made), ...changes })).toBeUndefined();
	});
});

describeWithOpenssl('a certificate of somebody with several names', () => {
	const openssl = new Openssl();
	afterAll(() => openssl.remove());

	it('is shown in one line', () => {
		openssl.certify('partner', { kind: 'EC P-256' });
		const own = { clientCertificate: openssl.text('partner.pem'), clientPrivateKey: openssl.text('partner.key') };
		expect(describeCertificate({ ...pemCredential(made), ...own })?.subject).toBe('CN=partner, O=Предприятие');
	});
});
