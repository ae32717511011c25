/** Signature credential: accepted keys and certificates, and error messages. */
import { credentialErrorOf, signatureOf, validatePaymentSettings } from '../../src/index.ts';
import { made } from '../support/certificates.ts';
import { credentialOf, day, faultOf, type Given, keyOf, signed } from '../support/signature.ts';

it.each(['', 'none', undefined, 'toString', 1, ['rsaSha256']])('%j chooses no signature', (signature) => {
	expect(() => signatureOf({ signature } as never)).toThrow(
		/^Signature (?:is None|"toString" is not one of the form)\. /,
	);
});

describe('a signature', () => {
	/** Requires a certificate and accepts every key used here, so only key and certificate errors occur. */
	const method = 'cmsDetached';

	it.each<[string, () => Given]>([
		['PEM', () => ({})],
		['a PFX file', () => ({ signatureKeyFormat: 'pfx', signaturePfx: made.pfx, signaturePassphrase: made.passphrase })],
	])('is made with %s', (_name, given) => {
		expect(faultOf(method, given())).toBeUndefined();
		expect(signed(method, given()).length).toBeGreaterThan(200);
	});

	it.each<[string, () => Given, RegExp]>([
		[
			'something else for a certificate',
			() => ({ signatureCertificate: 'x' }),
			/^Signature Certificate contains no certificate in PEM.*choose the format PFX/,
		],
		[
			'a PFX file without its passphrase',
			() => ({ signatureKeyFormat: 'pfx', signaturePfx: made.pfx }),
			/^Signature Key \(PFX\) is encrypted and Signature Key Passphrase is empty/,
		],
	])('is not made with %s', (_name, given, words) => {
		const said = faultOf(method, given());
		expect(said).toMatch(words);
		expect(said).not.toMatch(/MII|undefined|\bother\b/);
		expect(() => signed(method, given())).toThrow(said);
	});

	it('has the time of the clock', () => {
		expect(faultOf(method, {}, new Date(Date.now() + 400 * day))).toMatch(/^Signature Certificate expired/);
	});
});

describe('the test of the credential', () => {
	const problemOf = (given: Given, now?: Date) =>
		credentialErrorOf(() => validatePaymentSettings(credentialOf(given), now))?.message;

	it.each(['none', 'given', ''])('needs no key for the signature "%s"', (signature) => {
		expect(problemOf({ signature, signaturePrivateKey: 'x', signatureCertificate: '' })).toBeUndefined();
	});

	it('passes with a key that fits', () => {
		for (const signature of ['cmsDetached', 'rsaSha256']) expect(problemOf({ signature })).toBeUndefined();
	});

	it.each<[string, Given, RegExp]>([
		['no key', { signature: 'cmsDetached', signaturePrivateKey: '' }, /^Signature Key is empty\. /],
		[
			'a key of another kind',
			{ signature: 'rsaSha256', signaturePrivateKey: keyOf('ec'), signatureCertificate: '' },
			/RSA/,
		],
		['no certificate', { signature: 'cmsDetached', signatureCertificate: '' }, /^Signature Certificate is empty/],
		['an unknown method', { signature: 'gost' }, /^Signature "gost" is not one of the form/],
	])('says that there is %s', (_what, given, words) => expect(problemOf(given)).toMatch(words));

	it('says that the certificate has expired', () => {
		expect(problemOf({ signature: 'cmsDetached' }, new Date(Date.now() + 400 * day))).toMatch(
			/^Signature Certificate expired/,
		);
	});
});
