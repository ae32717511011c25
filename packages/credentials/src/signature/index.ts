import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { attempt, CredentialError, credentialErrorOf } from '../credentialError.ts';
import { signatureFields } from '../keyPair/fields.ts';
import { dayOf, type KeyPair, validKeyPairOf } from '../keyPair/keyPair.ts';
import type { SignatureMethod } from './method.ts';
import { signatureMethods } from './methods/index.ts';

export type { SignatureMethod } from './method.ts';
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
 * Signs the bytes. Returns base64.
 *
 * @throws CredentialError if the key or certificate cannot be used
 */
export function sign(bytes: Uint8Array, settings: SignatureSettings, now = new Date()): string {
	return signatureMethods[settings.method].sign(bytes, signerOf(settings, now), now).toString('base64');
}

/** Call this before any step that would have to be undone if signing fails. */
export function validateSignature(settings: SignatureSettings, now = new Date()): CredentialError | undefined {
	return credentialErrorOf(() => signerOf(settings, now));
}

/** Credential test: checks key and certificate, without a request. */
export function testSignature(credential: ICredentialDataDecryptedObject, now = new Date()): INodeCredentialTestResult {
	const read = attempt(() => validKeyPairOf(credential, signatureFields, now));
	if (read instanceof CredentialError) return { status: 'Error', message: read.message };
	const methods: SignatureMethod[] = Object.values(signatureMethods);
	const usable = methods.filter((method) => method.validate(read) === undefined);
	if (usable.length === 0) return { status: 'Error', message: methods[0]?.validate(read)?.message ?? '' };
	return {
		status: 'OK',
		message: `Can sign: ${usable.map(({ label }) => label).join(', ')}. ${validity(read, now)}`,
	};
}

function signerOf({ method, credential }: SignatureSettings, now: Date): KeyPair {
	const keyPair = validKeyPairOf(credential, signatureFields, now);
	const error = signatureMethods[method].validate(keyPair);
	if (error !== undefined) throw error;
	return keyPair;
}

const day = 24 * 3600 * 1000;

function validity({ certificates: [own] }: KeyPair, now: Date): string {
	if (own === undefined) return 'There is no certificate.';
	const days = Math.floor((Date.parse(own.validTo) - now.getTime()) / day);
	return `The certificate is valid until ${dayOf(own.validTo)}, for ${days} more days.`;
}
