/** The sandbox bank, which verifies with another library, accepts the signatures of the sent body. */
import { generateKeyPairSync } from 'node:crypto';

import { signaturePositions, textToSign, withSignature } from '@bank/core';

import { signatureProblem as refusalOfSandbox } from '../../../fixtures/src/sandbox/signatures/index.ts';
import { readSigner } from '../../../fixtures/src/sandbox/signatures/signer.ts';
import {
	isSignatureMethod,
	sign,
	validateSignature,
	type SignatureMethodName,
	signatureMethods,
} from '../../src/index.ts';
import { certificates } from '../support/certificates.ts';
import { describeWithOpenssl, type KeyKind, Openssl } from '../support/openssl.ts';

const body = {
	client: { partnerId: 1 },
	payments: [{ name: { last: 'Ёлкина "signedBody"' }, amount: 0.1 }],
	signedBody: '',
};
const text = textToSign(body);
const methods = Object.keys(signatureMethods).filter(isSignatureMethod);

type Given = Record<string, string>;

async function refusals(method: SignatureMethodName, credential: Given, registered: string) {
	const signer = readSigner(registered);
	if (signer === undefined) throw new Error('Nobody is registered');
	const signature = sign(Buffer.from(text), { method, credential });
	const refusal = (sent: string) => refusalOfSandbox(method, sent, signature, signer, new Date());
	return {
		taken: await Promise.all(signaturePositions.map((position) => refusal(withSignature(text, signature, position)))),
		changed: await refusal(withSignature(text, signature, 'last').replace('0.1', '0.2')),
	};
}

const expected = { taken: [undefined, undefined], changed: expect.stringMatching(/other bytes/) };

/** Keys of each kind, with the certificate or public key registered at the bank. */
async function keys(): Promise<[credential: Given, registered: string][]> {
	const { partner, ca, pfx, passphrase } = await certificates();
	const ec = generateKeyPairSync('ec', {
		namedCurve: 'P-256',
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
		publicKeyEncoding: { type: 'spki', format: 'pem' },
	});
	return [
		[{ signaturePrivateKey: partner.privateKey, signatureCertificate: partner.certificate + ca }, partner.certificate],
		[{ certificateFormat: 'pfx', signaturePfx: pfx, signaturePassphrase: passphrase }, partner.certificate],
		[{ signaturePrivateKey: ec.privateKey }, ec.publicKey],
	];
}

describe.each(methods)('%s', (method) => {
	it('is taken with each key that it can be made with, and not over other bytes', async () => {
		const usable = (await keys()).filter(([credential]) => validateSignature({ method, credential }) === undefined);
		expect(usable).not.toEqual([]);
		for (const [credential, registered] of usable)
			expect(await refusals(method, credential, registered)).toEqual(expected);
	});
});

describeWithOpenssl('CMS detached with keys of OpenSSL', () => {
	const openssl = new Openssl();
	afterAll(() => openssl.remove());

	it.each<KeyKind>(['EC P-256', 'EC P-521', 'rsa'])('is taken with %s', async (kind) => {
		openssl.certify('own', { kind });
		const credential = { signaturePrivateKey: openssl.text('own.key'), signatureCertificate: openssl.text('own.pem') };
		expect(await refusals('cmsDetached', credential, openssl.text('own.pem'))).toEqual(expected);
	});
});
