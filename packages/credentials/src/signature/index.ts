import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { credentialErrorOf } from '../credentialError.ts';
import { signatureFields } from '../keyPair/fields.ts';
import { dayOf, daysUntil, type KeyPair, readKeyPair, validKeyPairOf } from '../keyPair/keyPair.ts';
import { signatureMethods } from './methods/index.ts';

export { signatureMethods } from './methods/index.ts';

export type SignatureMethodName = keyof typeof signatureMethods;

export interface SignatureSettings {
	method: SignatureMethodName;
	/** Of the type Bank Payment Signature API. */
	credential: ICredentialDataDecryptedObject;
}

/** An expression can return any value. */
export const isSignatureMethod = (name: unknown): name is SignatureMethodName =>
	typeof name === 'string' && Object.hasOwn(signatureMethods, name);

/**
 * @returns base64
 * @throws CredentialError if the key pair cannot be used with the method
 */
export function sign(bytes: Uint8Array, settings: SignatureSettings, now = new Date()): string {
	return createSigner(settings, now)(bytes, now).toString('base64');
}

function createSigner({ method, credential }: SignatureSettings, now: Date) {
	return signatureMethods[method].createSigner(validKeyPairOf(credential, signatureFields, now));
}

/** Throws what `sign` would throw. Call this before any step that would have to be undone if signing fails. */
export function assertCanSign(settings: SignatureSettings, now = new Date()): void {
	createSigner(settings, now);
}

export function testSignature(credential: ICredentialDataDecryptedObject, now = new Date()): INodeCredentialTestResult {
	const names = Object.keys(signatureMethods) as SignatureMethodName[];
	const errors = names.map((method) => credentialErrorOf(() => assertCanSign({ method, credential }, now)));
	const usable = names.filter((_, index) => errors[index] === undefined);
	const [error] = errors;
	if (error !== undefined && usable.length === 0) return { status: 'Error', message: error.message };
	return {
		status: 'OK',
		message:
			`Can sign: ${usable.map((name) => signatureMethods[name].label).join(', ')}. ` +
			validity(readKeyPair(credential, signatureFields), now),
	};
}

function validity({ certificates: [own] }: KeyPair, now: Date): string {
	if (own === undefined) return 'There is no certificate.';
	const days = daysUntil(Date.parse(own.validTo), now);
	return `The certificate is valid until ${dayOf(own.validTo)}, for ${days} more days.`;
}
