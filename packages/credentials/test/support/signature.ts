/** Signature credentials for tests. */
import { generateKeyPairSync } from 'node:crypto';

import { credentialErrorOf, sign, type signatureMethods, assertCanSign } from '../../src/index.ts';
import { forms } from '../../src/forms/index.ts';
import { made } from './certificates.ts';

export type Given = Record<string, string>;

type Method = keyof typeof signatureMethods;

export const day = 24 * 3600 * 1000;
export const body = Buffer.from('{"total":1.1,"payments":[{"paymentDescription":"Выплата за март"}]}\r\n');

const defaults = (): Given =>
	Object.fromEntries(forms.bankClientCredentialsOAuth2Api.map(({ name, default: value }) => [name, String(value)]));

/** Overrides of the partner's key and certificate in PEM. */
export function credentialOf(changes: Given = {}): Given {
	const { partner } = made;
	const pem = { signaturePrivateKey: partner.privateKey, signatureCertificate: partner.certificate };
	return { ...defaults(), ...pem, ...changes };
}

export const faultOf = (signature: Method, changes: Given, now?: Date) =>
	credentialErrorOf(() => assertCanSign(credentialOf({ signature, ...changes }), now))?.message;

export const signed = (signature: Method, changes: Given = {}, now?: Date) =>
	Buffer.from(sign(body, credentialOf({ signature, ...changes }), now), 'base64');

export const keyOf = (kind: 'ec' | 'ed25519'): string =>
	(kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')).privateKey
		.export({ type: 'pkcs8', format: 'pem' })
		.toString();
