/** RSA-SHA256, verified independently. */
import { createPublicKey, verify } from 'node:crypto';

import { made } from '../support/certificates.ts';
import { body, faultOf, keyOf, signed } from '../support/signature.ts';

it('is verified with the public key, over these bytes and no others', () => {
	const { partner, server } = made;
	const signature = signed('rsaSha256');
	const key = createPublicKey(partner.certificate);
	expect(verify('sha256', body, key, signature)).toBe(true);
	expect(verify('sha256', body.subarray(1), key, signature)).toBe(false);
	expect(verify('sha256', body, createPublicKey(server.certificate), signature)).toBe(false);
});

it('needs no certificate', () => {
	expect(signed('rsaSha256', { signatureCertificate: '' })).toEqual(signed('rsaSha256'));
});

it.each(['ec', 'ed25519'] as const)('is not made with a key of another kind: %s', (kind) => {
	const key = { signaturePrivateKey: keyOf(kind), signatureCertificate: '' };
	expect(faultOf('rsaSha256', key)).toMatch(/^Signature Key is not an RSA key.*choose "CMS Detached"/);
	expect(() => signed('rsaSha256', key)).toThrow('Signature Key is not an RSA key');
});
