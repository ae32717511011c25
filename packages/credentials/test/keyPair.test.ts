/** Finds key and certificates in PFX files with other content and in any order. */
import { der, tags } from '../src/der.ts';
import { validateCertificate } from '../src/certificate.ts';
import { credentialErrorOf, assertCanSign } from '../src/index.ts';
import { readKeyPair } from '../src/keyPair/keyPair.ts';
import { signatureFields } from '../src/keyPair/fields.ts';
import { made } from './support/certificates.ts';
import { certificateBag, keyBag, pfxOf, plainSafe } from './support/pfx.ts';

/** An unencrypted PFX file as base64. */
const fileOf = (...bags: Buffer[]) => pfxOf([plainSafe(...bags)]).toString('base64');

const connecting = (clientCertificatePfx: string) =>
	credentialErrorOf(() => validateCertificate({ useCertificate: true, certificateFormat: 'pfx', clientCertificatePfx }))
		?.message;
const signing = (signaturePfx: string) => ({ signature: 'rsaSha256', signatureKeyFormat: 'pfx', signaturePfx });
const signingFault = (pfx: string) => credentialErrorOf(() => assertCanSign(signing(pfx)))?.message;

it('the own certificate comes first, then the others, and obsolete kinds are left out', () => {
	const { ca, partner } = made;
	const file = fileOf(
		certificateBag(ca),
		keyBag(partner.privateKey),
		certificateBag(ca, 2),
		certificateBag(partner.certificate),
	);
	const identity = readKeyPair(signing(file), signatureFields);
	expect(identity.certificates.map(String)).toEqual([partner.certificate, ca]);
	expect(identity.privateKey.export({ type: 'pkcs8', format: 'pem' })).toBe(partner.privateKey);
	expect(connecting(file)).toBeUndefined();
});

const noOwn = /\(PFX\) contains no certificate for its private key\. Export it again, together with the certificate\.$/;

it.each([
	['without its own certificate', () => fileOf(keyBag(made.partner.privateKey), certificateBag(made.ca)), noOwn],
	// A key without a certificate can sign, for methods that need none.
	['without any certificate', () => fileOf(keyBag(made.partner.privateKey)), undefined],
])('a key %s cannot connect', (_name, file, forSigning) => {
	expect(connecting(file())).toMatch(noOwn);
	if (forSigning === undefined) expect(signingFault(file())).toBeUndefined();
	else expect(signingFault(file())).toMatch(forSigning);
});

it('certificates without a key are rejected', () => {
	expect(connecting(fileOf(certificateBag(made.partner.certificate)))).toMatch(
		/contains no private key\. Export it again, together with its private key\.$/,
	);
});

it.each(['data:application/x-pkcs12;base64,', ''])('base64 text may begin with "%s"', (before) => {
	const file = fileOf(keyBag(made.partner.privateKey));
	expect(connecting(before + file)).toMatch(/contains no certificate for its private key/);
	expect(connecting(`my ${before}${file}`)).toMatch(/is damaged, incomplete or not a PFX file/);
});

it('a key that is too long for signing in reasonable time is rejected', () => {
	// Only the key size is checked, so the numbers are arbitrary.
	const [zero, small] = [0, 3].map((value) => der(tags.integer, Buffer.from([value]))) as [Buffer, Buffer];
	const large = der(tags.integer, Buffer.alloc(20_000 / 8, 0x7f));
	const pkcs1 = der(tags.sequence, zero, large, small, large, large, small, small, small, small);
	const key = `-----BEGIN RSA PRIVATE KEY-----\n${pkcs1.toString('base64')}\n-----END RSA PRIVATE KEY-----`;
	const credential = { signature: 'rsaSha256', signaturePrivateKey: key };
	expect(() => assertCanSign(credential)).toThrow(/Signature Key is a key of \d+ bits; the limit is 16384/);
});
