/** Signature credential: accepted keys and certificates, and error messages. */
import { X509Certificate } from 'node:crypto';

import { type Certificates, toPfx } from '../../../fixtures/src/sandbox/tls/certificates.ts';
import { isSignatureMethod, signatureMethods, testSignature } from '../../src/index.ts';
import { certificates } from '../support/certificates.ts';
import { describeWithOpenssl, Openssl } from '../support/openssl.ts';
import { credentialOf, day, faultOf, type Given, keyOf, signed } from '../support/signature.ts';

let issued: Certificates | undefined;
beforeAll(async () => {
	issued = await certificates();
});
const made = () => issued as Certificates;

it('knows its methods by name, and nothing else', () => {
	for (const name of ['cmsDetached', 'rsaSha256']) expect(isSignatureMethod(name)).toBe(true);
	for (const name of ['given', 'toString', '', undefined, 1, ['rsaSha256']])
		expect(isSignatureMethod(name)).toBe(false);
});

describe('a signature', () => {
	/** Requires a certificate and accepts every key used here, so only key and certificate errors occur. */
	const method = 'cmsDetached';

	it.each<[string, () => Given]>([
		['PEM', () => ({})],
		[
			'a PFX file',
			() => ({ certificateFormat: 'pfx', signaturePfx: made().pfx, signaturePassphrase: made().passphrase }),
		],
		[
			'a locked key with its passphrase',
			() => ({ signaturePrivateKey: made().encryptedPrivateKey, signaturePassphrase: made().passphrase }),
		],
		[
			'key and certificate in one text',
			() => ({
				signaturePrivateKey: '',
				signatureCertificate: made().partner.privateKey + made().partner.certificate,
			}),
		],
	])('is made with %s', async (_name, given) => {
		expect(await faultOf(method, given())).toBeUndefined();
		expect((await signed(method, given())).length).toBeGreaterThan(200);
	});

	it.each<[string, () => Given, RegExp]>([
		['no key', () => ({ signaturePrivateKey: '' }), /^Private Key is empty\. Paste the whole text/],
		['something else for a key', () => ({ signaturePrivateKey: 'x' }), /^Private Key contains no private key in PEM/],
		[
			'something else for a certificate',
			() => ({ signatureCertificate: 'x' }),
			/^Certificate contains no certificate in PEM.*choose the format PFX/,
		],
		[
			'a locked key without a passphrase',
			() => ({ signaturePrivateKey: made().encryptedPrivateKey }),
			/^Private Key is encrypted and Passphrase is empty/,
		],
		[
			'a locked key with another passphrase',
			() => ({ signaturePrivateKey: made().encryptedPrivateKey, signaturePassphrase: 'other' }),
			/^Passphrase does not open Private Key/,
		],
		[
			'the key of another certificate',
			() => ({ signaturePrivateKey: made().server.privateKey }),
			/^Private Key does not belong to Certificate/,
		],
		[
			'the authority before the own certificate',
			() => ({ signatureCertificate: made().ca + made().partner.certificate }),
			/^The first certificate in Certificate is not your own/,
		],
		[
			'a certificate that expired',
			() => ({ signatureCertificate: made().refused.expired.certificate }),
			/^Certificate expired on \d{4}-\d\d-\d\d\. Get a new one/,
		],
		[
			'one that is not valid yet',
			() => ({ signatureCertificate: made().refused.notYetValid.certificate }),
			/^Certificate is not valid before \d{4}-\d\d-\d\d/,
		],
		['no PFX file', () => ({ certificateFormat: 'pfx' }), /^Certificate and Key \(PFX\) is empty/],
		[
			'a PFX file without its passphrase',
			() => ({ certificateFormat: 'pfx', signaturePfx: made().pfx }),
			/^Certificate and Key \(PFX\) is encrypted and Passphrase is empty/,
		],
		[
			'a PFX file with another passphrase',
			() => ({ certificateFormat: 'pfx', signaturePfx: made().pfx, signaturePassphrase: 'other' }),
			/^Certificate and Key \(PFX\) cannot be opened: wrong passphrase or incomplete file\. Correct Passphrase/,
		],
		[
			'a PFX file that holds the certificate of another key',
			() => ({
				certificateFormat: 'pfx',
				signaturePfx: toPfx({ ...made().partner, certificate: made().server.certificate }, [], 'open'),
				signaturePassphrase: 'open',
			}),
			/^Certificate and Key \(PFX\) contains no certificate for its private key\. Export it again/,
		],
		[
			'half a PFX file',
			() => ({
				certificateFormat: 'pfx',
				signaturePfx: made().pfx.slice(0, 400),
				signaturePassphrase: made().passphrase,
			}),
			/^Certificate and Key \(PFX\) is damaged or incomplete\. Paste the whole file/,
		],
	])('is not made with %s', async (_name, given, words) => {
		const said = await faultOf(method, given());
		expect(said).toMatch(words);
		expect(said).not.toMatch(/MII|undefined|\bother\b/);
		await expect(signed(method, given())).rejects.toThrow(said);
	});

	it('is made by the clock', async () => {
		expect(await faultOf(method, {}, new Date(Date.now() + 400 * day))).toMatch(/^Certificate expired/);
	});
});

describe('the test', () => {
	const test = async (given: Given, now?: Date) => testSignature(await credentialOf(given), now);

	it('says what the credential is good for, and until when', async () => {
		const { validTo } = new X509Certificate(made().partner.certificate);
		const { status, message } = await test({}, new Date(Date.parse(validTo) - 40.5 * day));
		expect(status).toBe('OK');
		const [can, ...rest] = message.split('. ');
		expect(can?.split(/: |, /)).toEqual(
			expect.arrayContaining(['Can sign', signatureMethods.cmsDetached.label, signatureMethods.rsaSha256.label]),
		);
		expect(rest).toEqual([
			`The certificate is valid until ${new Date(validTo).toISOString().slice(0, 10)}, for 40 more days.`,
		]);
	});

	it('names only the methods that the key is good for', async () => {
		const { status, message } = await test({ signatureCertificate: '' });
		expect(status).toBe('OK');
		expect(message).toMatch(/^Can sign: .*RSA-SHA256.*\. There is no certificate\.$/);
		expect(message).not.toContain(signatureMethods.cmsDetached.label);
	});

	it('says what is wrong', async () => {
		expect(await test({ signaturePrivateKey: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Private Key is empty\. /),
		});
		expect(await test({ signaturePrivateKey: keyOf('ed25519'), signatureCertificate: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Private Key is /),
		});
	});
});

describeWithOpenssl('a PFX file', () => {
	const openssl = new Openssl();
	beforeAll(() => {
		openssl.certify('own', { kind: 'rsa' });
		openssl.certify('other', { kind: 'EC P-256' });
	});
	afterAll(() => openssl.remove());

	const exported = (...parts: string[]): Given => {
		openssl.run('pkcs12', '-export', ...parts, '-passout', 'pass:secret', '-out', 'file.pfx');
		const signaturePfx = openssl.bytes('file.pfx').toString('base64');
		return { certificateFormat: 'pfx', signaturePfx, signaturePassphrase: 'secret' };
	};

	it('needs a private key', async () => {
		expect(await faultOf('rsaSha256', exported('-nokeys', '-in', 'own.pem'))).toMatch(
			/^Certificate and Key \(PFX\) contains no private key\. Export it again/,
		);
	});

	it('may hold the key alone, for methods that need no certificate', async () => {
		const alone = exported('-nocerts', '-inkey', 'own.key');
		expect(await faultOf('rsaSha256', alone)).toBeUndefined();
		expect(await faultOf('cmsDetached', alone)).toMatch(/^Certificate is empty, and CMS Detached requires it/);
	});

	it('holds the certificate of its own key, wherever among the others', async () => {
		openssl.write('both.pem', openssl.text('other.pem') + openssl.text('own.pem'));
		const credential = await credentialOf(exported('-inkey', 'own.key', '-in', 'own.pem', '-certfile', 'both.pem'));
		expect(await testSignature(credential)).toMatchObject({ status: 'OK' });
	});
});
