/** CMS detached, verified independently. */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';

import { existing } from '../../../fixtures/src/existing.ts';
import { Der, der, tags } from '../../src/der.ts';
import { signatureMethods } from '../../src/index.ts';
import { made } from '../support/certificates.ts';
import { describeWithOpenssl, type KeyKind, Openssl } from '../support/openssl.ts';
import { body, day, faultOf, type Given, keyOf, signed } from '../support/signature.ts';

/** Signed attributes by the last number of their OID: 3 content type, 4 digest, 5 signing time. */
const attributesOf = (signature: Buffer) =>
	Object.fromEntries(
		existing(Der.read(signature).part(1).part(0).parts.at(-1))
			.part(0)
			.part(3)
			.parts.map((attribute) => [
				[3, 4, 5].find((last) => attribute.part(0).is(`1.2.840.113549.1.9.${last}`)),
				attribute.part(1).part(0),
			]),
	);

/** An X.509 v1 certificate, which OpenSSL 3.2 and later no longer creates. */
function ofFirstVersion({ raw }: X509Certificate, key: string): string {
	const [, ...fields] = Der.read(raw)
		.part(0)
		.parts.slice(0, 7)
		.map(({ whole }) => whole);
	const content = der(tags.sequence, ...fields);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', content, key));
	return new X509Certificate(der(tags.sequence, content, existing(fields[1]), signature)).toString();
}

it.each([
	['2026-11-22T01:02:03.999Z', '261122010203Z'],
	['2049-12-31T23:59:59.000Z', '491231235959Z'],
])('has the signing time: %s', (now, text) => {
	const certificate = new X509Certificate(made.partner.certificate);
	const identity = {
		privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
		certificates: [certificate],
	};
	const { 5: time } = attributesOf(signatureMethods.cmsDetached(identity)(body, new Date(now)));
	expect([time?.tag, String(time?.content)]).toEqual([tags.utcTime, text]);
});

it('does not contain the signed text', () => {
	expect(signed('cmsDetached').includes('Выплата')).toBe(false);
});

it('includes all certificates of the credential', () => {
	const { partner, ca } = made;
	const signature = signed('cmsDetached', { signatureCertificate: partner.certificate + ca });
	for (const certificate of [partner.certificate, ca])
		expect(signature.includes(new X509Certificate(certificate).raw)).toBe(true);
});

it('is not made without a certificate', () => {
	const alone = { signatureCertificate: ' ' };
	expect(faultOf('cmsDetached', alone)).toMatch(
		/^Signature Certificate is empty, and "CMS Detached" requires it\. .*RSA-SHA256/,
	);
	expect(() => signed('cmsDetached', alone)).toThrow(`"CMS Detached" requires it`);
});

it('is not made with a key of another kind', () => {
	expect(faultOf('cmsDetached', { signaturePrivateKey: keyOf('ed25519'), signatureCertificate: '' })).toMatch(
		/^Signature Key is neither an RSA nor an EC key.*Paste an RSA or EC key and its certificate/,
	);
});

describeWithOpenssl('OpenSSL', () => {
	const openssl = new Openssl();
	const kinds: KeyKind[] = ['rsa', 'EC P-256', 'EC P-521'];
	const shortOf = (kind: KeyKind) => kind.replace(' ', '');

	beforeAll(() => {
		openssl.certify('stranger', { kind: 'EC P-256', isCa: true });
		for (const kind of kinds) {
			openssl.certify(`root${shortOf(kind)}`, { kind, isCa: true });
			openssl.certify(`intermediate${shortOf(kind)}`, { kind, isCa: true, issuer: `root${shortOf(kind)}` });
			openssl.certify(`own${shortOf(kind)}`, { kind, issuer: `intermediate${shortOf(kind)}` });
		}
		openssl.write('body', body);
		openssl.write('other', body.subarray(1));
	});
	afterAll(() => openssl.remove());

	const pemOf = (kind: KeyKind): Given => ({
		signaturePrivateKey: openssl.text(`own${shortOf(kind)}.key`),
		signatureCertificate: openssl.text(`own${shortOf(kind)}.pem`) + openssl.text(`intermediate${shortOf(kind)}.pem`),
	});
	const pfxOf = (kind: KeyKind): Given => {
		openssl.write('chain', openssl.text(`intermediate${shortOf(kind)}.pem`));
		const parts = ['-inkey', `own${shortOf(kind)}.key`, '-in', `own${shortOf(kind)}.pem`, '-certfile', 'chain'];
		openssl.run('pkcs12', '-export', ...parts, '-passout', 'pass:secret', '-out', 'file.pfx');
		return {
			signatureKeyFormat: 'pfx',
			signaturePfx: openssl.bytes('file.pfx').toString('base64'),
			signaturePassphrase: 'secret',
		};
	};
	const verify = (signature: Buffer, root: string, content = 'body') => {
		openssl.write('signature', signature);
		const files = ['-in', 'signature', '-content', content, '-CAfile', `${root}.pem`, '-out', 'verified'];
		openssl.run('cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', ...files);
		return openssl.bytes('verified');
	};

	describe.each(kinds)('with a key of %s', (kind) => {
		const root = `root${shortOf(kind)}`;

		it.each([
			['PEM', pemOf],
			['PFX', pfxOf],
		])('verifies it up to the root, through the intermediate certificate, from %s', (_format, given) => {
			expect(verify(signed('cmsDetached', given(kind)), root)).toEqual(body);
		});

		it('does not verify it over other bytes, for another root, or without the intermediate certificate', () => {
			const signature = signed('cmsDetached', pemOf(kind));
			expect(() => verify(signature, root, 'other')).toThrow(/verification failure/i);
			expect(() => verify(signature, 'stranger')).toThrow(/certificate verify error/i);
			const alone = { ...pemOf(kind), signatureCertificate: openssl.text(`own${shortOf(kind)}.pem`) };
			const bare = signed('cmsDetached', alone);
			expect(() => verify(bare, root)).toThrow(/unable to get local issuer/i);
		});
	});

	it('verifies it with a certificate of the first version, which says no version', () => {
		const key = openssl.text('stranger.key');
		openssl.write('first.pem', ofFirstVersion(new X509Certificate(openssl.text('stranger.pem')), key));
		const given = { signaturePrivateKey: key, signatureCertificate: openssl.text('first.pem') };
		expect(verify(signed('cmsDetached', given), 'first')).toEqual(body);
	});

	it('reads the time, and plain data as the type of the content', () => {
		const tomorrow = new Date(Date.now() + day);
		openssl.write('signature', signed('cmsDetached', pemOf('rsa'), tomorrow));
		const printed = openssl.run('cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', 'signature');
		expect(printed).toMatch(/contentType[^]*pkcs7-data/);
		const read = new Date(/UTCTIME:(.*)/.exec(printed)?.[1] ?? '');
		expect(read.getTime()).toBe(tomorrow.setMilliseconds(0));
	});
});
