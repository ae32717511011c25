import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from '../credentialError.ts';
import { signatureFields } from '../keyPair/fields.ts';
import { validKeyPairOf } from '../keyPair/keyPair.ts';
import { cmsDetached } from './cmsDetached.ts';
import type { SignatureMethod } from './method.ts';
import { rsaSha256 } from './rsaSha256.ts';

type Credential = ICredentialDataDecryptedObject;

/** Saved workflows store these keys. */
export const signatureMethods = { cmsDetached, rsaSha256 } satisfies Record<string, SignatureMethod>;

/** `given`: the signature is made elsewhere, and entered in the node. */
type Signature = keyof typeof signatureMethods | 'given';

const isMethod = (name: string): name is keyof typeof signatureMethods => Object.hasOwn(signatureMethods, name);

/**
 * How the packages of a credential are signed.
 * @throws CredentialError if nothing is chosen
 */
export function signatureOf(credential: Credential): Signature {
	const chosen = textOf(credential.signature);
	if (chosen === 'given' || isMethod(chosen)) return chosen;
	throw chosen === '' || chosen === 'none'
		? new CredentialError('Signature is None', 'Choose the signature that your bank expects.')
		: new CredentialError(`Signature "${chosen.slice(0, 40)}" is not one of the form`, 'Choose the signature again.');
}

/** Whether the credential is meant to sign. */
export const isSigning = ({ signature }: Credential): boolean => !['', 'none', 'given'].includes(textOf(signature));

/** Whether signedBody is the first field of a package. The API description does not show its position (2.2). */
export const isSignatureFirst = ({ signaturePosition }: Credential): boolean => textOf(signaturePosition) === 'first';

/**
 * @returns base64
 * @throws CredentialError if the credential cannot sign
 */
export function sign(bytes: Uint8Array, credential: Credential, now = new Date()): string {
	return createSigner(credential, now)(bytes, now).toString('base64');
}

function createSigner(credential: Credential, now: Date) {
	const method = signatureOf(credential);
	if (method === 'given') throw new Error('The credential does not sign');
	return signatureMethods[method](validKeyPairOf(credential, signatureFields, now));
}

/** Throws what `sign` would throw. Call this before any step that would have to be undone if signing fails. */
export function assertCanSign(credential: Credential, now = new Date()): void {
	createSigner(credential, now);
}
