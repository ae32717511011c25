/** Reads pasted client certificates and explains invalid ones. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

import { agentOptionsOf, describeCertificate, validateCertificate } from '../src/certificate.ts';
import { der, objectIdentifier, tags } from '../src/der.ts';
import { credentialErrorOf, repairPem } from '../src/index.ts';
import { encryptTraditionally, pemCredential, made } from './support/certificates.ts';
import { describeWithOpenssl, Openssl } from './support/openssl.ts';
import { algorithm, derivation, encryptedKey, encryptedSafe, ids, pfxOf } from './support/pfx.ts';

const day = 24 * 3600 * 1000;
const inPfx = (changes: Record<string, unknown> = {}) => ({
	certificateFormat: 'pfx',
	clientCertificatePfx: made.pfx,
	certificatePassphrase: made.passphrase,
	...changes,
});
const saidOf = (changes: Record<string, unknown>, now?: Date) =>
	credentialErrorOf(() => validateCertificate({ ...pemCredential(), ...changes } as never, now))?.message;

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

	it.each(flatten)('%s is repaired', (_name, change) => {
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
		'%s is repaired, also a key in the traditional encryption',
		(_name, change) => {
			const locked = encryptTraditionally(made.partner.privateKey, 'open sesame');
			expect(locked).toContain('DEK-Info');
			expect(saidOf({ clientPrivateKey: change(locked), certificatePassphrase: 'open sesame' })).toBeUndefined();
		},
	);

	it.each(['', 'hello', '-----BEGIN CERTIFICATE-----', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----'])(
		'%j has no certificate',
		(text) => expect(repairPem(text)).toBe(''),
	);
});

describe('the TLS options', () => {
	const given = () => ({ cert: made.partner.certificate, key: made.partner.privateKey, ca: made.ca });
	const flat = () =>
		Object.entries(pemCredential()).map(([name, value]) => [
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
		expect(agentOptionsOf({ ...pemCredential(), ...changes() })).toEqual(given());
	});

	it('start with the own certificate, in any order of pasting', () => {
		const clientCertificate = made.ca + made.partner.certificate;
		expect(agentOptionsOf({ ...pemCredential(), clientCertificate })).toEqual({
			...given(),
			cert: made.partner.certificate + made.ca,
		});
	});

	it('of a PFX file is its content, with the intermediate certificates', () => {
		const clientCertificatePfx = `data:application/x-pkcs12;base64,${made.pfx.replaceAll(/.{60}/g, '$&\n')}`;
		expect(agentOptionsOf({ ...pemCredential(), ...inPfx({ clientCertificatePfx }) })).toEqual({
			...given(),
			cert: made.partner.certificate + made.ca,
		});
	});

	it('are only the CA without a certificate, and undefined without both', () => {
		expect(agentOptionsOf({ ...pemCredential(), useCertificate: false })).toEqual({ ca: made.ca });
		expect(agentOptionsOf({ useCertificate: false, bankCa: '' })).toBeUndefined();
	});
});

describe('the client certificate', () => {
	it('can be used in PEM or PFX, or be switched off', () => {
		expect(saidOf({})).toBeUndefined();
		expect(saidOf({ clientCertificate: made.partner.certificate + made.ca })).toBeUndefined();
		expect(saidOf({ certificatePassphrase: 'of a key that is not locked' })).toBeUndefined();
		expect(saidOf(inPfx())).toBeUndefined();
		expect(saidOf({ useCertificate: false, clientCertificate: '' })).toBeUndefined();
	});

	const withoutTwoLines = (pem: string) => pem.replace(/\n.{64}\n.{64}/, '');
	const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
	const tooLong = () => 'A'.repeat(1024 * 1024);
	const hasTooMany = 'has 1048576 characters; the limit is 500000';
	const slow = derivation(ids.tripleDes, [2_000_000]);
	const lockedBy = (kind: Buffer) => pfxOf([encryptedSafe(kind)]).toString('base64');

	const keyOfGost = () => {
		const id = der(tags.sequence, objectIdentifier('1.2.643.7.1.1.1.1'));
		const key = der(tags.sequence, der(tags.integer, Buffer.from([0])), id, der(tags.octetString, Buffer.alloc(32, 7)));
		return `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----`;
	};

	/** Invalid values of each field, and the message after the label of the field. */
	const rejected: Record<string, { label: string; values: [what: string, value: () => string, words: string][] }> = {
		clientCertificate: {
			label: 'Client Certificate',
			values: [
				['nothing', () => '', 'is empty. Paste the whole text'],
				['something else', () => 'hello', 'contains no certificate in PEM. Paste'],
				['a key', () => made.partner.privateKey, 'contains a private key but no certificate. Paste'],
				['a megabyte', tooLong, hasTooMany],
				['half a certificate', () => withoutTwoLines(made.partner.certificate), 'is damaged'],
				['a damaged intermediate', () => made.partner.certificate + damaged, 'is damaged'],
				['an expired one', () => made.refused.expired.certificate, 'expired on 20'],
				['one of the future', () => made.refused.notYetValid.certificate, 'is not valid before 20'],
			],
		},
		clientPrivateKey: {
			label: 'Private Key',
			values: [
				['nothing', () => ' ', 'is empty'],
				['a certificate', () => made.partner.certificate, 'contains a certificate but no private key. Paste'],
				['a megabyte', tooLong, hasTooMany],
				['half a key', () => withoutTwoLines(made.partner.privateKey), 'cannot be read: it is damaged'],
				[
					'a key of GOST',
					keyOfGost,
					'cannot be read: it is damaged, or of a kind that Node does not support, such as GOST',
				],
				['another key', () => made.server.privateKey, 'does not belong to Client Certificate'],
				['a locked key', () => made.encryptedPrivateKey, 'is encrypted and Certificate Passphrase is empty'],
				[
					'a key locked the old way',
					() => encryptTraditionally(made.partner.privateKey, 'open sesame'),
					'is encrypted and Certificate Passphrase is empty',
				],
			],
		},
		clientCertificatePfx: {
			label: 'Client Certificate (PFX)',
			values: [
				['nothing', () => '', 'is empty'],
				['PEM', () => made.partner.certificate, 'is damaged, incomplete or not a PFX file'],
				['a megabyte', tooLong, hasTooMany],
				['bytes', () => '0\u0082\u0001 binary', 'is damaged, incomplete or not a PFX file as base64 text. Paste'],
				['another file', () => Buffer.from('hello').toString('base64'), 'is damaged, incomplete or not a PFX file'],
				['half a file', () => made.pfx.slice(0, 400), 'is damaged, incomplete or not a PFX file'],
				['RC2', () => lockedBy(derivation('1.2.840.113549.1.12.1.6', [1])), 'is damaged or in an unsupported format'],
				['too many iterations', () => lockedBy(slow), 'uses more than 200000 key derivation iterations, which would'],
			],
		},
		bankCa: {
			label: 'CA of the Bank',
			values: [
				['something else', () => 'hello', 'contains no certificate in PEM'],
				['a key', () => made.partner.privateKey, 'contains a private key but no certificate'],
				['a megabyte', tooLong, hasTooMany],
				['a damaged one', () => damaged, 'is damaged'],
			],
		},
	};

	it('a PFX file may be pasted as "certutil -encode" writes it, or as a data URL', () => {
		const lines = made.pfx.replace(/.{64}/g, '$&\r\n');
		for (const pfx of [
			`-----BEGIN CERTIFICATE-----\r\n${lines}\r\n-----END CERTIFICATE-----\r\n`,
			`data:;base64,${made.pfx}`,
		])
			expect(saidOf({ certificateFormat: 'pfx', clientCertificatePfx: pfx })).toBe(
				saidOf({ certificateFormat: 'pfx', clientCertificatePfx: made.pfx }),
			);
	});

	describe.each(Object.entries(rejected))('%s', (field, { label, values }) => {
		const format = field === 'clientCertificatePfx' ? { certificateFormat: 'pfx' } : {};

		it.each(values)('cannot be %s', (_what, value, words) => {
			const said = saidOf({ ...format, [field]: value() });
			expect(said).toContain(`${label} ${words}`);
			expect(said).toMatch(/\.$/);
			expect(said).not.toMatch(/MII|undefined/);
		});
	});

	it.each([
		['of a locked key', () => ({ clientPrivateKey: made.encryptedPrivateKey }), 'does not open Private Key'],
		[
			'of a key that is slow to open',
			() => ({ clientPrivateKey: encryptedKey(slow) }),
			'or uses scrypt or more than 200000',
		],
		['of a key in another format', () => ({ clientPrivateKey: encryptedKey(algorithm(ids.pbkdf2)) }), 'or uses scrypt'],
		['of a PFX file', () => inPfx(), 'cannot be opened: wrong passphrase or incomplete file. Correct Certificate'],
	])('with a wrong passphrase %s says what is wrong', (_what, changes, words) => {
		expect(saidOf({ ...changes(), certificatePassphrase: 'other' })).toContain(words);
	});

	it.each([
		['clientPrivateKey', () => ({ clientPrivateKey: made.encryptedPrivateKey })] as const,
		['a PFX file', () => inPfx()] as const,
	])('says that the passphrase of %s has spaces, which are not removed', (_what, changes) => {
		for (const passphrase of [` ${made.passphrase}`, `${made.passphrase}\n`, `${made.passphrase}\u00a0`])
			expect(saidOf({ ...changes(), certificatePassphrase: passphrase })).toMatch(
				/It has a space or line break that you may not see\.$/,
			);
		expect(saidOf({ ...changes(), certificatePassphrase: 'other' })).not.toContain('space');
	});

	it('needs the passphrase of its PFX file', () => {
		expect(saidOf(inPfx({ certificatePassphrase: '' }))).toBe(
			'Client Certificate (PFX) is encrypted and Certificate Passphrase is empty. Enter the passphrase of the file.',
		);
	});

	it('cannot be that of the authority', () => {
		expect(saidOf({ clientCertificate: made.ca })).toMatch(/^Private Key does not belong to Client Certificate/);
	});

	it.each(['X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])('may have the label %s', (label) => {
		const pem = made.partner.certificate.replaceAll('CERTIFICATE', label);
		expect(repairPem(pem)).toContain(`-----BEGIN ${label}-----`);
		expect(saidOf({ clientCertificate: pem }) ?? '').not.toMatch(/contains no certificate/);
	});

	it.each(['CERTIFICATE REQUEST', 'NEW CERTIFICATE'])('cannot have the label %s', (label) => {
		expect(saidOf({ clientCertificate: made.partner.certificate.replaceAll('CERTIFICATE', label) })).toMatch(
			/contains no certificate in PEM/,
		);
	});

	it('may be off, and one valid CA of the bank is enough, in any order with expired ones', () => {
		const expired = made.refused.expired.certificate;
		for (const bankCa of [expired + made.ca, made.ca + expired, made.partner.privateKey + made.ca])
			expect(saidOf({ useCertificate: false, bankCa })).toBeUndefined();
		expect(saidOf({ useCertificate: false, bankCa: expired })).toMatch(
			/^CA of the Bank expired on .*Paste the current/,
		);
	});

	it('must be valid by the clock', () => {
		const later = new Date(Date.now() + 400 * day);
		expect(saidOf({ bankCa: '' }, later)).toMatch(/^Client Certificate expired/);
		expect(saidOf(inPfx({ bankCa: '' }), later)).toMatch(/^Client Certificate \(PFX\) expired on/);
		expect(saidOf({ useCertificate: false }, new Date(Date.now() + 4000 * day))).toMatch(/^CA of the Bank expired/);
	});
});

describe('the description of the certificate', () => {
	it('has subject and expiry', () => {
		const { subject, validTo } = new X509Certificate(made.partner.certificate);
		const end = Date.parse(validTo);
		expect(describeCertificate(pemCredential(), new Date(end - 2.5 * day))).toEqual({
			subject,
			validUntil: new Date(end).toISOString(),
			daysLeft: 2,
		});
	});

	it('has the earliest expiry of the chain', () => {
		const { expired } = made.refused;
		const shown = describeCertificate({
			...pemCredential(),
			clientCertificate: made.partner.certificate + expired.certificate,
		});
		expect(shown?.validUntil).toBe(new Date(new X509Certificate(expired.certificate).validTo).toISOString());
		expect(shown?.daysLeft).toBeLessThan(0);
	});

	it('is undefined if there is no certificate, or an unreadable one', () => {
		for (const changes of [{ useCertificate: false }, { clientCertificate: '' }, { clientPrivateKey: 'damaged' }])
			expect(describeCertificate({ ...pemCredential(), ...changes })).toBeUndefined();
	});
});

describeWithOpenssl('a certificate of somebody with several names', () => {
	const openssl = new Openssl();
	afterAll(() => openssl.remove());

	it('has one line', () => {
		openssl.certify('partner', { kind: 'EC P-256' });
		const own = { clientCertificate: openssl.text('partner.pem'), clientPrivateKey: openssl.text('partner.key') };
		expect(describeCertificate({ ...pemCredential(), ...own })?.subject).toBe('CN=partner, O=Предприятие');
	});
});
