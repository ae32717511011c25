/** Signature credential: accepted keys and certificates, and error messages. */
import { X509Certificate } from 'node:crypto';

import { isSignatureMethod, signatureMethods, testSignature } from '../../src/index.ts';
import { made } from '../support/certificates.ts';
import { credentialOf, day, faultOf, type Given, keyOf, signed } from '../support/signature.ts';

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
		['a PFX file', () => ({ certificateFormat: 'pfx', signaturePfx: made.pfx, signaturePassphrase: made.passphrase })],
	])('is made with %s', (_name, given) => {
		expect(faultOf(method, given())).toBeUndefined();
		expect(signed(method, given()).length).toBeGreaterThan(200);
	});

	it.each<[string, () => Given, RegExp]>([
		[
			'something else for a certificate',
			() => ({ signatureCertificate: 'x' }),
			/^Certificate contains no certificate in PEM.*choose the format PFX/,
		],
		[
			'a PFX file without its passphrase',
			() => ({ certificateFormat: 'pfx', signaturePfx: made.pfx }),
			/^Certificate and Key \(PFX\) is encrypted and Passphrase is empty/,
		],
	])('is not made with %s', (_name, given, words) => {
		const said = faultOf(method, given());
		expect(said).toMatch(words);
		expect(said).not.toMatch(/MII|undefined|\bother\b/);
		expect(() => signed(method, given())).toThrow(said);
	});

	it('is made by the clock', () => {
		expect(faultOf(method, {}, new Date(Date.now() + 400 * day))).toMatch(/^Certificate expired/);
	});
});

describe('the test', () => {
	const test = (given: Given, now?: Date) => testSignature(credentialOf(given), now);

	it('says what the credential is good for, and until when', () => {
		const { validTo } = new X509Certificate(made.partner.certificate);
		const { status, message } = test({}, new Date(Date.parse(validTo) - 40.5 * day));
		expect(status).toBe('OK');
		const [can, ...rest] = message.split('. ');
		expect(can?.split(/: |, /)).toEqual(
			expect.arrayContaining(['Can sign', signatureMethods.cmsDetached.label, signatureMethods.rsaSha256.label]),
		);
		expect(rest).toEqual([
			`The certificate is valid until ${new Date(validTo).toISOString().slice(0, 10)}, for 40 more days.`,
		]);
	});

	it('names only the methods that the key is good for', () => {
		const { status, message } = test({ signatureCertificate: '' });
		expect(status).toBe('OK');
		expect(message).toMatch(/^Can sign: .*RSA-SHA256.*\. There is no certificate\.$/);
		expect(message).not.toContain(signatureMethods.cmsDetached.label);
	});

	it('says what is wrong', () => {
		expect(test({ signaturePrivateKey: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Private Key is empty\. /),
		});
		expect(test({ signaturePrivateKey: keyOf('ed25519'), signatureCertificate: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Private Key is /),
		});
	});
});
