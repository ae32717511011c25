/** What a package is signed with: verified by others than us, and refused in the words of the form. */
import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';

import { type Certificates } from '../../fixtures/src/sandbox/tls/certificates.ts';
import { Der, tags } from '../src/der.ts';
import {
	isSignatureMethod,
	sign,
	SignatureBase,
	signatureFault,
	type SignatureMethodName,
	signatureMethods,
	testSignature,
} from '../src/index.ts';
import { certificates } from './support/certificates.ts';
import { describeWithOpenssl, type KeyKind, Openssl } from './support/openssl.ts';

type Given = Record<string, string>;

const day = 24 * 3600 * 1000;
const body = Buffer.from('{"total":1.1,"payments":[{"paymentDescription":"Выплата за март"}]}\r\n');
const methods: SignatureMethodName[] = ['cmsDetached', 'rsaSha256'];

let made: Certificates;
let good: Given;

beforeAll(async () => {
	made = await certificates();
	good = {
		certificateFormat: 'pem',
		signaturePrivateKey: made.partner.privateKey,
		signatureCertificate: made.partner.certificate,
	};
});

/** As n8n hands it over: with the defaults of the form. */
const credentialOf = (given: Given) =>
	({
		...Object.fromEntries(
			new (class extends SignatureBase {})().properties.map(({ name, default: value }) => [name, value]),
		),
		...given,
	}) as Given;
const faultOf = (method: SignatureMethodName, given: Given, now?: Date) =>
	signatureFault({ method, credential: credentialOf({ ...good, ...given }) }, now)?.message;
const signed = (method: SignatureMethodName, given: Given = {}, now?: Date) =>
	Buffer.from(sign(body, { method, credential: credentialOf({ ...good, ...given }) }, now), 'base64');

const keyOf = (kind: 'ec' | 'ed25519'): string =>
	(kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')).privateKey
		.export({ type: 'pkcs8', format: 'pem' })
		.toString();

describe('the methods', () => {
	it('are known by name, and nothing else is', () => {
		expect(Object.keys(signatureMethods)).toEqual(methods);
		for (const name of methods) expect(isSignatureMethod(name)).toBe(true);
		for (const name of ['given', 'toString', '', undefined, 1]) expect(isSignatureMethod(name)).toBe(false);
	});

	it.each(methods)('%s gives base64 in one line', (method) => {
		expect(sign(body, { method, credential: credentialOf(good) })).toMatch(/^[A-Za-z\d+/]+={0,2}$/);
	});
});

describe('RSA-SHA256', () => {
	it('is verified with the public key, over these bytes and no others', () => {
		const signature = signed('rsaSha256');
		const key = createPublicKey(made.partner.certificate);
		expect(verify('sha256', body, key, signature)).toBe(true);
		expect(verify('sha256', body.subarray(1), key, signature)).toBe(false);
		expect(verify('sha256', body, createPublicKey(made.server.certificate), signature)).toBe(false);
	});

	it('needs no certificate', () => {
		expect(signed('rsaSha256', { signatureCertificate: '' })).toEqual(signed('rsaSha256'));
	});
});

describe('CMS detached', () => {
	/** The attributes that are signed, by their last number: 3 type of the content, 4 digest, 5 time. */
	const attributesOf = (signature: Buffer) =>
		Object.fromEntries(
			Der.read(signature)
				.part(1)
				.part(0)
				.parts.at(-1)!
				.part(0)
				.part(3)
				.parts.map((attribute) => [attribute.part(0).objectIdentifier.split('.').at(-1), attribute.part(1).part(0)]),
		);

	it('says when it was made, also from 2050 on', () => {
		const { 5: before } = attributesOf(signed('cmsDetached', {}, new Date('2026-11-22T01:02:03.999Z')));
		expect([before?.tag, String(before?.content)]).toEqual([tags.utcTime, '261122010203Z']);
		const { cmsDetached } = signatureMethods;
		const certificate = new X509Certificate(made.partner.certificate);
		const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
		const later = cmsDetached.sign(body, { privateKey, certificates: [certificate] }, new Date('2050-01-01T00:00:00Z'));
		const { 5: after } = attributesOf(later);
		expect([after?.tag, String(after?.content)]).toEqual([tags.generalizedTime, '20500101000000Z']);
	});

	it('does not hold what was signed', () => {
		expect(signed('cmsDetached').includes('Выплата')).toBe(false);
	});

	it('holds all certificates, whatever their order', () => {
		const signature = signed('cmsDetached', { signatureCertificate: made.partner.certificate + made.ca });
		for (const certificate of [made.partner.certificate, made.ca])
			expect(signature.includes(new X509Certificate(certificate).raw)).toBe(true);
	});
});

describe('what cannot sign', () => {
	const unusable: [string, () => Given, Record<SignatureMethodName, RegExp | undefined>][] = [
		['nothing wrong', () => ({}), { cmsDetached: undefined, rsaSha256: undefined }],
		[
			'a PFX file',
			() => ({ certificateFormat: 'pfx', signaturePfx: made.pfx, signaturePassphrase: made.passphrase }),
			{ cmsDetached: undefined, rsaSha256: undefined },
		],
		[
			'a locked key with its passphrase',
			() => ({ signaturePrivateKey: made.encryptedPrivateKey, signaturePassphrase: made.passphrase }),
			{ cmsDetached: undefined, rsaSha256: undefined },
		],
		[
			'key and certificate in one text',
			() => ({ signaturePrivateKey: '', signatureCertificate: good.signaturePrivateKey + good.signatureCertificate! }),
			{ cmsDetached: undefined, rsaSha256: undefined },
		],
		[
			'a key without a certificate',
			() => ({ signatureCertificate: ' ' }),
			{ cmsDetached: /^Certificate is empty, and CMS Detached needs it\. .*RSA-SHA256/, rsaSha256: undefined },
		],
		[
			'an EC key alone',
			() => ({ signaturePrivateKey: keyOf('ec'), signatureCertificate: '' }),
			{ cmsDetached: /^Certificate is empty/, rsaSha256: /^Private Key is not an RSA key.*CMS Detached/ },
		],
		[
			'a key of another kind',
			() => ({ signaturePrivateKey: keyOf('ed25519'), signatureCertificate: '' }),
			{ cmsDetached: /^Private Key is neither an RSA nor an EC key/, rsaSha256: /^Private Key is not an RSA key/ },
		],
		['no key', () => ({ signaturePrivateKey: '' }), both(/^Private Key is empty\. Paste the whole text/)],
		[
			'something else for a key',
			() => ({ signaturePrivateKey: 'x' }),
			both(/^Private Key holds no private key in PEM/),
		],
		[
			'something else for a certificate',
			() => ({ signatureCertificate: 'x' }),
			both(/^Certificate holds no certificate in PEM.*choose the format PFX/),
		],
		[
			'a locked key without a passphrase',
			() => ({ signaturePrivateKey: made.encryptedPrivateKey }),
			both(/^Private Key is locked and Passphrase is empty/),
		],
		[
			'a locked key with another passphrase',
			() => ({ signaturePrivateKey: made.encryptedPrivateKey, signaturePassphrase: 'other' }),
			both(/^Passphrase does not open Private Key/),
		],
		[
			'the key of another certificate',
			() => ({ signaturePrivateKey: made.server.privateKey }),
			both(/^Private Key does not belong to Certificate/),
		],
		[
			'the authority before the own certificate',
			() => ({ signatureCertificate: made.ca + made.partner.certificate }),
			both(/^The first certificate in Certificate is not your own/),
		],
		[
			'a certificate that expired',
			() => ({ signatureCertificate: made.refused.expired.certificate }),
			both(/^Certificate expired on \d{4}-\d\d-\d\d\. Get a new one/),
		],
		[
			'one that is not valid yet',
			() => ({ signatureCertificate: made.refused.notYetValid.certificate }),
			both(/^Certificate is not valid before \d{4}-\d\d-\d\d/),
		],
		['no PFX file', () => ({ certificateFormat: 'pfx' }), both(/^Certificate and Key \(PFX\) is empty/)],
		[
			'a PFX file without its passphrase',
			() => ({ certificateFormat: 'pfx', signaturePfx: made.pfx }),
			both(/^Certificate and Key \(PFX\) is locked and Passphrase is empty/),
		],
		[
			'a PFX file with another passphrase',
			() => ({ certificateFormat: 'pfx', signaturePfx: made.pfx, signaturePassphrase: 'other' }),
			both(
				/^Certificate and Key \(PFX\) cannot be opened: wrong passphrase, or not a whole PFX file\. Correct the Passphrase/,
			),
		],
		[
			'half a PFX file',
			() => ({ certificateFormat: 'pfx', signaturePfx: made.pfx.slice(0, 400), signaturePassphrase: made.passphrase }),
			both(/^Certificate and Key \(PFX\) is damaged, or of a kind .*RC2\. Convert it with "openssl pkcs12 -legacy/),
		],
	];

	it.each(unusable)('is said at once: %s', (_name, given, words) => {
		for (const method of methods) {
			const said = faultOf(method, given());
			const { [method]: expected } = words;
			if (expected === undefined) expect(said).toBeUndefined();
			else expect(said).toMatch(expected);
			expect(said ?? '').not.toMatch(/MII|undefined|BEGIN RSA|other$/);
			if (expected !== undefined) expect(() => signed(method, given())).toThrow(said);
			else expect(signed(method, given()).length).toBeGreaterThan(200);
		}
	});

	it('is judged by the clock', () => {
		for (const method of methods)
			expect(faultOf(method, {}, new Date(Date.now() + 400 * day))).toMatch(/^Certificate expired/);
		expect(faultOf('rsaSha256', { signatureCertificate: '' }, new Date(Date.now() + 4000 * day))).toBeUndefined();
	});
});

describe('the test of the credential', () => {
	const test = (given: Given, now?: Date) => testSignature(credentialOf({ ...good, ...given }), now);

	it('says what the credential is good for, and until when', () => {
		const { validTo } = new X509Certificate(made.partner.certificate);
		const now = new Date(Date.parse(validTo) - 40.5 * day);
		expect(test({}, now)).toEqual({
			status: 'OK',
			message: `Can sign: CMS Detached (PKCS#7), RSA-SHA256. The certificate is valid until ${new Date(validTo).toISOString().slice(0, 10)}, for 40 more days.`,
		});
		expect(test({ signatureCertificate: '' })).toEqual({
			status: 'OK',
			message: 'Can sign: RSA-SHA256. There is no certificate.',
		});
	});

	it('says what is wrong', () => {
		expect(test({ signaturePrivateKey: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Private Key is empty\. /),
		});
		expect(test({ signaturePrivateKey: keyOf('ec'), signatureCertificate: '' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^Certificate is empty, and CMS Detached needs it/),
		});
	});
});

describeWithOpenssl('OpenSSL', () => {
	const openssl = new Openssl();
	const kinds: KeyKind[] = ['rsa', 'EC P-256', 'EC P-521'];
	const ofKind = (kind: KeyKind) => kind.replace(' ', '');

	beforeAll(() => {
		openssl.certify('stranger', { kind: 'EC P-256', isCa: true });
		for (const kind of kinds) {
			openssl.certify(`root${ofKind(kind)}`, { kind, isCa: true });
			openssl.certify(`intermediate${ofKind(kind)}`, { kind, isCa: true, issuer: `root${ofKind(kind)}` });
			openssl.certify(`own${ofKind(kind)}`, { kind, issuer: `intermediate${ofKind(kind)}` });
		}
		openssl.write('body', body);
		openssl.write('other', body.subarray(1));
	});
	afterAll(() => openssl.remove());

	const pemOf = (kind: KeyKind): Given => ({
		certificateFormat: 'pem',
		signaturePrivateKey: openssl.text(`own${ofKind(kind)}.key`),
		signatureCertificate: openssl.text(`own${ofKind(kind)}.pem`) + openssl.text(`intermediate${ofKind(kind)}.pem`),
	});
	const pfxOf = (kind: KeyKind): Given => {
		openssl.write('chain', openssl.text(`intermediate${ofKind(kind)}.pem`));
		const parts = ['-inkey', `own${ofKind(kind)}.key`, '-in', `own${ofKind(kind)}.pem`, '-certfile', 'chain'];
		openssl.run('pkcs12', '-export', ...parts, '-passout', 'pass:secret', '-out', 'file.pfx');
		return {
			certificateFormat: 'pfx',
			signaturePfx: openssl.bytes('file.pfx').toString('base64'),
			signaturePassphrase: 'secret',
		};
	};
	const verifyCms = (signature: Buffer, root: string, content = 'body') => {
		openssl.write('signature', signature);
		const files = ['-in', 'signature', '-content', content, '-CAfile', `${root}.pem`, '-out', 'verified'];
		openssl.run('cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', ...files);
		return openssl.bytes('verified');
	};

	describe.each(kinds)('with a key of %s', (kind) => {
		const root = `root${ofKind(kind)}`;

		it.each([
			['PEM', pemOf],
			['PFX', pfxOf],
		])('verifies a CMS signature up to the root, through the intermediate certificate, from %s', (_format, given) => {
			expect(verifyCms(signed('cmsDetached', given(kind)), root)).toEqual(body);
		});

		it('does not verify it over other bytes, for another root, or without the intermediate certificate', () => {
			const signature = signed('cmsDetached', pemOf(kind));
			expect(() => verifyCms(signature, root, 'other')).toThrow(/verification failure/i);
			expect(() => verifyCms(signature, 'stranger')).toThrow(/certificate verify error/i);
			const alone = { ...pemOf(kind), signatureCertificate: openssl.text(`own${ofKind(kind)}.pem`) };
			expect(() => verifyCms(signed('cmsDetached', alone), root)).toThrow(/unable to get local issuer/i);
		});
	});

	it('verifies RSA-SHA256', () => {
		openssl.write('signature', signed('rsaSha256', pemOf('rsa')));
		openssl.run('x509', '-in', 'ownrsa.pem', '-pubkey', '-noout', '-out', 'public.pem');
		const verified = (content: string) =>
			openssl.run('dgst', '-sha256', '-verify', 'public.pem', '-signature', 'signature', content);
		expect(verified('body')).toBe('Verified OK\n');
		expect(() => verified('other')).toThrow();
	});

	it('reads the time, and plain data as the type of the content', () => {
		openssl.write('signature', signed('cmsDetached', pemOf('rsa'), new Date(Date.now() + day)));
		const printed = openssl.run('cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', 'signature');
		const { 0: tomorrow } = new Date(Date.now() + day).toISOString().split('T');
		expect(printed).toMatch(/contentType[^]*pkcs7-data/);
		expect(new Date(/UTCTIME:(.*)/.exec(printed)?.[1] ?? '').toISOString()).toContain(tomorrow);
	});
});

function both(words: RegExp): Record<SignatureMethodName, RegExp> {
	return { cmsDetached: words, rsaSha256: words };
}
