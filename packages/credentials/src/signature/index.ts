import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { CredentialFault } from '../faults.ts';
import { attempt, dayOf, faultIn, type Identity, identityOf, openInBackground } from '../identity/identity.ts';
import { signatureForm } from './credential.ts';
import type { SignatureMethod } from './method.ts';
import { signatureMethods } from './methods/index.ts';

export type { SignatureMethod } from './method.ts';
export { signatureMethods } from './methods/index.ts';

export type SignatureMethodName = keyof typeof signatureMethods;

export interface SignatureSettings {
	method: SignatureMethodName;
	/** Of the type Bank Signature API. */
	credential: ICredentialDataDecryptedObject;
}

/** An expression may give any text. */
export const isSignatureMethod = (name: unknown): name is SignatureMethodName =>
	typeof name === 'string' && Object.hasOwn(signatureMethods, name);

/**
 * The signature of these very bytes, as base64.
 *
 * @throws CredentialFault where key or certificate cannot be used
 */
export function sign(bytes: Uint8Array, settings: SignatureSettings, now = new Date()): string {
	return signatureMethods[settings.method].sign(bytes, signerOf(settings, now), now).toString('base64');
}

/** Why nothing could be signed so: to be asked before anything is done that would have to be undone. */
export function signatureFault(settings: SignatureSettings, now = new Date()): CredentialFault | undefined {
	return faultIn(() => signerOf(settings, now));
}

/** What n8n's test of the credential says. Nobody is called: it is about key and certificate alone. */
export async function testSignature(
	credential: ICredentialDataDecryptedObject,
	now = new Date(),
): Promise<INodeCredentialTestResult> {
	await openInBackground(credential, signatureForm);
	const read = attempt(() => identityOf(credential, signatureForm, now));
	if (read instanceof CredentialFault) return { status: 'Error', message: read.message };
	const methods: SignatureMethod[] = Object.values(signatureMethods);
	const usable = methods.filter((method) => method.fault(read) === undefined);
	if (usable.length === 0) return { status: 'Error', message: methods[0]?.fault(read)?.message ?? '' };
	return {
		status: 'OK',
		message: `Can sign: ${usable.map(({ label }) => label).join(', ')}. ${validity(read, now)}`,
	};
}

function signerOf({ method, credential }: SignatureSettings, now: Date): Identity {
	const identity = identityOf(credential, signatureForm, now);
	const fault = signatureMethods[method].fault(identity);
	if (fault !== undefined) throw fault;
	return identity;
}

const day = 24 * 3600 * 1000;

function validity({ certificates: [own] }: Identity, now: Date): string {
	if (own === undefined) return 'There is no certificate.';
	const days = Math.floor((Date.parse(own.validTo) - now.getTime()) / day);
	return `The certificate is valid until ${dayOf(own.validTo)}, for ${days} more days.`;
}
