/** Finds key and certificates in PFX files with other content and in any order. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

import type { Certificates } from '../../fixtures/src/sandbox/tls/certificates.ts';
import { Der, der, objectIdentifier, tags } from '../src/der.ts';
import { readKeyPair } from '../src/keyPair/keyPair.ts';
import { validatePfxContent, validateSignature } from '../src/index.ts';
import { signatureFields } from '../src/signature/fields.ts';
import { certificates } from './support/certificates.ts';

let made: Certificates;
beforeAll(async () => {
	made = await certificates();
});

const bagOf = (type: number, value: Buffer) =>
	der(tags.sequence, objectIdentifier(`1.2.840.113549.1.12.10.1.${type}`), der(tags.context(0), value));
const keyBag = (pem: string) => bagOf(1, createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }));
const certificateBag = (pem: string) =>
	bagOf(
		3,
		der(
			tags.sequence,
			objectIdentifier('1.2.840.113549.1.9.22.1'),
			der(tags.context(0), der(tags.octetString, new X509Certificate(pem).raw)),
		),
	);
/** An obsolete certificate type (SDSI). */
const otherBag = () =>
	bagOf(
		3,
		der(
			tags.sequence,
			objectIdentifier('1.2.840.113549.1.9.22.2'),
			der(tags.context(0), der(tags.octetString, Buffer.from('x'))),
		),
	);
const nestedBag = (...bags: Buffer[]) => bagOf(6, der(tags.sequence, ...bags));

/** An unencrypted PFX file as base64 (RFC 7292). */
function pfxOf(...bags: Buffer[]): string {
	const data = (content: Buffer) =>
		der(tags.sequence, objectIdentifier('1.2.840.113549.1.7.1'), der(tags.context(0), der(tags.octetString, content)));
	const safes = der(tags.sequence, data(der(tags.sequence, ...bags)));
	const file = der(tags.sequence, der(tags.integer, Buffer.from([3])), data(safes));
	expect(Der.read(file).parts).toHaveLength(2);
	return file.toString('base64');
}

const connecting = (clientCertificatePfx: string) =>
	validatePfxContent({ useCertificate: true, certificateFormat: 'pfx', clientCertificatePfx })?.message;
const signing = (signaturePfx: string) => ({ certificateFormat: 'pfx', signaturePfx });
const signingFault = (pfx: string) => validateSignature({ method: 'rsaSha256', credential: signing(pfx) })?.message;

it('the own certificate comes first, then the others, also from nested bags', () => {
	const { ca, partner } = made;
	const file = pfxOf(
		nestedBag(certificateBag(ca), nestedBag(keyBag(partner.privateKey))),
		otherBag(),
		certificateBag(partner.certificate),
	);
	const identity = readKeyPair(signing(file), signatureFields);
	expect(identity.certificates.map(String)).toEqual([partner.certificate, ca]);
	expect(identity.privateKey.export({ type: 'pkcs8', format: 'pem' })).toBe(partner.privateKey);
	expect(connecting(file)).toBeUndefined();
});

it('a key without its own certificate is rejected', () => {
	const file = pfxOf(keyBag(made.partner.privateKey), certificateBag(made.ca));
	for (const said of [connecting(file), signingFault(file)])
		expect(said).toMatch(
			/\(PFX\) contains no certificate for its private key\. Export it again, together with the certificate\.$/,
		);
});

it('a key without any certificate can sign, and cannot connect', () => {
	const file = pfxOf(keyBag(made.partner.privateKey));
	expect(signingFault(file)).toBeUndefined();
	expect(connecting(file)).toMatch(/contains no certificate for its private key/);
});

it('certificates without a key are rejected', () => {
	expect(connecting(pfxOf(certificateBag(made.partner.certificate)))).toMatch(
		/contains no private key\. Export it again, together with its private key\.$/,
	);
});

it.each([
	['30 03 02 01 03', false],
	['30 80 02 01 03', false],
	['31 03 02 01 03', true],
	['30 03 02 01 02', true],
	['02 01 03', true],
])('bytes that start with %s are reported as not a PFX file: %s', (hex, isSaid) => {
	const said = connecting(Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('base64')) ?? '';
	expect(said.includes('is base64 text, but not of a PFX file')).toBe(isSaid);
});

it('text before a data URL is not base64', () => {
	const file = pfxOf(keyBag(made.partner.privateKey));
	expect(connecting(`data:application/x-pkcs12;base64,${file}`)).toMatch(/contains no certificate for its private key/);
	expect(connecting(`my data:application/x-pkcs12;base64,${file}`)).toMatch(/is not base64 text/);
});
